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
            guard let object = try? JSONObject(parsing: bytes.span, depthLimit: 16),
                let categories = NotificationCategory.list(of: object)
            else { return 0 }
            let set: CategorySet
            do { set = try CategorySet(categories) } catch {
                throw BrokenPromise("categories that are read make a set: \(error)")
            }
            try expect(set.categories == categories, "a set keeps the order of its app")
            let kept = KeptCategories(stored: bytes)
            try expect(kept.registered == set, "the registered categories are those of the set")
            try expect(KeptCategories(stored: kept.stored) == kept, "categories read the same once stored")
            try checkFormer(kept)
            for category in categories {
                try expect(set[category.identifier] == category, "a category is found by its identifier")
            }
            try checkBounds(categories)
            if let first = categories.first { try checkRefusals(categories, first) }
            return 1
        }
    }

    /// The bounds in numbers of their own.
    private static func checkBounds(_ categories: [NotificationCategory]) throws(BrokenPromise) {
        try expect(categories.count <= 64, "an app has 64 categories at most")
        try expect(categories.allSatisfy { $0.actions.count <= 16 }, "a category has 16 actions at most")
        let names = categories.flatMap { [$0.identifier] + $0.actions.map(\.identifier) + $0.intentIdentifiers }
        try expect(names.allSatisfy { (1...256).contains($0.utf8.count) }, "a name has 1 to 256 bytes")
        try expect(byteCount(categories) <= 65_536, "categories have 64 KiB at most")
    }

    /// The former categories keep their bounds, and are found once the app has none.
    private static func checkFormer(_ kept: KeptCategories) throws(BrokenPromise) {
        let former = kept.former.groups.flatMap(\.categories)
        try expect(former.count <= 64, "64 former categories are kept at most")
        try expect(byteCount(former) <= 65_536 + 2 * 64, "former categories have 64 KiB at most")
        guard kept.former.groups.allSatisfy({ $0.until < .max }) else { return }
        var gone = kept
        gone.register(CategorySet(), after: .max)
        for category in kept.registered.categories {
            let rule = gone.rule(for: category.identifier, number: .max)
            try expect(rule.registered == nil && rule.delivered == category, "a category that went is as delivered")
        }
    }

    private static func byteCount(_ categories: [NotificationCategory]) -> Int {
        var bytes: [UInt8] = []
        NotificationCategory.list(categories).write(to: &bytes)
        return bytes.count
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
            let object: JSONObject = ["categories": NotificationCategory.list(wrong)]
            try expect(NotificationCategory.list(of: object) == nil, "a reader refuses what breaks a rule")
        }
    }
}
