// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotifications

/// One row of the table of payload keys: an `aps`, and what a property says about it.
struct PayloadRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let aps: JSONObject
    let holds: @Sendable (UNNotificationContent) -> Bool

    init(_ name: String, _ aps: JSONObject, _ holds: @escaping @Sendable (UNNotificationContent) -> Bool) {
        testDescription = name
        self.aps = aps
        self.holds = holds
    }
}

/// Source: Apple, "Generating a remote notification", tables 1 and 2.
struct PayloadToContentTests {
    static let texts = [
        PayloadRow("a string is the body", ["alert": "Lunch?"]) {
            $0.body == "Lunch?" && $0.title.isEmpty && $0.subtitle.isEmpty
        },
        PayloadRow("title, subtitle, body", ["alert": ["title": "A", "subtitle": "B", "body": "C"]]) {
            $0.title == "A" && $0.subtitle == "B" && $0.body == "C"
        },
        PayloadRow("absent texts are empty", ["alert": ["title": "A"]]) { $0.subtitle.isEmpty && $0.body.isEmpty },
        PayloadRow("no alert", [:]) { $0.title.isEmpty && $0.subtitle.isEmpty && $0.body.isEmpty },
        PayloadRow("texts of the wrong kind", ["alert": ["title": 1, "body": nil]]) {
            $0.title.isEmpty && $0.body.isEmpty
        },
        PayloadRow("an alert of the wrong kind", ["alert": 7]) { $0.body.isEmpty },
        PayloadRow("localization keys are not texts", ["alert": ["loc-key": "K", "title-loc-key": "T"]]) {
            $0.title.isEmpty && $0.body.isEmpty
        },
        PayloadRow("launch image", ["alert": ["launch-image": "L.png"]]) { $0.launchImageName == "L.png" },
        PayloadRow("summary", ["alert": ["summary-arg": "Al", "summary-arg-count": 3]]) {
            $0.summaryArgument == "Al" && $0.summaryArgumentCount == 3
        },
        PayloadRow("summary count below 1", ["alert": ["summary-arg-count": 0]]) { $0.summaryArgumentCount == 1 },
        PayloadRow("no summary", ["alert": [:]]) { $0.summaryArgument.isEmpty && $0.summaryArgumentCount == 1 },
    ]

    static let badges = [
        PayloadRow("badge", ["badge": 5]) { $0.badge == 5 },
        PayloadRow("badge 0 removes", ["badge": 0]) { $0.badge == 0 },
        PayloadRow("badge 1.0 is 1", ["badge": 1.0]) { $0.badge == 1 },
        PayloadRow("badge absent", [:]) { $0.badge == nil },
        PayloadRow("badge boolean", ["badge": true]) { $0.badge == nil },
        PayloadRow("badge fraction", ["badge": 1.5]) { $0.badge == nil },
        PayloadRow("badge negative", ["badge": -1]) { $0.badge == nil },
        PayloadRow("badge text", ["badge": "3"]) { $0.badge == nil },
    ]

