// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import Glibc
import HostRuntime
import Locking
import Logging
import NotificationPayload

/// A host of a fleet in a process of its own, to be killed: pushes come in as lines, what happens goes out as lines.
///
///     fleet-probe NAME CONNINFO LEASE_MILLISECONDS
///
/// In: `push OFFER ID TOKEN CONTENT ALERT TOPIC`, `drain`. Out: `answer OFFER yes|no`, `opened CONTENT NAME`,
/// `recorded ID NAME PLACE TIME`, where TIME is the monotonic clock's in nanoseconds. The extension takes up to five
/// milliseconds, and the one remote sink writes the record's line.
@main
enum FleetProbe {
    private static let output = Locked(())

    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        // One write, so that a kill leaves whole lines.
        output.withLock { _ in _ = write(1, bytes, bytes.count) }
    }

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let lease = Int(arguments[3]) else { exit(64) }
        let clock = HostClock(ContinuousClock())
        let deadlines = DeadlineQueue(clock: clock)
        let logger = Logger(label: "fleet-probe") { StreamLogHandler.standardError(label: $0) }
        var settings = FleetHost.Settings(
            member: FleetMember(host: arguments[1], version: "1", lease: .milliseconds(lease)),
            keys: FleetKeys(sealing: [UInt8](repeating: 7, count: 32))
        )
        (settings.rules.patience, settings.rules.courtesy) = (.zero, .zero)
        settings.rules.movingAtOnce = 1024
        let conninfo = arguments[2]
        let host = FleetHost(
            settings,
            outbox: OneSink(),
            clock: clock,
            deadlines: deadlines,
            logger: logger
        ) { () throws(FleetError) in try FleetDatabase(conninfo) }
        let sender = OutboxSender(
            sink: LineSink(),
            journal: host.outbox,
            settle: { await host.queue.settle($0) },
            clock: clock,
            logger: logger
        )
        host.onRecordsStored { sender.wake() }
        Thread.detachNewThread { listen(host) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await deadlines.run() }
            group.addTask { await host.queue.maintain() }
            group.addTask { await host.queue.run { await conclude($0, host) } }
            group.addTask { await sender.run() }
            await host.run()
            group.cancelAll()
            // A settlement that cannot be written is let go with this.
            await host.queue.end()
        }
        host.close()
    }

    private static func listen(_ host: FleetHost) {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "push" where words.count == 7: accept(words, host)
            case "drain": host.drain()
            default: exit(65)
            }
        }
        // Whoever started it is gone.
        exit(0)
    }

    private static func accept(_ words: [String], _ host: FleetHost) {
        let payload: JSONObject = ["aps": ["alert": .string(words[5])], "encrypted-content": .string(words[4])]
        let body = payload.serialized
        let push = IncomingPush(
            id: words[2],
            deviceToken: words[3],
            topic: words[6],
            payload: Payload(payload),
            body: body,
            payloadByteCount: body.count,
            receivedAt: Date()
        )
        host.queue.accept([push]) { _, answers in
            say("answer \(words[1]) \(answers.first?.isAcceptance == true ? "yes" : "no")")
        }
    }

    private static func conclude(_ push: IncomingPush, _ host: FleetHost) async -> Conclusion? {
        guard let part = Partition(push.partition), let number = push.number, let name = push.delivery else {
            return nil
        }
        let content = push.payload.encryptedContent?.string ?? "?"
        let mark = OpenedMark(
            place: PushPlace(part, number),
            id: Array((content + String(repeating: " ", count: 16)).utf8.prefix(16)),
            expiry: Int64(Date().timeIntervalSince1970) + 3600
        )
        switch await host.openings.remember(mark) {
        case .own: say("opened \(content) \(name)")
        case .replay: break
        case .over: return nil
        }
        try? await Task.sleep(for: .microseconds(Int.random(in: 0..<5000)))
        if Task.isCancelled { return nil }
        return Conclusion(
            number: number,
            record: Array(push.id.utf8),
            deviceToken: push.deviceToken,
            sinks: ["line"]
        )
    }
}

private struct OneSink: Outbox {
    func sinks(taking topic: String) -> [String] { ["line"] }
}

/// Writes a line for each record, and fails one time in fifty, before it does or after.
private struct LineSink: RemoteSink {
    let name = "line"

    func send(_ record: OutboxRecord) async -> Sending {
        let chance = Int.random(in: 0..<100)
        if chance == 0 { return .failed(reason: "by chance", after: nil) }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let nanoseconds = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        FleetProbe.say(
            "recorded \(String(decoding: record.record, as: UTF8.self)) \(record.delivery) \(record.number) \(nanoseconds)"
        )
        return chance == 1 ? .failed(reason: "by chance, after all", after: nil) : .delivered
    }
}
