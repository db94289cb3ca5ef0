// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The categories of an app as they were when a notification was delivered: center.md §12.
struct FormerCategoriesTests {
    private static func set(_ actions: [String: [String]]) throws -> CategorySet {
        try CategorySet(
            actions.sorted { $0.key < $1.key }.map { identifier, actions in
                NotificationCategory(
                    identifier: identifier,
                    actions: actions.map { CategoryAction(identifier: $0, title: $0) }
                )
            }
        )
    }

    private static func actions(_ kept: KeptCategories, _ category: String, _ number: Int64) -> [String]? {
        kept.rule(for: category, number: number).delivered?.actions.map(\.identifier)
    }

    @Test func `a notification has the category of its time, whatever its app registers later`() throws {
        var kept = KeptCategories()
        kept.register(try Self.set(["message": ["like"], "other": ["x"]]), after: 10)
        kept.register(try Self.set(["message": ["share"], "other": ["x"]]), after: 20)
        kept.register(try Self.set(["other": ["x"]]), after: 30)
        #expect(Self.actions(kept, "message", 20) == ["like"])
        #expect(Self.actions(kept, "message", 21) == ["share"])
        #expect(Self.actions(kept, "message", 31) == nil)
        // What was not changed is no former category.
        #expect(kept.former.groups.map(\.categories.count) == [1, 1])
        #expect(kept.rule(for: "other", number: 5).registered?.actions.map(\.identifier) == ["x"])
        #expect(KeptCategories(stored: kept.stored) == kept)
    }

    @Test func `the same categories anew change nothing`() throws {
        var kept = KeptCategories()
        kept.register(try Self.set(["message": ["like"]]), after: 10)
        let former = kept
        kept.register(try Self.set(["message": ["like"]]), after: 20)
        #expect(kept == former)
    }

    @Test func `64 former categories are kept, and the oldest go first`() throws {
        var kept = KeptCategories()
        for number in 0...70 { kept.register(try Self.set(["message": ["a\(number)"]]), after: Int64(number)) }
        #expect(kept.former.groups.count == 64)
        #expect(Self.actions(kept, "message", 1) == ["a6"])
        #expect(Self.actions(kept, "message", 70) == ["a69"])
    }

    @Test func `of categories that changed together those stay for which there is room`() throws {
        var kept = KeptCategories()
        func many(_ action: String) throws -> CategorySet {
            try Self.set(Dictionary(uniqueKeysWithValues: (10..<50).map { ("c\($0)", [action]) }))
        }
        kept.register(try many("a"), after: 1)
        kept.register(try many("b"), after: 2)
        kept.register(try many("c"), after: 3)
        #expect(kept.former.groups.map(\.categories.count) == [24, 40])
        #expect(Self.actions(kept, "c10", 2) == ["a"] && Self.actions(kept, "c49", 2) == ["b"])
    }

    @Test func `an app that begins with none at each start takes no further room`() throws {
        var kept = KeptCategories()
        kept.register(try Self.set(["message": ["old"]]), after: 1)
        for start in 2...200 {
            kept.register(try Self.set(["message": ["like"]]), after: Int64(2 * start))
            kept.register(CategorySet(), after: Int64(2 * start + 1))
        }
        #expect(kept.former.groups.map(\.until) == [4, 401])
        #expect(Self.actions(kept, "message", 4) == ["old"] && Self.actions(kept, "message", 300) == ["like"])
    }

    @Test(arguments: ["", "{}", #"{"categories":[]}"#, #"{"categories":[],"former":[{"until":"7"},5]}"#])
    func `damaged categories are none`(stored: String) {
        #expect(KeptCategories(stored: Array(stored.utf8)) == KeptCategories())
    }
}
