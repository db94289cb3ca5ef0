// SPDX-License-Identifier: Apache-2.0

import Glibc
import NotificationPayload

/// A change of keys loses nothing that is on its way: a new key goes on top, the old one stays for the longest time
/// that anything sealed to it can be opened, and is then deleted.
///
/// Each verb works on the file as a whole: after a crash there is the old one or the new one. Lines that a verb does
/// not speak of survive byte for byte.
/// Source: FORMAT.md, "Rotation".
extension KeyFile {
    /// 30 days, in milliseconds: how long a retired key is kept, and the longest that a payload may be opened.
    public static var retention: Int64 { Unsealed.maximumLifetime }

    /// The number of deleted keys whose ids the file keeps at most.
    static let prunedLimit = 16

    /// Puts a new key on top of the ring in the file at `path` and marks the one that was current as retired; returns
    /// the new public key, which the senders are to get.
    ///
    /// A date that the line of the current key has already gives way to `now`: until then senders were right to use it.
    /// `now` is in Unix milliseconds. Throws what reading throws; `busy` when another process changes the file;
    /// `noKeyPair` for a file of other secrets only; `full` for a ring of 16: prune first.
    public static func rotate(path: String, now: Int64, in arena: SecretArena) throws(KeyFileError) -> PublicKey {
        var file = try LockedKeyFile(path: path)
        let ring = try read(descriptor: file.descriptor, into: arena)
        guard let current = ring.entries.first else { throw KeyFileError(.noKeyPair) }
        guard ring.count < KeyRing.limit else { throw KeyFileError(.full(limit: KeyRing.limit)) }
        let fresh = try KeyRing.generate(in: arena).entries[0]
        let date = UTCTime.text(of: now)
        let written = try unsafe write(to: &file, in: arena) { contents, lines, text in
            guard let key = lines.firstIndex(where: \.isKey) else { return }
            let comments = unsafe lines.comments(above: key, of: current.publicKey, in: contents)
            let start = lines[comments.min() ?? key].whole.lowerBound
            let line = lines[key].text
            let end = unsafe contents[line].firstIndex(where: isSpace) ?? line.upperBound
            unsafe text.append(contents[..<start])
            text.append(fresh, created: date, in: arena)
            unsafe text.append(contents[start..<end])
            text.append(" \(SecretLine.retiredAttribute)\(date)")
            unsafe text.append(contents[line.upperBound...])
        }
        let expected = [fresh.publicKey] + ring.publicKeys
        guard try read(descriptor: written, into: arena).publicKeys == expected else {
            throw KeyFileError(.system(EIO))
        }
        try file.replace()
        return fresh.publicKey
    }

    /// Deletes the keys in the file at `path` that were retired more than 30 days before `now`, with their comments;
    /// returns their ids, none when there is nothing to delete.
    ///
    /// The current key stays whatever its line says. A comment line keeps the id of each key deleted, of 16 at most.
    /// `now` is in Unix milliseconds. Throws what reading throws, and `busy`.
    public static func prune(path: String, now: Int64, in arena: SecretArena) throws(KeyFileError) -> [KeyID] {
        var file = try LockedKeyFile(path: path)
        let ring = try read(descriptor: file.descriptor, into: arena)
        let old = ring.entries.dropFirst().filter { entry in entry.retired.map { now - $0 > retention } ?? false }
            .map(\.publicKey)
        guard !old.isEmpty else { return [] }
        guard let scratch = arena.reserve(PublicKey.byteCount) else { throw KeyFileError(.arenaFull) }
        let date = UTCTime.text(of: now)
        let written = try unsafe write(to: &file, in: arena) { contents, lines, text in
            var dropped = unsafe oldestTraces(in: lines, of: contents, beyond: prunedLimit - old.count)
            var traces: [Int: PublicKey] = [:]
            for index in lines.indices where lines[index].isKey {
                let key = unsafe publicKey(in: contents[lines[index].text], by: arena.pointer(to: scratch))
                guard let key, old.contains(key) else { continue }
                dropped.insert(index)
                unsafe dropped.formUnion(lines.comments(above: index, of: key, in: contents))
                if !traces.values.contains(key) { traces[index] = key }
            }
            for index in lines.indices {
                if let key = traces[index] { text.append("\(KeyComment.pruned.prefix)\(key.id) \(date)\n") }
                if !dropped.contains(index) { unsafe text.append(contents[lines[index].whole]) }
            }
        }
        let expected = ring.publicKeys.filter { !old.contains($0) }
        guard try read(descriptor: written, into: arena).publicKeys == expected else {
            throw KeyFileError(.system(EIO))
        }
        try file.replace()
        return old.map(\.id)
    }

