// SPDX-License-Identifier: Apache-2.0

import E2ECryptoChecks
import Foundation
import Testing

@testable import E2ECrypto

/// A sealed attachment in memory, with the entry that opens it.
struct SealedFile {
    var bytes: [UInt8]
    let entry: AttachmentEntry

    /// Under a fresh key, or under a known one.
    init(_ plaintext: [UInt8], key: [UInt8]? = nil, header: [UInt8] = AttachmentCheck.header) throws {
        var source = MemorySource(plaintext)
        var sink = MemorySink()
        var sealing =
            if let key {
                try AttachmentSealing(key: key, header: header)
            } else {
                try AttachmentSealing(total: nil)
            }
        let size = try sealing.run(&source, to: &sink) { _ in .proceed }
        #expect(size == plaintext.count)
        bytes = sink.bytes
        entry = AttachmentEntry(
            label: try AttachmentLabel(id: "a"),
            size: size,
            key: sealing.cipher.copyKey(),
            digest: sealing.cipher.finalDigest()
        )
    }

    /// The chunks as they are sealed.
    var chunks: [[UInt8]] {
        stride(from: 32, to: bytes.count, by: 65536 + 17).map { Array(bytes[$0..<min(bytes.count, $0 + 65536 + 17)]) }
    }

    func with(chunks: [[UInt8]]) -> [UInt8] { Array(bytes.prefix(32)) + chunks.joined() }

    /// Opens `bytes`, or the fixture's own, as a stream of unknown length; returns the plaintext.
    func open(_ bytes: [UInt8]? = nil, as entry: AttachmentEntry? = nil) throws(AttachmentError) -> [UInt8] {
        var source = MemorySource(bytes ?? self.bytes)
        var sink = MemorySink()
        var opening = try AttachmentOpening(entry ?? self.entry)
        try opening.run(&source, to: &sink) { _ in .proceed }
        return sink.bytes
    }

    func refusal(of bytes: [UInt8], as entry: AttachmentEntry? = nil) -> AttachmentError? {
        do {
            _ = try open(bytes, as: entry)
            return nil
        } catch {
            return error
        }
    }
}

/// A folder of its own, which goes with it.
final class TemporaryFolder {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    func path(_ name: String) -> String { url.appending(path: name).path }

    @discardableResult
    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: url.appending(path: name))
        return path(name)
    }

    func read(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url.appending(path: name))) }
}

/// Bytes that are easy to know again, the same as those of make-attachments.py.
func pattern(_ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 251) }
}
