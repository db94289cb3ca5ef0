// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The text below a stack: each row of the table in center.md §10, in each language.
struct StackSummaryTests {
    typealias Member = StackSummary.Member

    /// A stack and its text in English, Spanish and Portuguese.
    struct Row: CustomTestStringConvertible, Sendable {
        let number: String
        let members: [Member]
        var formats: [String: String] = [:]
        let texts: [String]

        var testDescription: String { "row \(number): \(texts.first ?? "no text")" }
    }

    static func categories(_ formats: [String: String]) throws -> CategorySet {
        try CategorySet(
            formats.sorted { $0.key < $1.key }.map { NotificationCategory(identifier: $0.key, summaryFormat: $0.value) }
        )
    }

    static func named(_ names: [String], category: String? = nil) -> [Member] {
        names.map { Member(category: category, argument: $0) }
    }

    static func plain(_ categories: [String?]) -> [Member] { categories.map { Member(category: $0) } }

    static let photosAndLikes = ["photo": "%u more photos", "like": "%u more likes"]

    static let table: [Row] = [
        Row(
            number: "1",
            members: named(["Alice", "Me", "Alice", "Me", "Alice", "Alice"]),
            texts: [
                "5 more notifications from Alice and Me", "5 notificaciones más de Alice y Me",
                "Mais 5 notificações de Alice e Me",
            ]
        ),
        Row(
            number: "2",
            members: named(["Alice", "Alice"]),
            texts: [
                "1 more notification from Alice", "1 notificación más de Alice", "Mais 1 notificação de Alice",
            ]
        ),
        Row(
            number: "3",
            members: plain([nil, nil, nil]),
            texts: ["2 more notifications", "2 notificaciones más", "Mais 2 notificações"]
        ),
        Row(
            number: "4",
            members: [
                Member(argument: "A", count: 3), Member(argument: "B", count: 1), Member(argument: "C", count: 3),
                Member(argument: "A", count: 9),
            ],
            texts: [
                "7 more notifications from A, B, and C", "7 notificaciones más de A, B y C",
                "Mais 7 notificações de A, B e C",
            ]
        ),
        Row(
            number: "5",
            members: named(["Ana", "Inés", "Ana"]),
            texts: [
                "2 more notifications from Ana and Inés", "2 notificaciones más de Ana e Inés",
                "Mais 2 notificações de Ana e Inés",
            ]
        ),
        Row(
            number: "6",
            members: named(["Alice", "Alice", "Alice", "Alice"], category: "message"),
            formats: ["message": "%u more messages from %@"],
            texts: Array(repeating: "3 more messages from Alice", count: 3)
        ),
        Row(
            number: "6, several names",
            members: named(["Alice", "Isabel", "Alice", "Alice"], category: "message"),
            formats: ["message": "%u more messages from %@"],
            texts: [
                "3 more messages from Alice and Isabel", "3 more messages from Alice e Isabel",
                "3 more messages from Alice e Isabel",
            ]
        ),
        Row(
            number: "7",
            members: plain(["photo", "like", "photo", "like"]),
            formats: photosAndLikes,
            texts: [
                "2 more photos and 1 more likes", "2 more photos y 1 more likes", "2 more photos e 1 more likes",
            ]
        ),
        Row(
            number: "7, the oldest one's category first",
            members: plain(["like", "photo", "photo", "like"]),
            formats: photosAndLikes,
            texts: [
                "1 more likes and 2 more photos", "1 more likes y 2 more photos", "1 more likes e 2 more photos",
            ]
        ),
    ]

    static let besides: [Row] = [
        Row(number: "one alone", members: named(["Alice"]), texts: []),
        Row(number: "none", members: [], texts: []),
        Row(
            number: "four names",
            members: named(["A", "B", "C", "D"]),
            texts: [
                "3 more notifications from A, B, and 2 others", "3 notificaciones más de A, B y 2 más",
                "Mais 3 notificações de A, B e mais 2",
            ]
        ),
        Row(
            number: "one is counted twice",
            members: [Member(count: 2), Member()],
            texts: ["2 more notifications", "2 notificaciones más", "Mais 2 notificações"]
        ),
        Row(
            number: "mixed categories with an argument",
            members: [
                Member(category: "photo", argument: "Alice"), Member(category: "like"), Member(category: "like"),
            ],
            formats: photosAndLikes,
            texts: [
                "2 more notifications from Alice", "2 notificaciones más de Alice", "Mais 2 notificações de Alice",
            ]
        ),
        Row(
            number: "the leading one's category has no others",
            members: plain(["photo", "photo", "like"]),
            formats: photosAndLikes,
            texts: ["2 more photos", "2 more photos", "2 more photos"]
        ),
        Row(
            number: "a category without a text of its own",
            members: plain(["photo", nil, "unknown", "photo", "like"]),
            formats: photosAndLikes,
            texts: [
                "2 more photos and 2 more notifications", "2 more photos y 2 notificaciones más",
                "2 more photos e mais 2 notificações",
            ]
        ),
        Row(
            number: "only categories without a text",
            members: plain(["a", "b", "c"]),
            texts: ["2 more notifications", "2 notificaciones más", "Mais 2 notificações"]
        ),
        Row(
            number: "three categories",
            members: plain(["a", "b", "c", "a"]),
            formats: ["a": "%u a", "b": "%u b", "c": "%u c"],
            texts: ["1 a, 1 b, and 1 c", "1 a, 1 b y 1 c", "1 a, 1 b e 1 c"]
        ),
        Row(
            number: "a place for names and no names",
            members: plain(["message", "message", "message"]),
            formats: ["message": "%u more messages from %@"],
            texts: ["2 more notifications", "2 notificaciones más", "Mais 2 notificações"]
        ),
        Row(
            number: "the same in mixed categories",
            members: plain(["message", "photo", "photo"]),
            formats: ["message": "%u more messages from %@", "photo": "%u more photos"],
            texts: [
                "1 more notification and 1 more photos", "1 notificación más y 1 more photos",
                "Mais 1 notificação e 1 more photos",
            ]
        ),
        Row(
            number: "an empty text is none",
            members: plain(["message", "message"]),
            formats: ["message": ""],
            texts: ["1 more notification", "1 notificación más", "Mais 1 notificação"]
        ),
        Row(
            number: "a text without places",
            members: named(["Alice", "Me"], category: "message"),
            formats: ["message": "more"],
            texts: ["more", "more", "more"]
        ),
        Row(
            number: "empty arguments are none",
            members: named(["", "Alice", ""]),
            texts: [
                "2 more notifications from Alice", "2 notificaciones más de Alice", "Mais 2 notificações de Alice",
            ]
        ),
        Row(
            number: "places inside a name are text",
            members: named(["%u", "%@ %%"], category: "message"),
            formats: ["message": "%@: %u"],
            texts: ["%u and %@ %%: 1", "%u y %@ %%: 1", "%u e %@ %%: 1"]
        ),
    ]

