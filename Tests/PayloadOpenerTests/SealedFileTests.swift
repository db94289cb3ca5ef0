// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import E2ECrypto

/// The conversation of PROTOCOL.md, "Sealed files", with the real process.
@Suite(.timeLimit(.minutes(10)))
final class SealedFileTests {
    private static let isRoot = getuid() == 0
    /// The thread sanitizer locks nothing and has a heap of its own.
    private static let isSanitized = dlsym(nil, "__tsan_init") != nil
    private static let mark = "What an opener makes of a sealed file. "

    private let folder: KeyFolder
    private let arena: SecretArena
    private let ring: KeyRing
    private let opener: OpenerProcess

    init() throws {
        folder = try KeyFolder()
        arena = try SecretArena()
        ring = try KeyRing.generate(in: arena)
        let path = folder.url.appending(path: "ring.key").path
        try KeyFile.create(path: path, ring: ring, created: 1_795_228_800_000)
        opener = try OpenerProcess(keyFiles: [path])
        try opener.greet(["keepClear": ["attachments"]])
        #expect(try opener.receive()?.type == .ready)
    }

    private func seal(_ plaintext: [UInt8], id: String = "photo") throws -> (bytes: [UInt8], entry: AttachmentEntry) {
        let (source, target) = (folder.url.appending(path: "plain").path, folder.url.appending(path: "sealed").path)
        try Data(plaintext).write(to: URL(filePath: source))
        let label = try AttachmentLabel(id: id, url: "https://files.example/1", type: "image/png", name: "n.png")
        let entry = try Attachment.seal(file: source, to: target, as: label)
        defer { try? FileManager.default.removeItem(atPath: target) }
        return (Array(try Data(contentsOf: URL(filePath: target))), entry)
    }

    private func open(_ id: UInt64, _ attachments: JSON, clear: JSONObject = [:]) throws -> JSONObject {
        let content: JSONObject = ["title": "t", "attachments": attachments]
        let bytes = content.serialized
        let text = try Sealer(to: try #require(ring.publicKeys.first), in: arena).sealBox(bytes.span)
        return try open(id, text: text, clear: clear)
    }

    private func open(_ id: UInt64, text: String, clear: JSONObject) throws -> JSONObject {
        var payload: JSONObject = ["aps": ["alert": "New", "mutable-content": 1], "encrypted-content": .string(text)]
        for member in clear.members { payload[member.key] = member.value }
        let body: JSONObject = [
            "app": "com.example.chat", "topic": "com.example.chat", "requestID": "r",
            "row": .integer(Int64(id)), "payload": .object(payload),
        ]
        try opener.send(Packet(.open, id: id, body: body))
        let answer = try #require(try opener.receive())
        #expect(answer.type == .opened)
        return answer.body
    }

    private func begin(_ id: UInt64, payload: Int64 = 1, index: Int64 = 0) throws -> JSONObject? {
        try opener.send(Packet(.sealedFile, id: id, body: ["payload": .integer(payload), "index": .integer(index)]))
        let answer = try opener.receive()
        #expect(answer?.type == .fileState && answer?.id == id)
        return answer?.body
    }

    /// Sends a piece; what it opened, and the state after it.
    private func send(_ bytes: some Collection<UInt8>, of id: UInt64) throws -> (plaintext: [UInt8], JSONObject?) {
        let piece = Array(bytes)
        opener.send(bytes: BytesPacket.encode(.sealedBytes, id: id, piece.span))
        var plaintext: [UInt8] = []
        while let packet = opener.receiveBytes() {
            guard BytesPacket.id(of: packet.span, .fileBytes) == id else {
                return (plaintext, try Packet(decoding: packet.span).body)
            }
            plaintext += packet.dropFirst(Packet.headerByteCount)
        }
        return (plaintext, nil)
    }

    private func sendAll(_ bytes: [UInt8], of id: UInt64) throws -> (plaintext: [UInt8], JSONObject?) {
        var plaintext: [UInt8] = []
        var state: JSONObject?
        for start in stride(from: 0, to: bytes.count, by: BytesPacket.maximumByteCount) {
            let end = min(bytes.count, start + BytesPacket.maximumByteCount)
            let (opened, next) = try send(bytes[start..<end], of: id)
            plaintext += opened
            state = next
        }
        return (plaintext, state)
    }

    @Test func `an entry is described without its key, and its file opened in pieces`() throws {
        let plaintext = Array(String(repeating: Self.mark, count: 8000).utf8)
        let (bytes, entry) = try seal(plaintext)
        let opened = try open(1, [.object(entry.object)])
        #expect(opened["payload"]?.object?["attachments"] == nil)
        #expect(
            opened["files"] == [
                [
                    "id": "photo", "index": 0, "size": .integer(Int64(plaintext.count)),
                    "sealedSize": .integer(Int64(bytes.count)), "url": "https://files.example/1", "type": "image/png",
                    "name": "n.png",
                ]
            ]
        )
        #expect(try begin(10) == ["state": "more"])
        let (first, state) = try send(bytes[..<60_000], of: 10)
        #expect(first == [] && state == ["state": "more"])
        // A payload that comes between two pieces does not wait for the file.
        #expect(try open(2, ["the app's own"])["payload"]?.object?["attachments"] == ["the app's own"])
        let (rest, end) = try sendAll(Array(bytes[60_000...]), of: 10)
        #expect(rest == plaintext)
        #expect(end == ["state": "done"])
        #expect(try begin(11) == ["error": "forgotten"])
    }

