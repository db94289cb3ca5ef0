// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The text below a stack, which says what lies behind its leading notification.
///
///     StackSummary(members, categories: categories).text(in: .english)
///     // "5 more notifications from Alice and Me"
///
/// Apple ignores arguments and formats of summaries since iOS 15; here they work as in iOS 12 to 14.
/// Source: center.md §10; extension-contract.md §5, "Summary".
package struct StackSummary: Sendable {
    /// The longest text in bytes, and the longest name; what is longer ends in "…".
    package static let byteCountLimit = 4096
    package static let nameByteCountLimit = 256

    /// A notification of the stack.
    package struct Member: Sendable, Equatable {
        /// `nil` means none.
        package let category: String?
        /// `nil` and "" mean none.
        package let argument: String?
        /// 1 to 2³¹−1.
        package let count: Int

        package init(category: String? = nil, argument: String? = nil, count: Int = 1) {
            self.category = CategorySet.name(category)
            self.argument = argument
            self.count = min(max(1, count), NotificationTraits.countLimit)
        }
    }

    /// Members that are summarized together: those behind the leading one that have one format.
    fileprivate struct Share {
        let format: SummaryFormat?
        var count = 0
    }

    /// All members, the oldest first; the last one leads.
    private let members: [Member]
    private let categories: CategorySet

    /// Takes all members of a stack, the oldest first, and the app's categories.
    package init(_ members: [Member], categories: CategorySet) {
        self.members = members
        self.categories = categories
    }

    /// The summary; `nil` means that nothing lies behind the leading notification.
    package func text(in language: SummaryLanguage) -> String? {
        guard members.count > 1, let leading = members.last else { return nil }
        let number = members.dropLast().reduce(0) { $0 + $1.count }
        let names = self.names
        let isOneCategory = members.allSatisfy { $0.category == leading.category }
        let text: String
        if isOneCategory, let format = format(of: leading), !format.hasNames || !names.isEmpty {
            text = format.text(number: number, names: language.list(names: names))
        } else if isOneCategory || !names.isEmpty {
            text = language.moreNotifications(number, from: names)
        } else {
            text = language.list(
                shares.enumerated().map { place, share in
                    share.format?.text(number: share.count, names: "")
                        ?? language.moreNotifications(share.count, isPart: place > 0)
                }
            )
        }
        return text.cut(toBytes: Self.byteCountLimit)
    }

    /// The names of all members, the oldest first, each once.
    ///
    /// Names are compared byte for byte: comparing canonical forms takes time that grows as the square of a run of
    /// combining marks, and the names are foreign text.
    private var names: [String] {
        var seen: Set<[UInt8]> = []
        return members.compactMap(\.argument)
            .filter { !$0.isEmpty && seen.insert(Array($0.utf8)).inserted }
            .map { $0.cut(toBytes: Self.nameByteCountLimit) }
    }

    private func format(of member: Member) -> SummaryFormat? {
        SummaryFormat(member.category.flatMap { categories[$0]?.summaryFormat })
    }

    private func plainFormat(of member: Member) -> SummaryFormat? {
        format(of: member).flatMap { $0.hasNames ? nil : $0 }
    }

    /// The members behind the leading one by their formats, in the order in which each format first comes.
    ///
    /// A format with a place for names counts as none, because this is asked when there are no names.
    private var shares: [Share] {
        var indices: [String?: Int] = [:]
        var shares: [Share] = []
        for (place, member) in members.enumerated() {
            let index = indices[member.category] ?? shares.index(of: plainFormat(of: member))
            indices[member.category] = index
            if place < members.count - 1 { shares[index].count += member.count }
        }
        return shares.filter { $0.count > 0 }
    }
}

extension [StackSummary.Share] {
    /// The place of the share of a format, which is added if it is missing.
    fileprivate mutating func index(of format: SummaryFormat?) -> Int {
        if let index = firstIndex(where: { $0.format == format }) { return index }
        append(StackSummary.Share(format: format))
        return endIndex - 1
    }
}

extension String {
    /// The text itself, or its beginning and "…", together no longer than that; never a part of a scalar.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        let mark = "…"
        var end = utf8.index(startIndex, offsetBy: max(0, limit - mark.utf8.count))
        while end > startIndex, UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + mark
    }
}