    static let sounds = [
        PayloadRow("sound default", ["sound": "default"]) { $0.sound == .default },
        PayloadRow("sound by name", ["sound": "bell.caf"]) {
            $0.sound == UNNotificationSound(named: UNNotificationSoundName("bell.caf"))
        },
        PayloadRow("sound absent", [:]) { $0.sound == nil },
        PayloadRow("sound empty", ["sound": ""]) { $0.sound == nil },
        PayloadRow("sound number", ["sound": 1]) { $0.sound == nil },
        PayloadRow("sound with a slash", ["sound": "../bell.caf"]) { $0.sound == .default },
        PayloadRow("sound with a control character", ["sound": "a\nb"]) { $0.sound == .default },
        PayloadRow("critical default", ["sound": ["critical": 1, "name": "default"]]) {
            $0.sound == .defaultCritical
        },
        PayloadRow("critical without a name", ["sound": ["critical": 1, "volume": 0.25]]) {
            $0.sound == .defaultCriticalSound(withAudioVolume: 0.25)
        },
        PayloadRow("critical volume is clamped", ["sound": ["critical": 1, "name": "a.caf", "volume": 7]]) {
            $0.sound == .criticalSoundNamed(UNNotificationSoundName("a.caf"), withAudioVolume: 1)
        },
        PayloadRow("critical volume below 0", ["sound": ["critical": 1, "volume": -1]]) {
            $0.sound == .defaultCriticalSound(withAudioVolume: 0)
        },
        PayloadRow("not critical: by name", ["sound": ["critical": 0, "name": "a.caf"]]) {
            $0.sound == UNNotificationSound(named: UNNotificationSoundName("a.caf"))
        },
        PayloadRow("not critical, no name", ["sound": ["volume": 0.5]]) { $0.sound == .default },
        PayloadRow("ringtone", ["sound": ["name": "r.caf", "ringtone": 1]]) {
            $0.sound == .ringtoneSoundNamed(UNNotificationSoundName("r.caf"))
        },
    ]

    static let others = [
        PayloadRow("thread", ["thread-id": "t"]) { $0.threadIdentifier == "t" },
        PayloadRow("no thread", [:]) { $0.threadIdentifier.isEmpty },
        PayloadRow("category", ["category": "c"]) { $0.categoryIdentifier == "c" },
        PayloadRow("no category", ["category": 3]) { $0.categoryIdentifier.isEmpty },
        PayloadRow("target", ["target-content-id": "w"]) { $0.targetContentIdentifier == "w" },
        PayloadRow("no target", [:]) { $0.targetContentIdentifier == nil },
        PayloadRow("passive", ["interruption-level": "passive"]) { $0.interruptionLevel == .passive },
        PayloadRow("active", ["interruption-level": "active"]) { $0.interruptionLevel == .active },
        PayloadRow("time-sensitive", ["interruption-level": "time-sensitive"]) {
            $0.interruptionLevel == .timeSensitive
        },
        PayloadRow("critical", ["interruption-level": "critical"]) { $0.interruptionLevel == .critical },
        PayloadRow("no level", [:]) { $0.interruptionLevel == .active },
        PayloadRow("unknown level", ["interruption-level": "urgent"]) { $0.interruptionLevel == .active },
        PayloadRow("relevance", ["relevance-score": 0.75]) { $0.relevanceScore == 0.75 },
        PayloadRow("relevance above 1", ["relevance-score": 4]) { $0.relevanceScore == 1 },
        PayloadRow("relevance below 0", ["relevance-score": -0.5]) { $0.relevanceScore == 0 },
        PayloadRow("no relevance", ["relevance-score": "high"]) { $0.relevanceScore == 0 },
        PayloadRow("filter", ["filter-criteria": "f"]) { $0.filterCriteria == "f" },
        PayloadRow("no filter", [:]) { $0.filterCriteria == nil },
        PayloadRow("no attachments", ["alert": "x"]) { $0.attachments.isEmpty },
    ]

    @Test(arguments: texts + badges + sounds + others)
    func `a payload key gives its property`(row: PayloadRow) {
        #expect(row.holds(content(aps: row.aps)))
    }

    @Test(arguments: texts + badges + sounds + others)
    func `an untouched content gives an equal payload`(row: PayloadRow) throws {
        let before: JSONObject = ["aps": .object(row.aps), "custom": ["deep": [1, nil, "x"]]]
        #expect(content(before).payload().payload.object == before)
        let rebuilt = try withUserInfoSet(content(before)).payload()
        #expect(rebuilt.payload.object == before)
        #expect(rebuilt.droppedPaths.isEmpty)
    }

    @Test func `a payload without aps has no text and survives`() {
        let content = content(["custom": 1])
        #expect(content.title.isEmpty && content.body.isEmpty)
        #expect(content.payload().payload.object == ["custom": 1])
    }
}
