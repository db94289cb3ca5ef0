// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol
private import NotificationPayload
private import UserNotificationCenter

/// Feeds hostile JSON to the reader of an app's categories, and holds what it takes against the set that is made of it.
///
/// Source: PROTOCOL.md, "Calls"; center.md §4, `setCategories`.
public enum CategoryCheck {
    /// Reads bytes as a store has them; an input is taken if it is categories, of which there may be none.
    public static func check(_ bytes: [UInt8]) -> Verdict {
        Verdict { () throws(BrokenPromise) in
            guard let categories = NotificationCategory.list(stored: bytes) else { return 0 }
            let set: CategorySet
            do { set = try CategorySet(categories) } catch {
                throw BrokenPromise("categories that are read make a set: \(error)")
            }
            try expect(set.categories == categories, "a set keeps the order of its app")
            let stored = NotificationCategory.stored(set.categories)
            try expect(NotificationCategory.list(stored: stored) == categories, "a set reads the same once stored")
            for category in categories {
                try expect(set[category.identifier] == category, "a category is found by its identifier")
            }
            try checkBounds(categories, stored)
            if let first = categories.first { try checkRefusals(categories, first) }
            return 1
        }
    }

    /// The bounds in numbers of their own.
    private static func checkBounds(_ categories: [NotificationCategory], _ stored: [UInt8]) throws(BrokenPromise) {
        try expect(categories.count <= 64, "an app has 64 categories at most")
        try expect(categories.allSatisfy { $0.actions.count <= 16 }, "a category has 16 actions at most")
        let names = categories.flatMap { [$0.identifier] + $0.actions.map(\.identifier) + $0.intentIdentifiers }
        try expect(names.allSatisfy { (1...256).contains($0.utf8.count) }, "a name has 1 to 256 bytes")
        try expect(stored.count - #"{"categories":}"#.utf8.count <= 65_536, "categories have 64 KiB at most")
    }

    /// Breaks one rule at a time, which reader and set must both refuse.
    private static func checkRefusals(
        _ categories: [NotificationCategory],
        _ first: NotificationCategory
    ) throws(BrokenPromise) {
        var nameless = first
        nameless.identifier = ""
        var long = first
        long.identifier = String(repeating: "a", count: 257)
        var busy = first
        busy.actions = Array(repeating: CategoryAction(identifier: "a", title: ""), count: 17)
        var willing = first
        willing.intentIdentifiers = Array(repeating: "a", count: 65)
        let others = Array(categories.dropFirst())
        let rest = NotificationCategory.limit - categories.count
        let many = (0...rest).map { NotificationCategory(identifier: "\u{10FFFF}\($0)") }
        for wrong in [categories + [first], [nameless] + others, [long] + others, [busy] + others, [willing] + others]
            + [categories + many]
        {
            try expect((try? CategorySet(wrong)) == nil, "a set refuses what breaks a rule")
            let stored = NotificationCategory.stored(wrong)
            try expect(NotificationCategory.list(stored: stored) == nil, "a reader refuses what breaks a rule")
        }
    }
}
