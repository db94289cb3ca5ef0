// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import E2ECrypto

/// Files that come in pieces: the same plaintext and the same errors as from a file.
struct AttachmentReceiverTests {
    private static let number = AttachmentReceiver.Number(payload: 7, index: 2)

    /// Feeds a file to a receiver in pieces of a length; returns the receiver's last answer, and all plaintext that it
    /// handed out.
    private func receive(
        _ bytes: [UInt8],
        by length: Int,
        with receiver: AttachmentReceiver
    ) throws -> (isDone: Bool, plaintext: [UInt8]) {
        var plaintext: [UInt8] = []
        var isDone = false
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + length)
            let piece = Array(bytes[offset..<end])
            isDone = try receiver.take(piece.span) { opened in
                for index in opened.indices { plaintext.append(opened[index]) }
            }
            offset = end
        }
        return (isDone, plaintext)
    }

    private func error(_ bytes: [UInt8], as entry: AttachmentEntry, _ receiver: AttachmentReceiver) -> AttachmentError?
    {
        receiver.hold(entry, as: Self.number)
        guard receiver.begin(Self.number) else { return nil }
        do {
            _ = try receive(bytes, by: 1000, with: receiver)
            return nil
        } catch {
            return error as? AttachmentError
        }
    }

    @Test(arguments: [0, 1, 100, 65536, 65537, 200_000], [1000, 65527, 1 << 20])
    func `pieces of any length make the file`(size: Int, length: Int) throws {
        let receiver = try AttachmentReceiver()
        let file = try SealedFile(pattern(size))
        receiver.hold(file.entry, as: Self.number)
        #expect(receiver.begin(Self.number))
        let (isDone, plaintext) = try receive(file.bytes, by: length, with: receiver)
        #expect(isDone)
        #expect(plaintext == pattern(size))
    }

    @Test func `one receiver opens file after file, and each entry once`() throws {
        let receiver = try AttachmentReceiver()
        let files = try (0..<3).map { try SealedFile(pattern(1000 + $0)) }
        for (index, file) in files.enumerated() { receiver.hold(file.entry, as: .init(payload: 1, index: index)) }
        // One is begun and given up for the next.
        #expect(receiver.begin(.init(payload: 1, index: 0)))
        let start = Array(files[0].bytes.prefix(40))
        _ = try receiver.take(start.span) { _ in }
        for index in 1..<3 {
            #expect(receiver.begin(.init(payload: 1, index: index)))
            #expect(try receive(files[index].bytes, by: 333, with: receiver).plaintext == pattern(1000 + index))
        }
        for index in 0..<3 { #expect(!receiver.begin(.init(payload: 1, index: index))) }
    }

    @Test func `the oldest entry is forgotten for one too many`() throws {
        let receiver = try AttachmentReceiver()
        let file = try SealedFile(pattern(10))
        for index in 0...receiver.share { receiver.hold(file.entry, as: .init(payload: 1, index: index)) }
        #expect(!receiver.begin(.init(payload: 1, index: 0)))
        #expect(receiver.begin(.init(payload: 1, index: 1)))
    }

    @Test(arguments: [(1, 128), (8, 128), (9, 113), (102, 10), (2000, 10)])
    func `an owner's entries are forgotten for its own, not for another's`(owners: Int, share: Int) throws {
        let receiver = try AttachmentReceiver(ownerCount: owners)
        #expect(receiver.share == share)
        let file = try SealedFile(pattern(10))
        receiver.hold(file.entry, as: Self.number, of: 1)
        for index in 0...AttachmentReceiver.heldLimit {
            receiver.hold(file.entry, as: .init(payload: 1, index: index), of: 0)
        }
        #expect(receiver.begin(Self.number))
        let kept = (0...AttachmentReceiver.heldLimit).filter { receiver.begin(.init(payload: 1, index: $0)) }
        #expect(kept == Array((AttachmentReceiver.heldLimit - share + 1)...AttachmentReceiver.heldLimit))
    }

    @Test func `more owners than have room forget the oldest of all`() throws {
        let receiver = try AttachmentReceiver(ownerCount: 2000)
        let file = try SealedFile(pattern(10))
        for index in 0...AttachmentReceiver.heldLimit {
            receiver.hold(file.entry, as: .init(payload: 1, index: index), of: index)
        }
        #expect(!receiver.begin(.init(payload: 1, index: 0)))
        #expect(receiver.begin(.init(payload: 1, index: 1)))
    }

    @Test func `an entry that comes while a file is awaited does not change its key`() throws {
        let receiver = try AttachmentReceiver()
        let file = try SealedFile(pattern(10))
        receiver.hold(file.entry, as: Self.number)
        #expect(receiver.begin(Self.number))
        let other = try SealedFile(pattern(11))
        for index in 0..<AttachmentReceiver.heldLimit {
            receiver.hold(other.entry, as: .init(payload: 1, index: index))
        }
        #expect(try receive(file.bytes, by: 7, with: receiver).plaintext == pattern(10))
    }

    @Test func `what is wrong with a file is found where a file's reader finds it`() throws {
        let receiver = try AttachmentReceiver()
        let file = try SealedFile(pattern(70_000))
        let other = try SealedFile(pattern(70_000))
        var broken = file.bytes
        broken[40] ^= 1
        #expect(error(broken, as: file.entry, receiver) == .notOpened)
        broken = file.bytes
        broken[0] ^= 1
        #expect(error(broken, as: file.entry, receiver) == .badPreamble)
        #expect(error(other.bytes, as: file.entry, receiver) == .notOpened)
        #expect(error(file.bytes + [0], as: file.entry, receiver) == .trailingBytes(after: file.bytes.count))
        let liar = AttachmentEntry(
            label: file.entry.label,
            size: file.entry.size,
            key: file.entry.key,
            digest: other.entry.digest
        )
        #expect(error(file.bytes, as: liar, receiver) == .wrongDigest)
        // After each of these it is as good as new.
        #expect(error(file.bytes, as: file.entry, receiver) == nil)
        #expect(throws: AttachmentError.truncated(needed: 0, got: 0)) {
            try receiver.take(file.bytes.span) { _ in }
        }
    }
}
