// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import NotificationPayload
import Testing

@testable import notification_center

/// The line of `notification-center status`.
struct StatusLineTests {
    private static let front: JSONObject = [
        "unseen": .integer(3), "badge": .integer(12), "apps": [["app": "com.example.chat", "name": "Chat"]],
        "stacks": [
            [
                "leading": [
                    "id": "4711", "app": "com.example.chat", "payload": ["aps": ["alert": ["title": "A\u{1b}lice"]]],
                ]
            ]
        ],
    ]

    @Test(arguments: [
        ("{unseen}", "3"), ("{badge} {app}: {title}", "12 Chat: A\\u{1b}lice"), ("{id}{{x}", "4711{x}"), ("new", "new"),
        ("", ""),
    ])
    func `words are replaced`(format: String, line: String) throws {
        let status = try StatusLine(format)
        #expect(status.text(of: Self.front) == line)
    }

    @Test func `without a notification the words about it are empty`() throws {
        let status = try StatusLine("{unseen}|{app}|{title}|{id}")
        #expect(status.text(of: [:]) == "0|||")
    }

    @Test(arguments: [("{sender}", "{sender"), ("{unseen", "{unseen"), ("{", "{")])
    func `a word that is not known is said, with those that are`(format: String, named: String) {
        #expect(
            throws: Failure(
                "the format has \"\(named)\", which is no word that is known",
                hint: "the words are {unseen}, {badge}, {app}, {title}, {id}"
            )
        ) { _ = try StatusLine(format) }
    }
}
