// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import HostRuntime
import NotificationPayload
import Testing

@testable import WorkerSupervisor

/// The outcome for sealed files when the opener dies, hangs or lies while it opens them.
@Suite(.timeLimit(.minutes(5)))
struct SealedFileSupervisionTests {
    /// "Opens" a file by turning its bytes around; the first of them says what goes wrong.
    private static let script = """
        #!/usr/bin/python3
        import json, os, socket, struct, sys
        host = socket.socket(fileno=3)
        def say(kind, number, bytes): host.send(struct.pack(">BQ", kind, number) + bytes)
        def tell(kind, number, body): say(kind, number, json.dumps(body).encode())
        host.recv(65536)
        tell(0x81, 0, {"protocol": 1, "nextRow": 0})
        total = 0
        while True:
            packet = host.recv(65536)
            if not packet: sys.exit(0)
            kind, number, bytes = packet[0], int.from_bytes(packet[1:9], "big"), packet[9:]
            if kind == 0x10:
                tell(0x90, number, {"payload": {"aps": {"alert": "opened"}}, "files": json.loads(bytes)["payload"]["files"]})
            elif kind == 0x11:
                begun = json.loads(bytes)
                total = begun["payload"]
                if begun["index"] == 7: tell(0x94, number, {"error": "forgotten"})
                else: tell(0x94, number, {"state": "more"})
            else:
                what = bytes[:1]
                if what == b"d": os._exit(9)
                if what == b"h": continue
                if what == b"x": tell(0x94, number, {"error": "notOpened"}); continue
                if what == b"o": say(0x95, number + 1, b"other"); continue
                if what == b"m":
                    for _ in range(5): say(0x95, number, b"m" * 40000)
                    continue
                for start in range(0, len(bytes), 32768): say(0x95, number, bytes[start:start + 32768])
                total -= len(bytes)
                tell(0x94, number, {"state": "done" if total == 0 else "more"})
        """

    private func withOpener(
        answerLimit: Duration = .seconds(60),
        _ body: (SupervisorHarness) async throws -> Void
    ) async throws {
        try await ScriptedOpener.withOpener(Self.script, answerLimit: answerLimit) { harness, _ in
            try await body(harness)
        }
    }

    /// Takes a file through; what came out, or why nothing did.
    ///
    /// The limits are longer than a disk stands still for that other programs write to.
    private func open(
        _ bytes: [UInt8],
        index: Int = 0,
        within limit: Duration = .seconds(100),
        _ harness: SupervisorHarness
    ) async -> Result<[UInt8], AttachmentRefusal> {
        let (sealed, opened) = (Self.file(bytes), Self.file([]))
        let file = SealedFile(
            identifier: "f",
            url: nil,
            type: nil,
            name: nil,
            byteCount: bytes.count,
            sealedByteCount: bytes.count,
            number: .init(payload: UInt64(bytes.count), index: index)
        )
        do throws(AttachmentRefusal) {
            let deadline = harness.clock.now + limit
            _ = try await harness.supervisor.open(
                file,
                for: "com.example.chat",
                from: sealed,
                into: { opened },
                deadline: deadline
            )
        } catch {
            return .failure(error)
        }
        return .success(Array(FileHandle(fileDescriptor: opened.descriptor).readDataToEndOfFile()))
    }

    private static func file(_ bytes: [UInt8]) -> HeldFile {
        let path = NSTemporaryDirectory() + "file-\(UUID().uuidString)"
        let file = HeldFile(Glibc.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        unlink(path)
        #expect(pwrite(file.descriptor, bytes, bytes.count, 0) == bytes.count)
        return file
    }

    private static func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(ascii: "0") + UInt8($0 % 10) }
    }

    @Test func `files go through one after the other, whole`() async throws {
        try await withOpener { harness in
            await withTaskGroup(of: Void.self) { group in
                for size in [1, 65_527, 65_528, 300_000, 12] {
                    group.addTask { #expect(await open(Self.bytes(size), harness) == .success(Self.bytes(size))) }
                }
            }
        }
    }

    @Test(arguments: [
        ("x" as Character, AttachmentRefusal.notOpened), ("d", .openerUnavailable), ("o", .openerUnavailable),
        ("m", .openerUnavailable),
    ])
    func `a file that fails costs no other`(what: Character, refusal: AttachmentRefusal) async throws {
        try await withOpener { harness in
            let bad = [what.asciiValue ?? 0] + Self.bytes(10)
            #expect(await open(bad, harness) == .failure(refusal))
            // The next opener, where it took one with it, needs a moment to be there.
            var next = await open(Self.bytes(12), harness)
            let patience = ContinuousClock.now + .seconds(20)
            while next == .failure(.openerUnavailable), ContinuousClock.now < patience {
                next = await open(Self.bytes(12), harness)
            }
            #expect(next == .success(Self.bytes(12)))
        }
    }

    @Test func `an entry that the opener has forgotten opens nothing`() async throws {
        try await withOpener { harness in
            #expect(await open(Self.bytes(5), index: 7, harness) == .failure(.openerUnavailable))
            #expect(await open(Self.bytes(5), harness) == .success(Self.bytes(5)))
        }
    }

    @Test func `an opener that is silent ends with the budget, and its file with it`() async throws {
        try await withOpener { harness in
            let hang = Array("h".utf8) + Self.bytes(5)
            async let first = open(hang, within: .milliseconds(300), harness)
            // Behind it, and given up before its turn.
            async let second = open(hang, within: .milliseconds(100), harness)
            let results = await [first, second]
            #expect(results == [.failure(.outOfTime), .failure(.outOfTime)])
            #expect(await open(Self.bytes(5), harness) == .success(Self.bytes(5)))
        }
    }

    @Test func `an opener that is silent for too long is replaced`() async throws {
        try await withOpener(answerLimit: .milliseconds(200)) { harness in
            #expect(await open(Array("h".utf8) + Self.bytes(5), harness) == .failure(.openerUnavailable))
        }
    }
}