    @Test(arguments: table + besides)
    func `a stack has exactly this text in each language`(row: Row) throws {
        let summary = StackSummary(row.members, categories: try Self.categories(row.formats))
        #expect(SummaryLanguage.allCases.compactMap(summary.text) == row.texts)
    }

    @Test func `rows 1 to 7 have a test, and row 8 is that of hidden previews`() {
        let numbers = Set(Self.table.map { $0.number.prefix(1) })
        #expect(numbers == ["1", "2", "3", "4", "5", "6", "7"])
    }

    @Test func `an app's long texts make no long summary`() throws {
        let name = String(repeating: "é", count: 300)
        let names = StackSummary(Self.named([name, "b"]), categories: CategorySet()).text(in: .english)
        #expect(names == "1 more notification from \(String(repeating: "é", count: 126))… and b")

        let format = String(repeating: "%@", count: 20_000)
        let categories = try Self.categories(["a": format])
        let text = StackSummary(Self.named([name, name], category: "a"), categories: categories).text(in: .english)
        #expect((text?.utf8.count ?? 0) <= StackSummary.byteCountLimit)
        #expect(text?.hasSuffix("…") == true)
    }

    @Test func `counts beyond all bounds add up`() {
        let members = Array(repeating: Member(count: .max), count: 3)
        let text = StackSummary(members, categories: CategorySet()).text(in: .english)
        #expect(text == "4294967294 more notifications")
        #expect(Member(count: .min).count == 1)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 5, "ab…"), ("éé", 3, "…"), ("aéé", 4, "a…"), ("aé€", 5, "a…"),
    ])
    func `a text is cut between scalars`(text: String, limit: Int, cut: String) {
        #expect(text.cut(toBytes: limit) == cut)
        #expect(text.cut(toBytes: limit).utf8.count <= limit)
    }

    // MARK: Hidden previews

    @Test(
        arguments: [
            (9, "%u messages", "9 messages", "9 messages", "9 messages"),
            (1, "%u messages", "1 messages", "1 messages", "1 messages"),
            (9, nil, "9 notifications", "9 notificaciones", "9 notificações"),
            (1, nil, "Notification", "Notificación", "Notificação"),
            (9, "", "9 notifications", "9 notificaciones", "9 notificações"),
            (9, "Message", "Message", "Message", "Message"),
            (2, "%1$u of 100%%, %d", "2 of 100%, %d", "2 of 100%, %d", "2 of 100%, %d"),
        ] as [(Int, String?, String, String, String)]
    )
    func `row 8: hidden previews have one placeholder that counts all`(
        count: Int,
        format: String?,
        english: String,
        spanish: String,
        portuguese: String
    ) throws {
        let category = NotificationCategory(
            identifier: "message",
            options: [.hiddenPreviewsShowTitle],
            hiddenPreviewsBodyPlaceholder: format
        )
        let categories = try CategorySet([category])
        let members = Array(repeating: "message" as String?, count: count)
        let previews = SummaryLanguage.allCases.map {
            HiddenPreview(memberCategories: members, categories: categories, language: $0)
        }
        #expect(previews.map(\.placeholder) == [english, spanish, portuguese])
        #expect(previews.allSatisfy { $0.showsTitle && !$0.showsSubtitle })
    }

    @Test func `hidden previews of several categories have the default text, and the leading one's title`() throws {
        let categories = try CategorySet([
            NotificationCategory(identifier: "message", hiddenPreviewsBodyPlaceholder: "%u messages"),
            NotificationCategory(identifier: "photo", options: [.hiddenPreviewsShowSubtitle]),
        ])
        let mixed = HiddenPreview(
            memberCategories: ["message", nil, "photo"],
            categories: categories,
            language: .english
        )
        #expect(mixed.placeholder == "3 notifications" && !mixed.showsTitle && mixed.showsSubtitle)
        let unknown = HiddenPreview(memberCategories: ["other"], categories: categories, language: .spanish)
        #expect(unknown.placeholder == "Notificación" && !unknown.showsTitle && !unknown.showsSubtitle)
    }
}
