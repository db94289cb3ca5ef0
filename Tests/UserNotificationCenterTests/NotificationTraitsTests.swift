// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing
import UserNotificationCenter

/// The traits of a notification, read from its payload.
struct NotificationTraitsTests {
    private static func traits(_ aps: JSONObject) -> NotificationTraits {
        NotificationTraits(Payload(["aps": .object(aps)]))
    }

    @Test(
        arguments: [[:], ["aps": [:]], ["aps": 1], ["aps": nil], ["aps": ["alert": nil, "badge": "1", "sound": 7]]]
            as [JSONObject]
    )
    func `without values each trait has its default`(payload: JSONObject) {
        let traits = NotificationTraits(Payload(payload))
        #expect(!traits.hasAlert && traits.level == .active && traits.sound == nil && traits.badge == nil)
        #expect(traits.thread == nil && traits.category == nil && traits.summaryArgument == nil)
        #expect(traits.summaryArgumentCount == 1 && traits.relevanceScore == 0)
    }

    @Test(
        arguments: [
            (nil, .active), ("passive", .passive), ("active", .active), ("time-sensitive", .timeSensitive),
            ("critical", .critical), ("timeSensitive", .active), ("Critical", .active), ("", .active), (3, .active),
            (nil as JSON?, .active),
        ] as [(JSON?, InterruptionLevel)]
    )
    func `a level is one of Apple's four words, and anything else is active`(value: JSON?, level: InterruptionLevel) {
        var aps: JSONObject = ["alert": "Hi"]
        aps["interruption-level"] = value
        #expect(Self.traits(aps).level == level)
    }

    @Test func `a critical sound without a level is critical, and with one it has that one`() {
        #expect(Self.traits(["sound": ["critical": 1]]).level == .critical)
        #expect(Self.traits(["sound": ["critical": 1], "interruption-level": "passive"]).level == .passive)
        #expect(Self.traits(["sound": ["critical": 0]]).level == .active)
    }

    @Test(
        arguments: [
            ("default", RequestedSound()), ("", nil), (.null, nil), (1, nil), (true, nil), (["a.wav"], nil),
            ("chime.wav", RequestedSound(name: "chime.wav")), ("../chime.wav", RequestedSound()),
            ("a\u{1}b", RequestedSound()), ("a\u{85}b", RequestedSound()), (.object([:]), RequestedSound()),
            (.object(["name": "chime.wav"]), RequestedSound(name: "chime.wav")),
            (.object(["critical": 1, "name": "default"]), RequestedSound(kind: .critical)),
            (
                .object(["critical": 1, "name": "alarm.wav", "volume": 0.5]),
                RequestedSound(kind: .critical, name: "alarm.wav", volume: 0.5)
            ),
            (.object(["critical": 1, "volume": 7]), RequestedSound(kind: .critical)),
            (.object(["critical": 1, "volume": -1]), RequestedSound(kind: .critical, volume: 0)),
            (.object(["critical": true, "volume": 0.1]), RequestedSound()),
            (
                .object(["ringtone": 1, "name": "ring.m4a", "volume": 0.1]),
                RequestedSound(kind: .ringtone, name: "ring.m4a")
            ),
        ] as [(JSON, RequestedSound?)]
    )
    func `a sound is a name or an object`(value: JSON, sound: RequestedSound?) {
        #expect(Self.traits(["sound": value]).sound == sound)
    }

    @Test(
        arguments: [
            (nil, nil), (0, 0), (1, 1), (-1, nil), (1.5, nil), (2.0, 2), ("1", nil), (true, nil),
            (2_147_483_647, 2_147_483_647), (2_147_483_648, 2_147_483_647), (.integer(.max), 2_147_483_647),
            (.integer(.min), nil), (1e300, nil),
        ] as [(JSON?, Int?)]
    )
    func `a badge is a whole number from 0 to 2³¹−1`(value: JSON?, badge: Int?) {
        var aps: JSONObject = [:]
        aps["badge"] = value
        #expect(Self.traits(aps).badge == badge)
    }

    @Test(
        arguments: [
            (nil, 1), (0, 1), (-7, 1), (3, 3), ("3", 1), (.integer(.max), 2_147_483_647), (.integer(.min), 1), (2.5, 1),
        ] as [(JSON?, Int)]
    )
    func `a summary count is never 0`(value: JSON?, count: Int) {
        var alert: JSONObject = ["body": "Hi", "summary-arg": "Alice"]
        alert["summary-arg-count"] = value
        let traits = Self.traits(["alert": .object(alert)])
        #expect(traits.summaryArgumentCount == count)
        #expect(traits.summaryArgument == "Alice")
    }

    @Test(arguments: [(0.5, 0.5), (-1, 0), (7, 1), (1, 1), ("1", 0)] as [(JSON, Double)])
    func `a relevance is brought into 0 to 1`(value: JSON, score: Double) {
        #expect(Self.traits(["relevance-score": value]).relevanceScore == score)
    }

    @Test func `empty names are none`() {
        let traits = Self.traits(["thread-id": "", "category": "", "alert": ["summary-arg": ""]])
        #expect(traits.thread == nil && traits.category == nil && traits.summaryArgument == nil)
        let named = Self.traits(["thread-id": "t", "category": "c"])
        #expect(named.thread == "t" && named.category == "c")
    }

    @Test func `a category's name has at most 256 bytes, and a thread any number`() {
        let longest = String(repeating: "é", count: 128)
        #expect(Self.traits(["category": .string(longest)]).category == longest)
        #expect(Self.traits(["category": .string(longest + "a")]).category == nil)
        #expect(Self.traits(["thread-id": .string(longest + "a")]).thread == longest + "a")
    }

    @Test(
        arguments: [
            ("Hi", true), ("", false), (["title": "Hi"], true), (["subtitle": "Hi"], true), (["loc-key": "k"], true),
            (["title": "", "body": ""], false), (["summary-arg": "Alice"], false), (7, false),
        ] as [(JSON, Bool)]
    )
    func `an alert is something to read`(alert: JSON, hasAlert: Bool) {
        let payload = Payload(["aps": ["alert": alert]])
        #expect(NotificationTraits(payload).hasAlert == hasAlert)
        #expect(NotificationTraits(payload, hasAttachments: true).hasAlert)
    }

    @Test func `levels have Apple's numbers`() {
        #expect(InterruptionLevel.allCases.map(\.rawValue) == [0, 1, 2, 3])
    }
}
