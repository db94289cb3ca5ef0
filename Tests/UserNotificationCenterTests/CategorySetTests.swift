// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The bounds of an app's categories.
struct CategorySetTests {
    private static func category(_ name: String, actions: Int = 0, action: String = "a") -> NotificationCategory {
        let action = CategoryAction(identifier: action, title: "A")
        return NotificationCategory(identifier: name, actions: Array(repeating: action, count: actions))
    }

    private static func name(_ byteCount: Int) -> String { String(repeating: "n", count: byteCount) }

    static let refused: [([NotificationCategory], CategoryFault)] = [
        ((0...64).map { category("c\($0)") }, .tooManyCategories(65)),
        ([category("")], .badIdentifier(category: 0, byteCount: 0)),
        ([category("a"), category(name(257))], .badIdentifier(category: 1, byteCount: 257)),
        ([category("a"), category("b"), category("a")], .repeated(category: 2)),
        ([category("é"), category("e\u{301}")], .repeated(category: 1)),
        ([category("a", actions: 17)], .tooManyActions(category: 0, 17)),
        ([category("a", actions: 1, action: "")], .badActionIdentifier(category: 0, action: 0, byteCount: 0)),
        (
            [category("a"), category("b", actions: 2, action: name(257))],
            .badActionIdentifier(category: 1, action: 0, byteCount: 257)
        ),
        (
            [NotificationCategory(identifier: "a", intentIdentifiers: Array(repeating: "i", count: 65))],
            .tooManyIntents(category: 0, 65)
        ),
    ]

    @Test(arguments: refused)
    func `categories beyond a bound are refused`(categories: [NotificationCategory], fault: CategoryFault) {
        #expect(throws: fault) { try CategorySet(categories) }
    }

    @Test func `categories at their bounds are taken`() throws {
        let categories = (0..<64).map { Self.category("c\($0)", actions: 16) }
        #expect(try CategorySet(categories).categories == categories)
        #expect(
            try CategorySet([Self.category(Self.name(256), actions: 1, action: Self.name(256))]).categories.count == 1
        )
    }

    @Test func `categories have 65,536 bytes as they are written, and not one more`() throws {
        let bracket = #"[{"identifier":"a","actions":[],"options":[],"summaryFormat":""}]"#.utf8.count
        func set(_ byteCount: Int) throws -> CategorySet {
            try CategorySet([
                NotificationCategory(identifier: "a", summaryFormat: Self.name(byteCount - bracket))
            ])
        }
        #expect(try set(65_536).categories.count == 1)
        let fault = #expect(throws: CategoryFault.self) { try set(65_537) }
        #expect(fault == .tooLong(byteCount: 65_537))
    }

    @Test func `a category is found by its name`() throws {
        let set = try CategorySet([Self.category("a"), Self.category("b")])
        #expect(set["b"]?.identifier == "b")
        #expect(set["c"] == nil && set[""] == nil && set[Self.name(257)] == nil)
        #expect(CategorySet()["a"] == nil)
    }
}
