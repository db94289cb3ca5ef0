// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// A stack and the categories of its app as a fuzzer writes them, a thing a line.
///
/// Shape: `f TEXT` is a category with a format for its summary, `p TEXT` one with a placeholder for hidden previews,
/// `m CATEGORY COUNT ARGUMENT` is a member, the oldest first, and `l TEXT` what a reader sends as `Accept-Language`.
/// Categories are named by their places, `0` to `63`; a member of any other name has none. Every other line is left
/// out.
struct SummaryScript {
    struct Member {
        var category: String
        var count: Int
        var argument: String
    }

    private(set) var categories: [NotificationCategory] = []
    private(set) var members: [Member] = []
    private(set) var acceptLanguage: String?

    /// `nil` means that the bytes are no UTF-8.
    init?(_ bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        for line in text.utf8.split(separator: UInt8(ascii: "\n")).prefix(256).map({ Substring($0) }) {
            let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
            guard words.count == 2 else { continue }
            switch words[0] {
            case "f": add { $0.summaryFormat = words[1] }
            case "p": add { $0.hiddenPreviewsBodyPlaceholder = words[1] }
            case "l": acceptLanguage = words[1]
            case "m": addMember(words[1])
            default: break
            }
        }
    }

    private mutating func add(_ change: (inout NotificationCategory) -> Void) {
        guard categories.count < NotificationCategory.limit else { return }
        var category = NotificationCategory(identifier: "\(categories.count)")
        change(&category)
        categories.append(category)
    }

    private mutating func addMember(_ text: String) {
        let words = text.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
            .map { String(Substring($0)) }
        guard words.count == 3, let count = Int(words[1]) else { return }
        members.append(Member(category: words[0], count: count, argument: words[2]))
    }
}
