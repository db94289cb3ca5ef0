// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload
import Sinks
import Testing

struct StdoutSinkTests {
    private func record(_ index: Int, text: String = "Lunch?") -> DeliveryRecord {
        DeliveryRecordJSONTests.record(identifier: "\(index)", text: text)
    }

    private func identifiers(_ lines: [String]) throws -> [String] {
        try lines.map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["identifier"] as? String ?? "none"
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a record is one line, written when deliver returns`() async throws {
        let pipe = TestPipe()
        let sink = StdoutSink(descriptor: pipe.writing)
        try await sink.deliver(record(1))
        #expect(pipe.readAvailable() == String(decoding: record(1).json.serialized, as: UTF8.self) + "\n")
        #expect(sink.name == "stdout")
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `lines come whole and in order through a slow reader`(_ isNonBlocking: Bool) async throws {
        let pipe = TestPipe()
        // Lines longer than the pipe, so that each takes several writes and the writer has to wait for room.
        let text = String(repeating: "ü", count: 100_000)
        if isNonBlocking { pipe.makeWritingNonBlocking() }
        let sink = StdoutSink(descriptor: pipe.writing)
        async let lines = pipe.readToEnd()
        for index in 0..<10 { try await sink.deliver(record(index, text: text)) }
        pipe.closeWriting()
        #expect(try identifiers(await lines) == (0..<10).map { "\($0)" })
    }

    @Test(.timeLimit(.minutes(5))) func `many callers at once do not mix their lines`() async throws {
        let pipe = TestPipe()
        let sink = StdoutSink(descriptor: pipe.writing)
        async let lines = pipe.readToEnd()
        try await withThrowingTaskGroup { group in
            for index in 0..<2000 { group.addTask { try await sink.deliver(record(index)) } }
            try await group.waitForAll()
        }
        pipe.closeWriting()
        #expect(try Set(identifiers(await lines)) == Set((0..<2000).map { "\($0)" }))
    }

    @Test(.timeLimit(.minutes(5))) func `records that wait leave together, in the order they came`() async throws {
        let pipe = TestPipe()
        let filler = pipe.fill()
        let sink = StdoutSink(descriptor: pipe.writing)
        let deliveries = try await withThrowingTaskGroup { group in
            // The first stands in the full pipe; the others gather behind it, one starting the next.
            for index in 0..<20 {
                let started = AsyncStream<Void>.makeStream()
                group.addTask {
                    started.continuation.finish()
                    try await sink.deliver(record(index))
                }
                for await _ in started.stream {}
            }
            async let all = pipe.readToEnd(after: filler)
            try await group.waitForAll()
            pipe.closeWriting()
            return await all
        }
        #expect(try Set(identifiers(deliveries)).count == 20)
    }

    @Test(.timeLimit(.minutes(5))) @MainActor
    func `records that conclude in one turn of their thread leave in one write`() async throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        let sink = StdoutSink(descriptor: ends[0])
        let deliveries = (0..<20).map { index in
            let record = record(index)
            return Task { @MainActor in try await sink.deliver(record) }
        }
        for delivery in deliveries { try await delivery.value }
        var packet = [UInt8](repeating: 0, count: 64 << 10)
        let count = recv(ends[1], &packet, packet.count, Int32(MSG_DONTWAIT))
        let lines = String(decoding: packet.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").map(
            String.init
        )
        #expect(try identifiers(lines) == (0..<20).map { "\($0)" })
    }

    @Test(.timeLimit(.minutes(5))) func `a file takes lines too`() async throws {
        let path = NSTemporaryDirectory() + "records-\(UUID().uuidString)"
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer {
            close(file)
            unlink(path)
        }
        let sink = StdoutSink(descriptor: file)
        for index in 0..<3 { try await sink.deliver(record(index)) }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
        #expect(try identifiers(lines) == ["0", "1", "2"])
    }

    @Test(.timeLimit(.minutes(5))) func `a reader that is gone is an error with the sink's name, and stays one`()
        async throws
    {
        let pipe = TestPipe()
        let sink = StdoutSink(name: "records", descriptor: pipe.writing)
        try await sink.deliver(record(1))
        pipe.closeReading()
        let gone = SinkError(.readerGone, sink: "records", "sink \"records\": its reader is gone")
        await #expect(throws: gone) { try await sink.deliver(record(2)) }
        await #expect(throws: gone) { try await sink.deliver(record(3)) }
        #expect("\(gone)" == "sink \"records\": its reader is gone")
    }

    @Test(.timeLimit(.minutes(5))) func `a reader that goes while a line waits fails that line`() async throws {
        let pipe = TestPipe()
        let sink = StdoutSink(descriptor: pipe.writing)
        async let delivery: Void = sink.deliver(record(1, text: String(repeating: "a", count: 200_000)))
        _ = await pipe.readSome()
        pipe.closeReading()
        let result: Result<Void, any Error>
        do { result = .success(try await delivery) } catch { result = .failure(error) }
        #expect(throws: SinkError(.readerGone, sink: "stdout", "sink \"stdout\": its reader is gone")) {
            try result.get()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [false, true])
    func `a cancelled call waits for no reader; its line is out whole or not at all`(_ isNonBlocking: Bool) async throws
    {
        let pipe = TestPipe()
        if isNonBlocking { pipe.makeWritingNonBlocking() }
        let sink = StdoutSink(descriptor: pipe.writing)
        let (long, short, last) = (record(1, text: String(repeating: "a", count: 200_000)), record(2), record(3))
        let begun = Task { try await sink.deliver(long) }
        let start = await pipe.readSome()
        begun.cancel()
        await #expect(throws: CancellationError.self) { try await begun.value }
        // Behind a line that is half in the pipe.
        let behind = Task { try await sink.deliver(short) }
        behind.cancel()
        await #expect(throws: CancellationError.self) { try await behind.value }
        async let delivered: Void = sink.deliver(last)
        async let rest = pipe.readToEnd()
        try await delivered
        pipe.closeWriting()
        var lines = await rest
        lines[0] = start + lines[0]
        #expect(try identifiers(lines) == ["1", "3"])
    }

    @Test(.timeLimit(.minutes(5))) func `a descriptor that cannot be written to is named`() async throws {
        let pipe = TestPipe()
        let sink = StdoutSink(descriptor: pipe.reading)
        let message = "sink \"stdout\": cannot write: Bad file descriptor"
        await #expect(throws: SinkError(.writeFailed(errno: EBADF), sink: "stdout", message)) {
            try await sink.deliver(record(1))
        }
    }

    @Test(arguments: [false, true])
    func `a gone reader does not kill the process, whatever it does about SIGPIPE`(ignores: Bool) async {
        await #expect(processExitsWith: .success) { [ignores] in
            signal(SIGPIPE, ignores ? SIG_IGN : SIG_DFL)
            let pipe = TestPipe()
            pipe.closeReading()
            let sink = StdoutSink(descriptor: pipe.writing)
            do {
                try await sink.deliver(DeliveryRecordJSONTests.record())
                exit(1)
            } catch {
                exit((error as? SinkError)?.code == .readerGone ? 0 : 1)
            }
        }
    }
}