    /// The ids of keys that were deleted from the file at `path`, and when, in Unix milliseconds.
    package static func prunedKeys(path: String, in arena: SecretArena) throws(KeyFileError) -> [KeyID: Int64] {
        let descriptor = try openFile(path, requirePrivate: true)
        defer { close(descriptor) }
        return try unsafe withContents(of: descriptor, in: arena) { contents throws(KeyFileError) in
            let keys = unsafe KeyFileLine.all(in: contents).compactMap { unsafe $0.prunedKey(in: contents) }
            return Dictionary(keys.map { ($0.id, $0.date) }, uniquingKeysWith: max)
        }
    }

    /// Reads the file, lets `change` compose the new text from it, and writes that beside it; returns its descriptor.
    private static func write(
        to file: inout LockedKeyFile,
        in arena: SecretArena,
        _ change: (UnsafeBufferPointer<UInt8>, [KeyFileLine], inout KeyText) -> Void
    ) throws(KeyFileError) -> Int32 {
        let room = maximumByteCount + 1
        let descriptor = try unsafe arena.withReadingRoom(2 * room) { rooms throws(KeyFileError) -> Int32 in
            let count = try unsafe fill(UnsafeMutableBufferPointer(rebasing: rooms[..<room]), from: file.descriptor)
            let contents = unsafe UnsafeBufferPointer(rebasing: UnsafeBufferPointer(rooms)[..<count])
            var text = unsafe KeyText(UnsafeMutableBufferPointer(rebasing: rooms[room..<room + maximumByteCount]))
            unsafe change(contents, KeyFileLine.all(in: contents), &text)
            guard text.isWhole else { throw KeyFileError(.tooLong(limit: maximumByteCount)) }
            return try file.write(text)
        }
        guard let descriptor else { throw KeyFileError(.arenaFull) }
        return descriptor
    }

    /// The public half of a secret line that has been read before; `scratch` has 32 bytes of locked memory.
    private static func publicKey(
        in line: Slice<UnsafeBufferPointer<UInt8>>,
        by scratch: UnsafeMutablePointer<UInt8>
    ) -> PublicKey? {
        let key = unsafe UnsafeBufferPointer(rebasing: line.prefix { !isSpace($0) })
        let count = unsafe try? Bech32.decode(
            key,
            prefix: SecretLine.keyPrefix,
            into: scratch,
            capacity: PublicKey.byteCount
        )
        defer { unsafe scratch.update(repeating: 0, count: PublicKey.byteCount) }
        return unsafe count == PublicKey.byteCount ? PublicKey(ofSecret: scratch) : nil
    }

    /// The lines that tell of deleted keys, without the newest `count`.
    private static func oldestTraces(
        in lines: [KeyFileLine],
        of contents: UnsafeBufferPointer<UInt8>,
        beyond count: Int
    ) -> Set<Int> {
        let traces = lines.indices.compactMap { index in
            unsafe lines[index].prunedKey(in: contents).map { (index: index, date: $0.date) }
        }
        return Set(traces.sorted { $0.date < $1.date }.dropLast(max(0, count)).map(\.index))
    }
}
