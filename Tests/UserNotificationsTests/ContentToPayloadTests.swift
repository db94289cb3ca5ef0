// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import UserNotifications

/// A change of an extension: the `aps` it was given, what it did, the `aps` that must come out; nil for none.
struct ChangeRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: JSONObject
    let after: JSONObject
    let change: @Sendable (UNMutableNotificationContent) -> Void

    init(
        _ name: String,
        _ before: JSONObject,
        _ after: JSONObject,
        _ change: @escaping @Sendable (UNMutableNotificationContent) -> Void
    ) {
        testDescription = name
        self.before = before
        self.after = after
        self.change = change
    }
}

struct ContentToPayloadTests {
    static let alerts = [
        ChangeRow("a string stays one", ["alert": "a"], ["alert": "b"]) { $0.body = "b" },
        ChangeRow("an emptied string goes", ["alert": "a"], [:]) { $0.body = "" },
        ChangeRow("a title makes an object", ["alert": "a"], ["alert": ["title": "T", "body": "a"]]) {
            $0.title = "T"
        },
        ChangeRow("no alert, then a body", [:], ["alert": ["body": "b"]]) { $0.body = "b" },
        ChangeRow(
            "unknown alert keys survive",
            ["alert": ["title": "a", "action": "Open", "x": [1]]],
            ["alert": ["title": "b", "action": "Open", "x": [1]]]
        ) { $0.title = "b" },
        ChangeRow("an empty text goes", ["alert": ["title": "a", "body": "b"]], ["alert": ["body": "b"]]) {
            $0.title = ""
        },
        ChangeRow("an alert without keys goes", ["alert": ["title": "a"]], [:]) { $0.title = "" },
        ChangeRow("an alert of the wrong kind is replaced", ["alert": 7], ["alert": ["subtitle": "s"]]) {
            $0.subtitle = "s"
        },
        ChangeRow(
            "a title ends its localization only",
            ["alert": ["title-loc-key": "T", "title-loc-args": ["x"], "loc-key": "B", "loc-args": ["y"]]],
            ["alert": ["title": "t", "loc-key": "B", "loc-args": ["y"]]]
        ) { $0.title = "t" },
        ChangeRow(
            "a subtitle ends its localization",
            ["alert": ["subtitle-loc-key": "S", "subtitle-loc-args": ["x"]]],
            ["alert": ["subtitle": "s"]]
        ) { $0.subtitle = "s" },
        ChangeRow(
            "a body ends its localization",
            ["alert": ["loc-key": "B", "loc-args": ["y"], "title-loc-key": "T"]],
            ["alert": ["body": "b", "title-loc-key": "T"]]
        ) { $0.body = "b" },
        ChangeRow(
            "untouched texts keep their localization",
            ["alert": ["title": "t", "title-loc-key": "T"], "badge": 1],
            ["alert": ["title": "t", "title-loc-key": "T"], "badge": 2]
        ) { $0.badge = 2 },
        ChangeRow("launch image", [:], ["alert": ["launch-image": "L"]]) { $0.launchImageName = "L" },
        ChangeRow("summary", [:], ["alert": ["summary-arg": "Al", "summary-arg-count": 2]]) {
            $0.summaryArgument = "Al"
            $0.summaryArgumentCount = 2
        },
        ChangeRow("no summary", ["alert": ["summary-arg": "Al", "summary-arg-count": 2]], [:]) {
            $0.summaryArgument = ""
            $0.summaryArgumentCount = 0
        },
    ]

