// SPDX-License-Identifier: Apache-2.0

import CSodium
import NotificationPayload

/// A line of a key file that holds a secret, recognised by how it begins.
///
/// `NSE-SECRET-KEY-1…`, perhaps with ` retired=` and a date behind it; `NSE-PSK-1…`; or the name of a format, a colon
/// and words.
/// Source: FORMAT.md, "Key files".
enum SecretLine {
    case key
    case pairedSecret
    case shared(any SharedSecretFormat.Type)

    /// nil for a line that begins like none of them.
    init?(_ line: UnsafeBufferPointer<UInt8>) {
        if unsafe Self.hasPrefix(line, Self.keyPrefix + "1") {
            self = .key
        } else if unsafe Self.hasPrefix(line, Self.pairedSecretPrefix + "1") {
            self = .pairedSecret
        } else if let format = SealedFormats.withSharedSecret.first(where: { format in
            unsafe Self.hasPrefix(line, format.format.rawValue + ":")
        }) {
            self = .shared(format)
        } else {
            return nil
        }
    }

    static let keyPrefix = "nse-secret-key-"
    static let pairedSecretPrefix = "nse-psk-"

    private var byteCount: Int {
        switch self {
        case .key: PublicKey.byteCount
        case .pairedSecret: KeyID.byteCount + SenderSecret.byteCount
        case .shared(let format): format.secretByteCount
        }
    }

    /// Decodes the secret into the ring's arena; a line that cannot be read leaves nothing there.
    static func read(
        _ line: UnsafeBufferPointer<UInt8>,
        number: Int,
        into ring: inout KeyRing
    ) throws(KeyFileError) {
        guard let kind = unsafe SecretLine(line) else {
            let isPublic = unsafe hasPrefix(line, PublicKey.prefix + "1")
            throw KeyFileError(line: number, .key(isPublic ? .publicKey : .unknownKind))
        }
        guard ring.count < KeyRing.limit else { throw KeyFileError(line: number, .tooManyKeys(limit: KeyRing.limit)) }
        // A data part of another length is measured by the decoder, which never writes past this room.
        guard ring.arena.remainingByteCount >= KeyFile.maximumByteCount + 1 + kind.byteCount,
            let place = ring.arena.reserve(kind.byteCount)
        else { throw KeyFileError(line: number, .arenaFull) }
        let bytes = unsafe ring.arena.pointer(to: place)
        do throws(KeyTextError) {
            switch kind {
            case .key:
                let (key, retired) = try unsafe attributes(of: line)
                try unsafe kind.decode(key, prefix: keyPrefix, into: bytes)
                ring.append(place, retired: retired)
            case .pairedSecret:
                try unsafe kind.decode(line, prefix: pairedSecretPrefix, into: bytes)
                let id = KeyID(reading: unsafe Span(_unsafeStart: bytes, count: kind.byteCount), at: 0)
                ring.append(.init(id: id, secret: .init(offset: place.offset + KeyID.byteCount)))
            case .shared(let format):
                guard unsafe format.readSecret(words(of: line, after: format.format), into: bytes) else {
                    throw .malformedSecret(format.format)
                }
                ring.append(.init(format: format.format, secret: place))
            }
        } catch {
            unsafe sodium_memzero(bytes, kind.byteCount)
            throw KeyFileError(line: number, .key(error))
        }
    }

    private func decode(
        _ text: UnsafeBufferPointer<UInt8>,
        prefix: String,
        into bytes: UnsafeMutablePointer<UInt8>
    ) throws(KeyTextError) {
        let count = try unsafe Bech32.decode(text, prefix: prefix, into: bytes, capacity: byteCount)
        guard count == byteCount else { throw .wrongByteCount(got: count) }
    }

    private static func words(
        of line: UnsafeBufferPointer<UInt8>,
        after format: SealFormat
    ) -> UnsafeBufferPointer<UInt8> {
        let start = format.rawValue.utf8.count + 1
        return unsafe UnsafeBufferPointer(rebasing: line[start...].drop { KeyFile.isSpace($0) })
    }

    private static func hasPrefix(_ line: UnsafeBufferPointer<UInt8>, _ prefix: String) -> Bool {
        guard line.count >= prefix.utf8.count else { return false }
        return unsafe zip(line, prefix.utf8).allSatisfy { byte, expected in
            byte == expected || (expected >= UInt8(ascii: "a") && byte == expected & ~0x20)
        }
    }
}

// MARK: Retirement

extension SecretLine {
    static let retiredAttribute = "retired="

    /// The key of a line, and the moment behind it in Unix milliseconds.
    private static func attributes(
        of line: UnsafeBufferPointer<UInt8>
    ) throws(KeyTextError) -> (key: UnsafeBufferPointer<UInt8>, retired: Int64?) {
        guard let end = unsafe line.firstIndex(where: { KeyFile.isSpace($0) }) else { return unsafe (line, nil) }
        let rest = unsafe Array(line[end...].drop { KeyFile.isSpace($0) })
        guard rest.starts(with: retiredAttribute.utf8),
            let retired = UTCTime.milliseconds(of: rest.dropFirst(retiredAttribute.utf8.count))
        else { throw .malformedAttribute }
        return unsafe (UnsafeBufferPointer(rebasing: line[..<end]), retired)
    }
}
