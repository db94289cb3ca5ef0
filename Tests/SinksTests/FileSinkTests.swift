// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging
import NotificationPayload
import Sinks
import TestClock
import Testing

@Suite(.timeLimit(.minutes(5)))
struct FileSinkTests {
    private let clock = ManualClock()
    private let folder: String
    private var path: String { folder + "/records.ndjson" }
    /// MNT_DETACH, which Swift does not see.
    private let lazily: Int32 = 2

    init() throws {
        folder = NSTemporaryDirectory() + "file-sink-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    private func sink(_ path: String? = nil, synchronises: Bool = true) throws -> FileSink {
        try FileSink(
            path: path ?? self.path,
            synchronises: synchronises,
            clock: HostClock(clock),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private func record(_ index: Int, text: String = "Lunch?") -> DeliveryRecord {
        DeliveryRecordJSONTests.record(identifier: "\(index)", text: text)
    }

    private func identifiers(_ path: String? = nil) throws -> [String] {
        let text = try String(contentsOfFile: path ?? self.path, encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["identifier"] as? String ?? "none"
        }
    }

    private func end() { try? FileManager.default.removeItem(atPath: folder) }

    @Test(arguments: [true, false]) func `a record is in the file when deliver returns`(
        _ synchronises: Bool
    ) async throws {
        defer { end() }
        let sink = try sink(synchronises: synchronises)
        for index in 0..<3 {
            try await sink.deliver(record(index))
            #expect(try identifiers() == (0...index).map { "\($0)" })
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test func `many callers at once do not mix their lines`() async throws {
        defer { end() }
        let sink = try sink()
        try await withThrowingTaskGroup { group in
            for index in 0..<500 { group.addTask { try await sink.deliver(record(index)) } }
            try await group.waitForAll()
        }
        #expect(try Set(identifiers()) == Set((0..<500).map { "\($0)" }))
    }

    @Test func `a file that was renamed is followed by a new one`() async throws {
        defer { end() }
        let sink = try sink()
        try await sink.deliver(record(1))
        try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
        try await sink.deliver(record(2))
        #expect(try identifiers(path + ".1") == ["1"])
        #expect(try identifiers() == ["2"])
    }

    @Test func `what was there stays, and a torn line gets its end`() async throws {
        defer { end() }
        try Data(#"{"identifier":"0"}"#.utf8 + Data("\n{\"identi".utf8)).write(to: URL(fileURLWithPath: path))
        try await sink().deliver(record(1))
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines[1] == "{\"identi")
        #expect(lines[2].hasSuffix("}"))
    }

    @Test func `what is no regular file is refused, with the reason`() throws {
        defer { end() }
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
        let link = SinkError(
            .writeFailed(errno: ELOOP),
            sink: "file",
            "sink \"file\": cannot write: Too many levels of symbolic links"
        )
        #expect(throws: link) { try sink() }
        let device = SinkError(
            .writeFailed(errno: EINVAL),
            sink: "file",
            "sink \"file\": cannot write: Invalid argument"
        )
        #expect(throws: device) { try sink("/dev/null") }
    }

    /// A file system of one page, of which a line is longer than what is left.
    @Test(.enabled(if: getuid() == 0, "needs root: it mounts"))
    func `a full disk holds records back, whole, and loses none`() async throws {
        defer { end() }
        let disk = folder + "/disk"
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
        try #require(mount("tmpfs", disk, "tmpfs", 0, "size=64k") == 0)
        defer { umount2(disk, lazily) }
        let file = disk + "/records.ndjson"
        try Data(count: 56 << 10).write(to: URL(fileURLWithPath: disk + "/filler"))
        let sink = try sink(file)
        try await sink.deliver(record(1))
        async let second: Void = sink.deliver(record(2, text: String(repeating: "a", count: 20_000)))
        await clock.sleeper(until: .seconds(1))
        #expect(try identifiers(file) == ["1"])
        clock.advance(to: .seconds(1))
        await clock.sleeper(until: .seconds(2))
        try FileManager.default.removeItem(atPath: disk + "/filler")
        clock.advance(to: .seconds(2))
        try await second
        #expect(try identifiers(file) == ["1", "2"])
    }

    @Test func `a call that is cancelled while nothing can be written says so`() async throws {
        defer { end() }
        let sink = try sink()
        try await sink.deliver(record(1))
        // Where the file should be there is a folder now.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let delivery = Task { try await sink.deliver(record(2)) }
        await clock.sleeper(until: .seconds(1))
        delivery.cancel()
        await #expect(throws: CancellationError.self) { try await delivery.value }
    }

    @Test func `at the end of the host nobody waits`() async throws {
        defer { end() }
        let sink = try sink()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        async let delivery: Void = sink.deliver(record(1))
        await clock.sleeper(until: .seconds(1))
        sink.stopWaiting()
        clock.advance(to: .seconds(1))
        let result: Result<Void, any Error>
        do { result = .success(try await delivery) } catch { result = .failure(error) }
        let refusal = SinkError(
            .writeFailed(errno: EISDIR),
            sink: "file",
            "sink \"file\": cannot write: Is a directory"
        )
        #expect(throws: refusal) { try result.get() }
    }
}