    static let others = [
        ChangeRow("badge", [:], ["badge": 3]) { $0.badge = 3 },
        ChangeRow("badge 0", ["badge": 4], ["badge": 0]) { $0.badge = 0 },
        ChangeRow("badge nil", ["badge": 4], [:]) { $0.badge = nil },
        ChangeRow("badge below zero is none", ["badge": 4], [:]) { $0.badge = -2 },
        ChangeRow("an odd badge survives nil", ["badge": "3"], ["badge": "3"]) { $0.badge = nil },
        ChangeRow("sound default", [:], ["sound": "default"]) { $0.sound = .default },
        ChangeRow("sound named", ["sound": "default"], ["sound": "a.caf"]) {
            $0.sound = UNNotificationSound(named: UNNotificationSoundName("a.caf"))
        },
        ChangeRow("sound nil", ["sound": ["critical": 1]], [:]) { $0.sound = nil },
        ChangeRow("critical", [:], ["sound": ["critical": 1, "name": "a.caf", "volume": 0.8]]) {
            $0.sound = .criticalSoundNamed(UNNotificationSoundName("a.caf"), withAudioVolume: 0.8)
        },
        ChangeRow("default critical", [:], ["sound": ["critical": 1, "name": "default", "volume": 1]]) {
            $0.sound = .defaultCritical
        },
        ChangeRow("ringtone", [:], ["sound": ["name": "r.caf", "ringtone": 1]]) {
            $0.sound = .ringtoneSoundNamed(UNNotificationSoundName("r.caf"))
        },
        ChangeRow(
            "an equal sound leaves its spelling",
            ["sound": ["name": "default", "volume": 0.5]],
            ["sound": ["name": "default", "volume": 0.5]]
        ) { $0.sound = .default },
        ChangeRow("thread", [:], ["thread-id": "t"]) { $0.threadIdentifier = "t" },
        ChangeRow("no thread", ["thread-id": "t"], [:]) { $0.threadIdentifier = "" },
        ChangeRow("category", ["category": "a"], ["category": "b"]) { $0.categoryIdentifier = "b" },
        ChangeRow("no category", ["category": "a"], [:]) { $0.categoryIdentifier = "" },
        ChangeRow("target", [:], ["target-content-id": "w"]) { $0.targetContentIdentifier = "w" },
        ChangeRow("no target", ["target-content-id": "w"], [:]) { $0.targetContentIdentifier = nil },
        ChangeRow("passive", [:], ["interruption-level": "passive"]) { $0.interruptionLevel = .passive },
        ChangeRow("time sensitive", [:], ["interruption-level": "time-sensitive"]) {
            $0.interruptionLevel = .timeSensitive
        },
        ChangeRow("critical level", [:], ["interruption-level": "critical"]) { $0.interruptionLevel = .critical },
        ChangeRow("active", ["interruption-level": "passive"], ["interruption-level": "active"]) {
            $0.interruptionLevel = .active
        },
        ChangeRow("an unknown level survives", ["interruption-level": "x"], ["interruption-level": "x"]) {
            $0.interruptionLevel = .active
        },
        ChangeRow("relevance", [:], ["relevance-score": 0.5]) { $0.relevanceScore = 0.5 },
        ChangeRow("relevance is clamped", [:], ["relevance-score": 1]) { $0.relevanceScore = 9 },
        ChangeRow("relevance 0", ["relevance-score": 0.5], [:]) { $0.relevanceScore = .nan },
        ChangeRow("filter", [:], ["filter-criteria": "f"]) { $0.filterCriteria = "f" },
        ChangeRow("no filter", ["filter-criteria": "f"], [:]) { $0.filterCriteria = nil },
        ChangeRow("U+0000 is removed", [:], ["thread-id": "ab"]) { $0.threadIdentifier = "a\0b" },
        ChangeRow(
            "gates and unknown keys survive",
            ["mutable-content": 1, "content-available": 1, "url-args": ["a"], "stale-date": 7, "x-y": nil],
            ["mutable-content": 1, "content-available": 1, "url-args": ["a"], "stale-date": 7, "x-y": nil, "badge": 1]
        ) { $0.badge = 1 },
    ]

    @Test(arguments: alerts + others)
    func `a property that differs is written to its key`(row: ChangeRow) throws {
        let changed = try aps(row.before, row.change)
        #expect(changed == row.after)
    }

    @Test(arguments: alerts + others)
    func `what was written reads back as the same property`(row: ChangeRow) throws {
        let again = content(aps: row.after).payload().payload.aps
        #expect(again == row.after)
        let twice = try aps(row.after, row.change)
        #expect(twice == row.after)
    }

    @Test func `a new content has only what was set`() {
        let content = UNMutableNotificationContent()
        #expect(content.payload().payload.object == [:])
        content.body = "b"
        #expect(content.payload().payload.object == ["aps": ["alert": ["body": "b"]]])
    }

    @Test func `userInfo is the base, its aps included`() {
        let content = UNMutableNotificationContent()
        content.userInfo = ["aps": ["thread-id": "old", "x": 1], "id": 7]
        content.title = "T"
        // The new content has no thread; that differs from what the key stands for.
        #expect(content.payload().payload.object == ["aps": ["alert": ["title": "T"], "x": 1], "id": 7])
    }

    @Test func `an aps that is no object gives way to a property`() throws {
        let mutable = try #require(content(["aps": "odd"]).mutableCopy() as? UNMutableNotificationContent)
        #expect(mutable.payload().payload.object == ["aps": "odd"])
        mutable.badge = 1
        #expect(mutable.payload().payload.object == ["aps": ["badge": 1]])
    }
}
