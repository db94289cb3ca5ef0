// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Store
import TestClock

/// A state folder that goes with the test, and the journals opened in it one after another.
final class StateFolder {
    let path: String
    let clock = ManualClock()

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    var database: String { "\(path)/journal.sqlite" }

    func journal(_ limits: JournalLimits = JournalLimits(), isDurable: Bool = true) throws -> Journal {
        try Journal(folder: path, isDurable: isDurable, clock: HostClock(clock), limits: limits)
    }
}

extension Journal {
    /// The name under which the push of a number is delivered.
    func delivered(as number: Int64) -> DeliveryName { DeliveryName(store: name, count: number) }

    /// Takes all that are not known.
    @discardableResult
    func accept(_ pushes: [IncomingPush]) throws -> [Arrival] {
        var work = JournalWork()
        work.arrivals = pushes
        return try commit(work) { _ in true }
    }

    func conclude(_ numbers: [Int64], record: [UInt8]? = nil, token: String = "00", sinks: [String] = []) throws {
        var work = JournalWork()
        work.conclusions = numbers.map { Conclusion(number: $0, record: record, deviceToken: token, sinks: sinks) }
        _ = try commit(work) { _ in true }
    }

    func settle(_ sink: String, _ number: Int64, _ verdict: Settlement.Verdict) throws {
        var work = JournalWork()
        work.settlements = [Settlement(sink: sink, number: number, verdict: verdict)]
        _ = try commit(work) { _ in true }
    }
}

extension IncomingPush {
    static let received = Date(timeIntervalSince1970: 1_795_230_000.125)

    /// One with its own id and body.
    static func sample(
        _ seed: Int,
        id: String? = nil,
        device: String = "00",
        topic: String = "com.example.chat",
        owner: String = OwnedApp.onlyOwner,
        collapseID: String? = nil,
        sealed: String? = nil,
        expiration: Date? = nil,
        isKept: Bool = true,
        received: Date = received,
        sender: PushSender? = nil,
        refusesOtherBody: Bool = false
    ) throws -> IncomingPush {
        let sealing = sealed.map { #","encrypted-content":"\#($0)""# } ?? ""
        let body = Array(#"{"aps":{"alert":"text \#(seed)","mutable-content":1}\#(sealing)}"#.utf8)
        return IncomingPush(
            id: id ?? String(format: "00000000-0000-4000-8000-%012d", seed),
            deviceToken: device,
            topic: topic,
            owner: owner,
            expiration: expiration,
            isKept: isKept,
            collapseID: collapseID,
            payload: try Payload(parsing: body.span),
            body: body,
            payloadByteCount: body.count,
            receivedAt: received,
            sender: sender,
            refusesOtherBody: refusesOtherBody
        )
    }
}
