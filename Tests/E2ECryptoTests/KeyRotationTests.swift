// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import E2ECrypto

/// Rotation and pruning of key files; one folder for each test, removed with it.
final class KeyRotationTests {
    private static let day: Int64 = 86_400_000
    /// 2026-11-21T02:40:00Z.
    private static let now: Int64 = 1_795_228_800_000
    private static let others = """
        # shared with the backup server
        NSE-PSK-1QYPQXPQ9QCRSSZG2PVXQ6RS0ZQG3YYC5Z5TPWXQERGD3C8G7RUSZZG3RYSJJVFEGW9F35T
        home-assistant: 000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f

        """
    private let folder: URL
    private let arena: SecretArena

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        arena = try SecretArena()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private var path: String { folder.appending(path: "k.key").path }

    private func write(_ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    /// A secret key of no worth, and what `keygen` writes above it.
    private func key(_ number: UInt8) throws -> (secret: String, comments: [String], id: KeyID) {
        let secret = Bech32.encode([UInt8](repeating: number, count: 32), prefix: "nse-secret-key-").uppercased()
        let bytes = String(repeating: String(format: "%02x", number), count: 32)
        let publicKey = try #require(testRing(bytes, in: arena).publicKeys.first)
        let comments = [
            "# created: 2026-01-01T00:00:00Z", "# public key: \(publicKey)", "# key id: \(publicKey.id)",
            "# fingerprint: \(publicKey.fingerprint)",
        ]
        return (secret, comments, publicKey.id)
    }

    private func block(_ number: UInt8, retired: String? = nil) throws -> String {
        let key = try key(number)
        return (key.comments + [key.secret + (retired.map { " retired=\($0)" } ?? "")]).joined(separator: "\n") + "\n"
    }

    // MARK: Rotation

    @Test func `a new key goes on top, the former is retired, every other byte survives`() throws {
        let old = try key(1)
        let head = "# keys of the chat server\r\n\n"
        let tail =
            "  \t\r\n\n# why\n\(try block(2, retired: "2026-11-01T00:00:00Z"))\(Self.others)# end, without a line feed"
        let comments = old.comments.joined(separator: "\n") + "\n"
        try write(head + comments + old.secret + tail)
        let fresh = try KeyFile.rotate(path: path, now: Self.now, in: arena)

        let written = try text()
        let expectedComments = """
            # created: 2026-11-21T02:40:00Z
            # public key: \(fresh)
            # key id: \(fresh.id)
            # fingerprint: \(fresh.fingerprint)
            NSE-SECRET-KEY-1
            """
        #expect(written.hasPrefix(head + expectedComments))
        #expect(written.hasSuffix("\n" + comments + old.secret + " retired=2026-11-21T02:40:00Z" + tail))
        let added = written.utf8.count - (head + comments + old.secret + tail).utf8.count
        #expect(added == " retired=2026-11-21T02:40:00Z".utf8.count + (try block(3)).utf8.count)
        let ring = try KeyFile.read(path: path, into: arena)
        #expect(ring.publicKeys.map(\.id) == [fresh.id, old.id, try key(2).id])
        #expect(ring.entries.map(\.retired) == [nil, Self.now, 1_793_491_200_000])
    }

    @Test func `each rotation retires one key`() throws {
        try write(try block(1))
        let first = try KeyFile.rotate(path: path, now: Self.now, in: arena)
        let second = try KeyFile.rotate(path: path, now: Self.now + Self.day, in: arena)
        let ring = try KeyFile.read(path: path, into: arena)
        #expect(ring.publicKeys.map(\.id) == [second.id, first.id, try key(1).id])
        #expect(ring.entries.map(\.retired) == [nil, Self.now + Self.day, Self.now])
    }

    @Test func `a current key with a date retires today, so that the next pruning keeps it`() throws {
        let old = try key(1)
        try write(old.secret + "  retired=2026-01-01T00:00:00Z\t\r\n# end")
        _ = try KeyFile.rotate(path: path, now: Self.now, in: arena)
        #expect(try text().hasSuffix("\n\(old.secret) retired=2026-11-21T02:40:00Z\t\r\n# end"))
        #expect(try KeyFile.prune(path: path, now: Self.now + 30 * Self.day, in: arena).isEmpty)
        #expect(try KeyFile.prune(path: path, now: Self.now + 30 * Self.day + 1, in: arena) == [old.id])
    }

    @Test func `a bare secret without comments and without a line feed rotates`() throws {
        let old = try key(1)
        try write(old.secret)
        _ = try KeyFile.rotate(path: path, now: Self.now, in: arena)
        #expect(try text().hasSuffix("\n\(old.secret) retired=2026-11-21T02:40:00Z"))
    }

    @Test func `owner's mode survives, and nothing stays beside the file`() throws {
        try write(try block(1), mode: 0o400)
        _ = try KeyFile.rotate(path: path, now: Self.now, in: arena)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o400)
        #expect(try files() == ["k.key"])
    }

