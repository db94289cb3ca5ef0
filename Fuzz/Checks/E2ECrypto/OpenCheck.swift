// SPDX-License-Identifier: Apache-2.0

public import E2ECrypto
private import NotificationPayload

/// Feeds hostile bytes to an opener with published keys that accepts every format, and holds what comes out against
/// what is promised.
///
/// Bytes that begin with `{` are a whole push, all others a sealed text.
public final class OpenCheck {
    /// The outcome of one input.
    public enum Result: Equatable, Sendable {
        case opened
        case refused(OpenError)
        /// The payload is not what FORMAT.md says of every opened payload, or the refusal left a trace.
        case broken
    }

    private let keys: PublishedKeys

    /// Returns `nil` when there is no locked memory.
    public init?() {
        guard let keys = PublishedKeys() else { return nil }
        self.keys = keys
    }

    /// Opens one input, whatever it is.
    public func callAsFunction(_ bytes: [UInt8]) -> Result {
        bytes.first == UInt8(ascii: "{")
            ? Self.result(of: keys.opener) { opener throws(OpenError) in
                try opener.open(push: bytes.span, context: PublishedKeys.context, now: PublishedKeys.now)
            }
            : Self.result(of: keys.opener) { opener throws(OpenError) in
                try opener.open(text: bytes.span, context: PublishedKeys.context, now: PublishedKeys.now)
            }
    }

    static func result(of opener: Opener, _ open: (Opener) throws(OpenError) -> Opener.Opened) -> Result {
        let remembered = opener.replayCount
        do {
            return isSound(try open(opener).bytes) ? .opened : .broken
        } catch {
            return opener.replayCount == remembered ? .refused(error) : .broken
        }
    }

    private static func isSound(_ bytes: [UInt8]) -> Bool {
        guard let payload = try? JSONObject(parsing: bytes.span) else { return false }
        guard let aps = payload["aps"]?.object, payload["encrypted-content"] == nil else { return false }
        guard aps["mutable-content"] == nil, aps["interruption-level"] != "critical" else { return false }
        guard let seal = payload["encryption"]?.object,
            let format = seal["format"]?.string.flatMap(SealFormat.init(rawValue:)),
            let isAuthenticated = seal["authenticated"]?.bool
        else { return false }
        return switch format {
        case .v1, .box: isAuthenticated == (seal["sender"]?.string != nil)
        case .sealedBox, .barkCBC: !isAuthenticated && seal["sender"] == .null
        // As the iv is the message's own or not.
        case .barkGCM: seal["sender"] == .null
        default: isAuthenticated && seal["sender"] == .null
        }
    }
}
