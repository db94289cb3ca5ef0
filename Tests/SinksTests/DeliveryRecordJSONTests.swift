// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Testing

struct DeliveryRecordJSONTests {
    static func record(
        _ outcome: Outcome = .modified(late: false),
        identifier: String = "chat-1",
        text: String = "Lunch?",
        owner: String = OwnedApp.onlyOwner,
        pushType: PushType = .alert,
        sender: PushSender? = nil,
        worker: WorkerUse? = WorkerUse(pid: 4242, fresh: false, peakMemoryByteCount: 3_145_728, sandbox: "A1")
    ) -> DeliveryRecord {
        DeliveryRecord(
            id: "00000000-0000-4000-8000-000000000001",
            topic: "com.example.chat",
            owner: owner,
            pushType: pushType,
            sender: sender,
            identifier: identifier,
            date: Date(timeIntervalSince1970: 1_795_230_000.125),
            outcome: outcome,
            payload: Payload(["aps": ["alert": ["title": "Alice", "body": .string(text)]]]),
            timings: .init(
                open: .microseconds(61),
                wait: .microseconds(12),
                extension: .microseconds(240),
                total: .microseconds(410)
            ),
            worker: worker
        )
    }

    private func text(_ record: DeliveryRecord) -> String {
        String(decoding: record.json.serialized, as: UTF8.self)
    }

    /// Source: docs/records.md, "Outcomes".
    @Test func `a record reads as documented, key by key`() {
        #expect(
            text(Self.record())
                == #"{"id":"00000000-0000-4000-8000-000000000001","topic":"com.example.chat","identifier":"chat-1","#
                + #""date":"2026-11-21T03:00:00.125Z","outcome":"modified","reason":null,"late":false,"#
                + #""payload":{"aps":{"alert":{"title":"Alice","body":"Lunch?"}}},"#
                + #""timings":{"openMicroseconds":61,"waitMicroseconds":12,"extensionMicroseconds":240,"#
                + #""totalMicroseconds":410},"#
                + #""worker":{"pid":4242,"fresh":false,"peakMemoryBytes":3145728,"sandbox":"A1"}}"#
        )
    }

    @Test func `the owner stands in front, unless it is the only one`() {
        let record = text(Self.record(owner: "maria"))
        #expect(record.hasPrefix(#"{"owner":"maria","id":"00000000-0000-4000-8000-000000000001","topic":"#))
    }

    @Test func `the type of a push stands in it unless it is an alert`() {
        #expect(text(Self.record(pushType: .background)).contains(#","late":false,"pushType":"background","payload":"#))
    }

    @Test(arguments: [
        (PushSender.key("ABC123DEFG", team: "DEF123GHIJ"), #"{"team":"DEF123GHIJ","key":"ABC123DEFG"}"#),
        (.certificate("00ff"), #"{"certificate":"00ff"}"#), (.applicationServer("BA_x"), #"{"vapid":"BA_x"}"#),
        (.user(1000), #"{"user":1000}"#),
    ])
    func `who sent it stands in it, if anybody asked`(_ sender: PushSender, _ json: String) {
        #expect(text(Self.record(sender: sender)).contains(#","late":false,"sender":\#(json),"payload":"#))
        #expect(PushSender(sender.json) == sender)
    }

    @Test func `what did not run is null`() {
        var record = Self.record(.original(.notMutable), worker: nil)
        record = DeliveryRecord(
            id: record.id,
            topic: record.topic,
            identifier: record.identifier,
            date: record.date,
            outcome: record.outcome,
            payload: record.payload,
            timings: .init(open: nil, extension: nil, total: .microseconds(5)),
            worker: nil
        )
        #expect(
            record.json["timings"]
                == [
                    "openMicroseconds": nil, "waitMicroseconds": nil, "extensionMicroseconds": nil,
                    "totalMicroseconds": 5,
                ]
        )
        #expect(record.json["worker"] == .null)
        #expect(record.json["reason"] == "notMutable")
        let use = WorkerUse(pid: 1, fresh: true, peakMemoryByteCount: nil)
        #expect(
            Self.record(worker: use).json["worker"]
                == ["pid": 1, "fresh": true, "peakMemoryBytes": nil, "sandbox": nil]
        )
    }

    static let outcomes: [(Outcome, String, JSON, Bool, JSON?)] = [
        (.modified(late: false), "modified", nil, false, nil),
        (.modified(late: true), "modified", nil, true, nil),
        (.opened, "opened", nil, false, nil),
        (.suppressed(.filtered), "suppressed", "filtered", false, nil),
        (.suppressed(.expired), "suppressed", "expired", false, nil),
        (.original(.refused(.notOpened)), "original", "notOpened", false, nil),
        (.original(.openerUnavailable), "original", "openerUnavailable", false, nil),
        (.original(.emptyContent), "original", "emptyContent", false, nil),
        (.original(.failed(.budgetExceeded)), "original", "budgetExceeded", false, nil),
        (.original(.failed(.noWorker)), "original", "noWorker", false, nil),
        (.original(.failed(.otherOwner)), "original", "otherOwner", false, nil),
        (.original(.failed(.crashed(signal: 11))), "original", "crashed", false, 11),
    ]

    @Test func `an outcome has its name, reason, lateness and signal`() {
        for (outcome, name, reason, late, signal) in Self.outcomes {
            let json = Self.record(outcome).json
            #expect(json["outcome"] == .string(name))
            #expect(json["reason"] == reason)
            #expect(json["late"] == .bool(late))
            #expect(json["signal"] == signal)
        }
    }
}