    @Test func `what a crash left beside the file is replaced`() throws {
        try write(try block(1))
        try Data("half a".utf8).write(to: folder.appending(path: ".k.key.successor"))
        let fresh = try KeyFile.rotate(path: path, now: Self.now, in: arena)
        #expect(try KeyFile.read(path: path, into: arena).publicKeys.first == fresh)
        #expect(try files() == ["k.key"])
    }

    @Test(
        arguments: [
            ("", 0o600, .noKey), (others, 0o600, .noKeyPair), ("x\n", 0o600, .key(.unknownKind)),
            ("", 0o640, .readableByOthers),
        ] as [(String, Int, KeyFileError.Problem)]
    )
    func `a file that cannot be rotated is left as it is`(
        _ contents: String,
        _ mode: Int,
        _ problem: KeyFileError.Problem
    ) throws {
        try write(contents, mode: mode)
        let line = problem == .key(.unknownKind) ? 1 : nil
        #expect(throws: KeyFileError(line: line, problem)) {
            try KeyFile.rotate(path: path, now: Self.now, in: arena)
        }
        #expect(try text() == contents)
        #expect(try files() == ["k.key"])
    }

    @Test func `a full ring is refused, and one too long for another key`() throws {
        let full = try (1...16).map { try key($0).secret + "\n" }.joined()
        try write(full)
        #expect(throws: KeyFileError(.full(limit: 16))) {
            try KeyFile.rotate(path: path, now: Self.now, in: arena)
        }
        #expect(try text() == full)

        let long = try key(1).secret + "\n" + String(repeating: "#", count: 7900)
        try write(long)
        #expect(throws: KeyFileError(.tooLong(limit: 8192))) {
            try KeyFile.rotate(path: path, now: Self.now, in: arena)
        }
        #expect(try text() == long)
        #expect(try files() == ["k.key"])
    }

    @Test func `a symbolic link is not followed`() throws {
        try write(try block(1))
        let link = folder.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        #expect(throws: KeyFileError(.symbolicLink)) { try KeyFile.rotate(path: link, now: Self.now, in: arena) }
        #expect(throws: KeyFileError(.symbolicLink)) { try KeyFile.prune(path: link, now: Self.now, in: arena) }
    }

    @Test func `of two at once one is refused`() throws {
        try write(try block(1, retired: "2026-01-01T00:00:00Z") + block(2, retired: "2026-01-01T00:00:00Z"))
        let other = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        let before = try text()
        #expect(throws: KeyFileError(.busy)) { try KeyFile.rotate(path: path, now: Self.now, in: arena) }
        #expect(throws: KeyFileError(.busy)) { try KeyFile.prune(path: path, now: Self.now, in: arena) }
        #expect(try text() == before)
        #expect(flock(other, LOCK_UN) == 0)
        _ = try KeyFile.rotate(path: path, now: Self.now, in: arena)
    }

    // MARK: Pruning

    @Test func `keys retired more than 30 days ago go, with their comments and no other line`() throws {
        let doomed = try key(2)
        try write(
            """
            # all of ours
            \(try block(1))# the old laptop
            \(doomed.comments[0])
            # mine
            \(doomed.comments[1])
            \(doomed.comments[2])
            # key id: 0000000000000000
            \(doomed.comments[3])
            \(doomed.secret) retired=2026-10-22T02:39:59Z
            \(Self.others)\(try block(3, retired: "2026-10-22T02:40:00Z"))
            """
        )
        #expect(try KeyFile.prune(path: path, now: Self.now, in: arena) == [doomed.id])
        let expected = """
            # all of ours
            \(try block(1))# the old laptop
            # mine
            # key id: 0000000000000000
            # pruned: \(doomed.id) 2026-11-21T02:40:00Z
            \(Self.others)\(try block(3, retired: "2026-10-22T02:40:00Z"))
            """
        #expect(try text() == expected)
        #expect(try KeyFile.prunedKeys(path: path, in: arena) == [doomed.id: Self.now])
        #expect(try files() == ["k.key"])
    }

    @Test func `with nothing to delete the file is not touched`() throws {
        try write(try block(1) + block(2, retired: "2026-11-01T00:00:00Z") + block(3))
        let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
        #expect(try KeyFile.prune(path: path, now: Self.now, in: arena).isEmpty)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int == before)
    }

    @Test func `the current key stays, however long ago it was retired`() throws {
        try write(try block(1, retired: "2020-01-01T00:00:00Z"))
        #expect(try KeyFile.prune(path: path, now: Self.now, in: arena).isEmpty)
    }

    @Test func `every line of a key goes, so that none comes back to life`() throws {
        let twin = try key(2)
        try write(try block(1) + "\(twin.secret) retired=2026-01-01T00:00:00Z\n\(twin.secret.lowercased())\n")
        #expect(try KeyFile.prune(path: path, now: Self.now, in: arena) == [twin.id])
        #expect(try text() == block(1) + "# pruned: \(twin.id) 2026-11-21T02:40:00Z\n")
    }

    @Test func `the ids of 16 deleted keys are kept, the oldest go`() throws {
        let traces = (10..<26).map { "# pruned: 00000000000000\($0) 2026-10-\($0)T00:00:00Z\n" }
        try write(traces.reversed().joined() + block(1) + block(2, retired: "2026-01-01T00:00:00Z"))
        #expect(try KeyFile.prune(path: path, now: Self.now, in: arena) == [try key(2).id])
        let kept = traces.dropFirst().reversed().joined()
        #expect(try text() == kept + block(1) + "# pruned: \(try key(2).id) 2026-11-21T02:40:00Z\n")
    }

    @Test(arguments: ["+000000000000012", "00000000000012", "0000000000000x12"])
    func `a comment that names no key's id is no trace of one`(id: String) throws {
        try write("# pruned: \(id) 2026-10-12T00:00:00Z\n" + block(1))
        #expect(try KeyFile.prunedKeys(path: path, in: arena) == [:])
    }

    // MARK: Generation

    @Test func `a paired secret is written and read back as one`() throws {
        let ring = try KeyRing.generatePairedSecret(in: arena)
        try KeyFile.create(path: path, ring: ring, created: 1_795_228_800_000)
        let id = try #require(ring.pairedSecretIDs.first)
        #expect(try text().hasPrefix("# created: 2026-11-21T02:40:00Z\n# paired secret: \(id)\nNSE-PSK-1"))
        let read = try KeyFile.read(path: path, into: arena)
        #expect(read.pairedSecretIDs == [id])
        #expect(read.publicKeys.isEmpty)
    }

    @Test func `a subscription is written and read back with the same public key`() throws {
        let ring = try KeyRing.generateSubscription(in: arena)
        try KeyFile.create(path: path, ring: ring, created: 1_795_228_800_000)
        let lines = try text().split(separator: "\n")
        try #require(lines.count == 3)
        #expect(lines[0] == "# created: 2026-11-21T02:40:00Z")
        #expect(lines[1].hasPrefix("# p256dh: B") && lines[1].count == 10 + 87)
        #expect(lines[2].hasPrefix("web-push: ") && lines[2].count == 10 + 43 + 1 + 22)
        let read = try KeyFile.read(path: path, into: arena)
        let places = (ring.sharedSecrets.map { $0.secret }, read.sharedSecrets.map { $0.secret })
        try #require(places.0.count == 1 && places.1.count == 1)
        let bytes = [places.0[0], places.1[0]].map { place in
            Array(UnsafeBufferPointer(start: arena.pointer(to: place), count: WebPush.secretByteCount))
        }
        #expect(bytes[0] == bytes[1])
    }
}