    @Test func `a file that is not the entry's is not opened, for no reason that is told`() throws {
        let (bytes, entry) = try seal([UInt8](repeating: 1, count: 1000))
        for (id, change) in [0, 30, 40, bytes.count - 1].enumerated() {
            let id = UInt64(id + 1)
            _ = try open(id, [.object(entry.object)])
            var changed = bytes
            changed[change] ^= 1
            #expect(try begin(id, payload: Int64(id)) == ["state": "more"])
            #expect(try sendAll(changed, of: id).1 == ["error": "notOpened"])
        }
    }

    @Test func `what is no entry is told, and what came in the clear is none`() throws {
        let (_, entry) = try seal([1])
        var bad = entry.object
        bad["size"] = -1
        let opened = try open(1, [.object(entry.object), .object(bad), .object(entry.object), "photo"])
        let files = try #require(opened["files"]?.array)
        #expect(files.count == 4)
        #expect(files[0].object?["index"] == 0)
        for file in files[1...] { #expect(file == ["id": "", "error": "badEntry"]) }
        let clear: JSON = [.object(entry.object)]
        let content = Array(#"{"body":"b"}"#.utf8)
        let text = try Sealer(to: try #require(ring.publicKeys.first), in: arena).sealBox(content.span)
        let kept = try open(2, text: text, clear: ["attachments": clear])
        #expect(kept["files"] == nil)
        #expect(kept["payload"]?.object?["attachments"] == clear)
    }

    @Test(arguments: [true, false])
    func `bytes without a file, and a number that does not rise, are violations`(isBytes: Bool) throws {
        if isBytes {
            _ = try? send([1], of: 1)
        } else {
            #expect(try begin(5) == ["error": "forgotten"])
            try opener.send(Packet(.sealedFile, id: 5, body: ["payload": 1, "index": 0]))
        }
        #expect(opener.receiveBytes() == nil)
        #expect(opener.exitCode() == 2)
    }

    @Test(
        .enabled(if: isRoot, "needs root: the process is not dumpable"),
        .disabled(if: isSanitized, "the thread sanitizer locks and wipes nothing")
    )
    func `a file's key lies in locked pages while it waits, and nothing of the file stays`() throws {
        let plaintext = Array(String(repeating: Self.mark, count: 8000).utf8)
        let (bytes, entry) = try seal(plaintext)
        let key = Array(UnsafeBufferPointer(start: entry.key.bytes, count: 32))
        _ = try open(1, [.object(entry.object)])
        #expect(try begin(1, payload: 99) == ["error": "forgotten"])
        let waiting = try #require(ProcessMemory(of: opener.identifier))
        #expect(waiting.places(of: key) == .init(locked: 1, elsewhere: []))
        #expect(try begin(2) == ["state": "more"])
        #expect(try sendAll(bytes, of: 2).1 == ["state": "done"])
        #expect(try begin(3) == ["error": "forgotten"])
        let after = try #require(ProcessMemory(of: opener.identifier))
        #expect(after.places(of: key) == .init())
        #expect(after.places(of: Array(Self.mark.utf8)) == .init())
    }
}
