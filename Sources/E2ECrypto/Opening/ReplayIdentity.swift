// SPDX-License-Identifier: Apache-2.0

import CSodium

/// The identity of a message: bytes that its sender draws anew for each, hashed with app, device, format and iv.
///
/// Senders choose these bytes, so all of them are hashed, and the app and the format with them: nobody who may send to
/// one app can make the messages of another look old.
/// Source: FORMAT.md, "Replays".
struct ReplayIdentity {
    /// The first of the hashed bytes, which all messages of an app share: u16 length ‖ app.
    let scope: [UInt8]

    init(app: String) {
        scope = Self.prefixed(Array(app.utf8))
    }

    /// BLAKE2b-128 of lp(app) ‖ lp(device) ‖ lp(format) ‖ lp(iv) ‖ bytes; lp(x) = u16 length ‖ x.
    func id(of bytes: Span<UInt8>, device: String?, iv: String?, format: SealFormat) -> ReplaySet.ID {
        var message = scope
        for part in [device ?? "", format.rawValue, iv ?? ""] { message += Self.prefixed(Array(part.utf8)) }
        message.reserveCapacity(message.count + bytes.count)
        for index in bytes.indices { message.append(bytes[index]) }
        var hash = [UInt8](repeating: 0, count: 16)
        _ = unsafe crypto_generichash(&hash, hash.count, message, UInt64(message.count), nil, 0)
        return ReplaySet.ID(reading: hash.span)
    }

    private static func prefixed(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)] + bytes
    }
}
