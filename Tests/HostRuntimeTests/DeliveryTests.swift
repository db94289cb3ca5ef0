// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import NotificationPayload
import Testing

struct DeliveryTests {
    private static let record = DeliveryRecord(
        id: "2d9d",
        topic: "com.example.chat",
        identifier: "score",
        date: IncomingPush.received,
        outcome: .opened,
        payload: Payload(["aps": ["alert": "canary"]]),
        timings: .init(open: nil, extension: nil, total: .zero),
        worker: nil
    )

    @Test func `every sink gets the record, in order`() async {
        let journal = Journal<String>()
        let sinks = ["first", "second", "third"].map { RecordingSink($0, journal) }
        await Delivery(to: sinks, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }).deliver(Self.record)
        #expect(await journal.rest() == ["first 2d9d", "second 2d9d", "third 2d9d"])
    }

    @Test func `a sink that throws loses the record for itself alone, and the operator is told`() async {
        let journal = Journal<String>()
        let log = RecordingLog()
        let sinks: [any Sink] = [RecordingSink("first", journal, error: .full), RecordingSink("second", journal)]
        await Delivery(to: sinks, logger: Logger(label: "test") { _ in log }).deliver(Self.record)
        #expect(await journal.rest() == ["first 2d9d", "second 2d9d"])
        #expect(
            log.lines == [
                "error: record not delivered error=full push.id=2d9d push.topic=com.example.chat sink.name=first"
            ]
        )
    }

    @Test func `without a sink there is nothing to do`() async {
        let log = RecordingLog()
        await Delivery(to: [], logger: Logger(label: "test") { _ in log }).deliver(Self.record)
        #expect(log.lines.isEmpty)
    }
}

private enum SinkFailure: Error {
    case full
}

private struct RecordingSink: Sink {
    let name: String
    private let journal: Journal<String>
    private let error: SinkFailure?

    init(_ name: String, _ journal: Journal<String>, error: SinkFailure? = nil) {
        self.name = name
        self.journal = journal
        self.error = error
    }

    func deliver(_ record: DeliveryRecord) async throws {
        journal.note("\(name) \(record.id)")
        if let error { throw error }
    }
}

/// Keeps each message as one line with its metadata, sorted by key.
private final class RecordingLog: LogHandler {
    private let kept = Locked<[String]>([])

    var lines: [String] { kept.withLock { $0 } }
    var logLevel: Logger.Level {
        get { .trace }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.MetadataValue? {
        get { nil }
        set {}
    }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }
        kept.withLock { $0.append("\(event.level): \(event.message)" + metadata.joined()) }
    }
}
