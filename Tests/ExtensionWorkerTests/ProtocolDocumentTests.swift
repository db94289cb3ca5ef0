// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

/// PROTOCOL.md says what is true: its example is spoken to the handler it names.
@Suite(.timeLimit(.minutes(5)))
struct ProtocolDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../.."
    )

    /// The lines of the fenced block of that kind.
    private static func block(_ kind: String) throws -> [String] {
        let text = try String(contentsOf: root.appendingPathComponent("PROTOCOL.md"), encoding: .utf8)
        let start = try #require(text.range(of: "```\(kind)\n"))
        let end = try #require(text.range(of: "\n```", range: start.upperBound..<text.endIndex))
        return text[start.upperBound..<end.lowerBound].split(separator: "\n").map(String.init)
    }

    /// A line of the example: who speaks, type, request id, object.
    private static func packet(in line: String) throws -> (isHost: Bool, bytes: [UInt8]) {
        let parts = line.split(separator: " ", maxSplits: 3)
        try #require(parts.count == 4)
        let type = try #require(UInt8(parts[1], radix: 16))
        let id = try #require(UInt64(parts[2], radix: 16))
        let header = [type] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: id >> (8 * $0)) }
        return (parts[0] == ">", header + Array(parts[3].utf8))
    }

    @Test func `the example conversation is what the Python handler speaks`() throws {
        let host = try FakeHost()
        let handler = Self.root.appendingPathComponent("Examples/python-handler/handler.py").standardizedFileURL.path
        let pid = try host.spawn(handler)
        for line in try Self.block("conversation") {
            let (isHost, bytes) = try Self.packet(in: line)
            let packet = try Packet(decoding: bytes.span)
            if isHost {
                #expect(throws: Never.self) { try HostMessage(packet) }
                try host.send(bytes: bytes)
            } else {
                let answer = try host.receive()
                #expect(answer == (try WorkerMessage(packet)))
            }
        }
        var status: Int32 = -1
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        #expect(status == 0)
    }

    @Test func `the example bytes are the packets they are said to be`() throws {
        let packets = try Self.block("bytes").map { line in
            let bytes = line.split(separator: " ").compactMap { UInt8($0, radix: 16) }
            return try Packet(decoding: bytes.span)
        }
        #expect(packets == [HostMessage.willExpire(id: 1).packet, WorkerMessage.ready(ahead: 0).packet])
    }
}
