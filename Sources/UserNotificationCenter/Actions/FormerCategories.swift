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
        /// The owner's last number before they were.
        package let until: Int64
        package let categories: [NotificationCategory]

        package init(until: Int64, categories: [NotificationCategory]) {
            self.until = until
            self.categories = categories
        }
    }

    /// Categories of one app that are kept; the oldest go first.
    package static let limit = NotificationCategory.limit
    /// Bytes of all of them, written compactly.
    package static let byteCountLimit = NotificationCategory.byteCountLimit

    /// From the oldest on.
    package private(set) var groups: [Group] = []

    /// No former categories.
    package init() {}

    package init(_ groups: [Group]) {
        self.groups = groups
        bound()
    }

    /// The category under which a notification of this number was delivered; `nil` means that it is not known, or is
    /// the one that is registered now.
    package subscript(identifier: String, number: Int64) -> NotificationCategory? {
        for group in groups where group.until >= number {
            if let found = group.categories.first(where: { $0.identifier.isWord(identifier) }) { return found }
        }
        return nil
    }

    /// Takes those of `old` that `new` does not have, or has otherwise; `number` is the owner's last one.
    package mutating func change(from old: CategorySet, to new: CategorySet, after number: Int64) {
        let changed = old.categories.filter { new[$0.identifier] != $0 }
        guard !changed.isEmpty else { return }
        groups.append(Group(until: number, categories: changed))
        bound()
    }

    private mutating func bound() {
        var (count, byteCount) = (0, 0)
        let kept = groups.reversed().prefix { group in
            var bytes: [UInt8] = []
            NotificationCategory.list(group.categories).write(to: &bytes)
            count += group.categories.count
            byteCount += bytes.count
            return count <= Self.limit && byteCount <= Self.byteCountLimit
        }
        groups.removeFirst(groups.count - kept.count)
    }
}
