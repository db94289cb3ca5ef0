// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import NotificationPayload

/// The categories that an app changed or took back, so that an action which a person has before their eyes stays known.
///
/// A notification was delivered under the category that was registered then. Numbers rise, so that the last number of
/// each former category tells of every notification which it was, and nothing is noted with a notification.
/// Source: center.md §12, "as delivered".
package struct FormerCategories: Sendable, Equatable {
    /// Categories that were changed or taken back together.
    package struct Group: Sendable, Equatable {
        /// The owner's last number before that change.
        package let until: Int64
        package let categories: [NotificationCategory]

        package init(until: Int64, categories: [NotificationCategory]) {
            self.until = until
            self.categories = categories
        }
    }

    /// The greatest number of categories of one app; the oldest go first.
    package static let limit = NotificationCategory.limit
    /// The greatest length of them all in bytes, written compactly.
    package static let byteCountLimit = NotificationCategory.byteCountLimit

    /// The groups, the oldest first.
    package private(set) var groups: [Group] = []

    /// Makes a list without former categories.
    package init() {}

    /// Reads groups that were kept, and forgets those beyond the bounds.
    package init(_ groups: [Group]) {
        self.groups = groups
        bound()
    }

    /// The category under which a notification of this number was delivered; `nil` means that none is kept, as of one
    /// that is registered still.
    package subscript(identifier: String, number: Int64) -> NotificationCategory? {
        for group in groups where group.until >= number {
            if let found = group.categories.first(where: { $0.identifier.isWord(identifier) }) { return found }
        }
        return nil
    }

    /// Keeps the categories of `old` that `new` lacks or has changed; `number` is the owner's last one.
    ///
    /// A category that was the last of its identifier before takes no further room, so that an app may begin with none
    /// at each start.
    package mutating func change(from old: CategorySet, to new: CategorySet, after number: Int64) {
        let changed = old.categories.filter { new[$0.identifier] != $0 }
        guard !changed.isEmpty else { return }
        for category in changed where last(category.identifier) == category {
            guard let place = groups.lastIndex(where: { $0.categories.contains(category) }) else { continue }
            groups[place] = Group(
                until: groups[place].until,
                categories: groups[place].categories.filter { $0 != category }
            )
        }
        groups.append(Group(until: number, categories: changed))
        bound()
    }

    private func last(_ identifier: String) -> NotificationCategory? {
        groups.reversed().lazy.compactMap { $0.categories.first { $0.identifier.isWord(identifier) } }.first
    }

    /// Keeps the newest categories that there is room for.
    private mutating func bound() {
        var (count, byteCount) = (0, 0)
        let kept = groups.reversed().map { group in
            Group(
                until: group.until,
                categories: group.categories.prefix { category in
                    var bytes: [UInt8] = []
                    NotificationCategory.list([category]).write(to: &bytes)
                    count += 1
                    byteCount += bytes.count
                    return count <= Self.limit && byteCount <= Self.byteCountLimit
                }
            )
        }
        groups = kept.reversed().filter { !$0.categories.isEmpty }
    }
}
