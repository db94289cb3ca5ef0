// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Testing

/// Source: docs/records.md, "Outcomes".
struct DeliveryRecordTests {
    private static func record(
        _ outcome: Outcome,
        remark: DeliveryRecord.Remark? = nil,
        timings: DeliveryRecord.Timings = .init(open: nil, extension: nil, total: .microseconds(410)),
        worker: WorkerUse? = nil
    ) -> DeliveryRecord {
        DeliveryRecord(
            id: "2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0",
            topic: "com.example.chat",
            identifier: "score",
            date: IncomingPush.received,
            outcome: outcome,
            remark: remark,
            payload: Payload(["aps": ["alert": "Hi"]]),
            timings: timings,
            worker: worker
        )
    }

    private static func text(_ record: DeliveryRecord) -> String {
        String(decoding: record.json.serialized, as: UTF8.self)
    }

    @Test func `a full record is written as documented`() {
        let record = Self.record(
            .modified(late: false),
            timings: .init(
                open: .microseconds(61),
                wait: .microseconds(12),
                extension: .microseconds(240),
                total: .microseconds(410)
            ),
            worker: WorkerUse(pid: 4242, fresh: false, peakMemoryByteCount: 3_145_728, sandbox: "A1")
        )
        #expect(
            Self.text(record) == #"{"id":"2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0","topic":"com.example.chat","#
                + #""identifier":"score","date":"2026-11-21T03:00:00.123Z","outcome":"modified","reason":null,"#
                + #""late":false,"payload":{"aps":{"alert":"Hi"}},"timings":{"openMicroseconds":61,"#
                + #""waitMicroseconds":12,"extensionMicroseconds":240,"totalMicroseconds":410},"#
                + #""worker":{"pid":4242,"fresh":false,"peakMemoryBytes":3145728,"sandbox":"A1"}}"#
        )
    }

    @Test func `what did not happen is null`() {
        #expect(
            Self.text(Self.record(.original(.notMutable)))
                == #"{"id":"2d9d0e4b-1c80-4b52-a1b5-5a0b4ea0d1c0","topic":"com.example.chat","#
                + #""identifier":"score","date":"2026-11-21T03:00:00.123Z","outcome":"original","#
                + #""reason":"notMutable","late":false,"payload":{"aps":{"alert":"Hi"}},"#
                + #""timings":{"openMicroseconds":null,"waitMicroseconds":null,"extensionMicroseconds":null,"#
                + #""totalMicroseconds":410},"#
                + #""worker":null}"#
        )
    }

    @Test(
        arguments: [
            (.modified(late: false), "modified", nil), (.modified(late: true), "modified", nil),
            (.opened, "opened", nil), (.original(.notMutable), "original", "notMutable"),
            (.original(.noExtension), "original", "noExtension"),
            (.original(.openerUnavailable), "original", "openerUnavailable"),
            (.original(.emptyContent), "original", "emptyContent"),
            (.original(.failed(.timeWillExpireIgnored)), "original", "timeWillExpireIgnored"),
            (.original(.failed(.budgetExceeded)), "original", "budgetExceeded"),
            (.original(.failed(.crashed(signal: 11))), "original", "crashed"),
            (.original(.failed(.memoryLimitExceeded)), "original", "memoryLimitExceeded"),
            (.original(.failed(.exitedEarly)), "original", "exitedEarly"),
            (.original(.failed(.protocolViolation)), "original", "protocolViolation"),
            (.original(.failed(.launchFailed)), "original", "launchFailed"),
            (.original(.failed(.noWorker)), "original", "noWorker"),
            (.original(.failed(.otherOwner)), "original", "otherOwner"),
            (.suppressed(.filtered), "suppressed", "filtered"), (.suppressed(.expired), "suppressed", "expired"),
        ] as [(Outcome, String, String?)]
    )
    func `an outcome has its name and reason`(outcome: Outcome, name: String, reason: String?) {
        let json = Self.record(outcome).json
        #expect(json["outcome"] == .string(name))
        #expect(json["reason"] == reason.map(JSON.string) ?? .null)
        #expect(json["late"] == .bool(outcome == .modified(late: true)))
    }

    @Test func `a refusal goes by the opener's name for it`() {
        let names = OpenRefusal.allCases.map { Self.record(.original(.refused($0))).json["reason"]?.string ?? "" }
        #expect(
            names == [
                "malformedText", "tooShort", "tooLarge", "unsupportedVersion", "unknownFlags", "unknownKey",
                "unknownSender", "formatNotAccepted", "senderRequired", "contextMissing", "notOpened", "expired",
                "issuedInFuture", "replayed", "badContent",
            ]
        )
    }

    @Test(
        arguments: [
            (.opened, "sealed to a retired key"), (.modified(late: true), "sealed to a retired key"),
            (.original(.failed(.budgetExceeded)), "budgetExceeded"), (.suppressed(.filtered), "filtered"),
        ] as [(Outcome, JSON)]
    )
    func `a retired key is the reason of an outcome that needs none`(outcome: Outcome, reason: JSON) {
        #expect(Self.record(outcome, remark: .retiredKey).json["reason"] == reason)
    }

    @Test func `a signal stands only beside a crash`() {
        #expect(Self.record(.original(.failed(.crashed(signal: 11)))).json["signal"] == 11)
        #expect(Self.record(.original(.failed(.exitedEarly))).json["signal"] == nil)
        #expect(Self.record(.opened).json["signal"] == nil)
    }

    @Test func `a memory beyond 64 bits is the largest there is`() {
        let use = WorkerUse(pid: 1, fresh: true, peakMemoryByteCount: .max)
        #expect(Self.record(.opened, worker: use).json["worker"]?.object?["peakMemoryBytes"] == .integer(.max))
    }

    @Test func `a line break in any text stays inside the line`() throws {
        let record = DeliveryRecord(
            id: "a\nb",
            topic: "t\r\u{1}",
            identifier: "i\"\\",
            date: IncomingPush.received,
            outcome: .opened,
            payload: Payload(["a\n": "b\n"]),
            timings: .init(open: nil, extension: nil, total: .zero),
            worker: nil
        )
        let bytes = record.json.serialized
        #expect(!bytes.contains { $0 < 0x20 })
        let read = try JSONObject(parsing: bytes.span)
        #expect(read == record.json)
    }
}
