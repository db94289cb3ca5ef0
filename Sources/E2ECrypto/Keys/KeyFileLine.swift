// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The place of one line in a key file; offsets only, so that no byte leaves the locked memory.
struct KeyFileLine {
    /// With the line feed, if there is one.
    let whole: Range<Int>
    /// Without white space at its ends.
    let text: Range<Int>
    let isComment: Bool
    /// True when the line holds the secret of a key pair.
    let isKey: Bool

    static func all(in contents: UnsafeBufferPointer<UInt8>) -> [KeyFileLine] {
        var lines: [KeyFileLine] = []
        var start = 0
        while start < contents.count {
            let end = unsafe contents[start...].firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? contents.count
            var text = start..<end
            while unsafe !text.isEmpty && KeyFile.isSpace(contents[text.lowerBound]) { text.removeFirst() }
            while unsafe !text.isEmpty && KeyFile.isSpace(contents[text.upperBound - 1]) { text.removeLast() }
            let isKey =
                if case .key? = unsafe SecretLine(UnsafeBufferPointer(rebasing: contents[text])) { true } else { false }
            lines.append(
                KeyFileLine(
                    whole: start..<end,
                    text: text,
                    isComment: unsafe !text.isEmpty && contents[text.lowerBound] == UInt8(ascii: "#"),
                    isKey: isKey
                )
            )
            start = end
        }
        return lines
    }

    /// Returns the bytes behind `prefix`; `nil` means that the line does not begin with `prefix`.
    func rest(after prefix: String, in contents: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>>? {
        let line = unsafe contents[text]
        guard unsafe line.starts(with: prefix.utf8) else { return nil }
        return unsafe line.dropFirst(prefix.utf8.count)
    }

    /// The comment of a key pair that the line is, if it is one of this key.
    func comment(of key: PublicKey, in contents: UnsafeBufferPointer<UInt8>) -> KeyComment? {
        guard isComment else { return nil }
        let own = KeyComment.ofKeyPair.first { comment in
            unsafe rest(after: comment.line(of: key), in: contents)?.isEmpty == true
        }
        if let own { return own }
        guard let date = unsafe rest(after: KeyComment.created.prefix, in: contents) else { return nil }
        return unsafe UTCTime.milliseconds(of: date) == nil ? nil : .created
    }

    /// Returns the id of a deleted key and the date of its deletion, in Unix milliseconds, if the line tells of one.
    func prunedKey(in contents: UnsafeBufferPointer<UInt8>) -> (id: KeyID, date: Int64)? {
        guard let words = unsafe rest(after: KeyComment.pruned.prefix, in: contents) else { return nil }
        guard let id = unsafe Hexadecimal.decode(words.prefix(2 * KeyID.byteCount)), id.count == KeyID.byteCount,
            let date = unsafe UTCTime.milliseconds(of: words.dropFirst(2 * KeyID.byteCount + 1))
        else { return nil }
        return (KeyID(reading: id.span, at: 0), date)
    }
}

extension [KeyFileLine] {
    /// The comments of `key` right above the line at `index`, by the index of their lines; those between them that are
    /// someone's own are not among them.
    func comments(
        above index: Int,
        of key: PublicKey,
        in contents: UnsafeBufferPointer<UInt8>
    ) -> [Int] {
        var found: [Int] = []
        var kinds: Set<KeyComment> = []
        var line = index - 1
        while line >= 0, self[line].isComment {
            if let kind = unsafe self[line].comment(of: key, in: contents), kinds.insert(kind).inserted {
                found.append(line)
            }
            line -= 1
        }
        return found
    }
}
