// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import E2ECrypto

/// The memory of an opener that has opened much: its secrets in locked pages, and nothing of what it opened.
@Suite(.timeLimit(.minutes(15)))
final class MemoryTests {
    private static let isRoot = getuid() == 0
    /// The thread sanitizer locks nothing and has a heap of its own.
    private static let isSanitized = dlsym(nil, "__tsan_init") != nil
    private static let messageCount = 10_000
    /// Long enough for a heap block of its own in every string, and short enough to stand in a string's own two words.
    private static let longMark = "This was read by an opener, number "
    private static let shortMark = "Qz9xVw3-K"
    /// The text of the clear part of every push, before its number.
    private static let clearMark = "A clear key, which is no secret, number "

    private let folder: KeyFolder
    private let arena: SecretArena
    private let recipients: KeyRing
    private let sender: KeyRing

    init() throws {
        folder = try KeyFolder()
        arena = try SecretArena()
        var recipients = try Self.ring(in: arena)
        for _ in 0..<2 { recipients.append(try Self.ring(in: arena)) }
        self.recipients = recipients
        sender = try Self.ring(in: arena)
    }

    private static func ring(in arena: SecretArena) throws -> KeyRing {
        try KeyRing.generate(in: arena)
    }

    private func bytes(at place: SecretArena.Location) -> [UInt8] {
        Array(UnsafeBufferPointer(start: arena.pointer(to: place), count: 32))
    }

    /// Each secret of the opener, under a name: the ring's, and what it shares with the sender.
    private func secrets() throws -> [(name: String, bytes: [UInt8])] {
        var secrets: [(name: String, bytes: [UInt8])] = []
        let own = try #require(sender.entries.first)
        for (index, entry) in recipients.entries.enumerated() {
            secrets.append(("key \(index)", bytes(at: entry.secret)))
            let place = try #require(arena.reserve(32))
            let isDerived = SenderSecret.derive(
                own: arena.pointer(to: own.secret),
                peer: entry.publicKey,
                sender: own.publicKey,
                recipient: entry.publicKey,
                to: arena.pointer(to: place),
                in: arena.workspace
            )
            try #require(isDerived)
            secrets.append(("psk \(index)", bytes(at: place)))
        }
        return secrets
    }

    private func opener() throws -> OpenerProcess {
        let path = folder.url.appending(path: "ring.key").path
        try KeyFile.create(path: path, ring: recipients, created: 1_795_228_800_000)
        let files = ["a", "b"].map { folder.url.appending(path: "replays-\($0)").path }
        let opener = try OpenerProcess(keyFiles: [path], replayFiles: files)
        let key = try #require(sender.publicKeys.first).description
        let senders: JSON = [["public-key": .string(key), "name": "chat-server"]]
        try opener.greet(["senders": senders, "keepClear": ["clear"]], replays: [5, 6])
        #expect(try opener.receive()?.type == .ready)
        return opener
    }

    /// One message in each of three ways, to each of the keys in turn.
    private func texts() throws -> (Int) throws -> String {
        let context = PushContext(topic: "com.example.chat")
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        let anonymous = recipients.publicKeys.map { Sealer(to: $0, in: arena) }
        let named = try recipients.publicKeys.map { try Sealer(to: $0, from: sender) }
        return { number in
            let title = Self.shortMark + String(format: "%05d", number)
            let body = Self.longMark + "\(number)" + String(repeating: ".", count: number % 700)
            let content = Array(#"{"title":"\#(title)","body":"\#(body)","custom":["\#(body)"]}"#.utf8)
            let key = number / 3 % 3
            return switch number % 3 {
            case 0: try anonymous[key].seal(content.span, context: context, issued: now)
            case 1: try named[key].seal(content.span, context: context, issued: now)
            default: try anonymous[key].sealBox(content.span)
            }
        }
    }

    private func request(_ number: Int, _ text: String) -> Packet {
        Packet(
            .open,
            id: UInt64(number),
            body: [
                "app": "com.example.chat", "topic": "com.example.chat", "requestID": "r",
                "row": .integer(Int64(number)),
                "payload": [
                    "aps": ["alert": "New", "mutable-content": 1], "clear": .string(Self.clearMark + "\(number)"),
                    "encrypted-content": .string(text),
                ],
            ]
        )
    }

    /// Waits until a process waits for something.
    private func sleeps(_ process: pid_t) throws -> Bool {
        let end = ContinuousClock.now + .seconds(60)
        while ContinuousClock.now < end {
            let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let state = status.range(of: ") ", options: .backwards).map { status[$0.upperBound...] }
            if state?.hasPrefix("S") == true { return true }
            sched_yield()
        }
        return false
    }

    /// Sends some at a time, so that batches of every size up to the limit are there.
    private func open(
        _ numbers: Range<Int>,
        _ text: (Int) throws -> String,
        with opener: OpenerProcess
    ) throws -> String {
        var number = numbers.lowerBound
        var lastText = ""
        while number < numbers.upperBound {
            let batch = number..<min(number + 1 + number % 64, numbers.upperBound)
            for number in batch {
                lastText = try text(number)
                try opener.send(request(number, lastText))
            }
            for number in batch {
                let answer = try #require(try opener.receive())
                try #require(answer.type == .opened && answer.id == UInt64(number), "\(answer)")
            }
            number = batch.upperBound
        }
        return lastText
    }

    @Test(
        .enabled(if: isRoot, "needs root: the process is not dumpable"),
        .disabled(if: isSanitized, "the thread sanitizer locks and wipes nothing")
    )
    func `after ten thousand messages secrets lie in locked pages and plaintext nowhere`() throws {
        let opener = try opener()
        let lastText = try open(0..<Self.messageCount, try texts(), with: opener)
        // The answers are out; once it sleeps, the opener has let go of them.
        try #require(try sleeps(opener.identifier))
        let memory = try #require(ProcessMemory(of: opener.identifier))
        for secret in try secrets() {
            // Without the bits that X25519 sets: a copy with them would be one too.
            let places = memory.places(of: Array(secret.bytes[1..<31]))
            #expect(places == .init(locked: 1, elsewhere: []), "\(secret.name)")
        }
        for mark in [Self.longMark, Self.shortMark] {
            let places = memory.places(of: Array(mark.utf8))
            #expect(places == .init(), "\(mark)")
        }
        // The search finds what is there: the last packet in the buffer that it was received into.
        #expect(!memory.places(of: Array(lastText.utf8.prefix(60))).elsewhere.isEmpty)
        #expect(!memory.places(of: Array((Self.clearMark + "\(Self.messageCount - 1)").utf8)).elsewhere.isEmpty)
    }
}
