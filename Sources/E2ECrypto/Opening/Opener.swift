// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Opens the sealed payloads of one app.
///
/// `open(push:context:now:)` is all that a receiver needs:
/// ```swift
/// let ring = try KeyFile.read(path: "recipient.key", into: SecretArena())
/// let opener = try Opener(keys: ring, policy: OpenPolicy())
/// let opened = try opener.open(push: body, context: PushContext(topic: "com.example.chat"), now: milliseconds)
/// ```
/// It reads no clock and no file, and after its creation allocates no locked memory. Not `Sendable`: see `SecretArena`.
///
/// A refusal changes nothing: neither the set of payloads seen nor anything that a later call could observe. The set
/// has a fixed size; hand one over, and keep it in a `ReplayJournal`, so that what one opener or process has opened
/// another one refuses. Source: FORMAT.md, "Opening".
public final class Opener {
    /// 5 minutes: how far the clock of a sender may run ahead.
    static let clockTolerance: Int64 = 5 * 60 * 1000

    let keys: OpenerKeys
    private let replays: ReplaySet
    private let identity: ReplayIdentity

    /// Takes the keys and derives what it shares with each of the policy's senders.
    ///
    /// Throws a `KeyFileError` without a line: `key(.unusable)` for a sender's key, `arenaFull`.
    public convenience init(keys: consuming KeyRing, policy: OpenPolicy) throws(KeyFileError) {
        try self.init(keys: keys, policy: policy, replays: ReplaySet())
    }

    /// Takes also a set of payloads seen, which several openers of one process share, or use one after the other.
    ///
    /// `app` tells those of one app from those of another in the same set; at most 65,535 bytes of UTF-8 count.
    public init(
        keys: consuming KeyRing,
        policy: OpenPolicy,
        replays: ReplaySet,
        app: String = ""
    ) throws(KeyFileError) {
        self.keys = try OpenerKeys(ring: keys, policy: policy)
        self.replays = replays
        identity = ReplayIdentity(app: app)
    }

    /// Payloads remembered at the moment.
    package var replayCount: Int { replays.count }

    /// Opens a whole push, a JSON object in UTF-8, in the fields of any accepted format.
    ///
    /// Keys beside the sealed text that the policy keeps survive. `now` is in Unix milliseconds. Throws every case of
    /// `OpenError`; the caller then shows the push as it came, the sender's own fallback. `formatNotAccepted(nil)` says
    /// also that it is no JSON object or holds nothing sealed.
    public func open(push: Span<UInt8>, context: PushContext, now: Int64) throws(OpenError) -> Opened {
        let object: JSONObject
        do { object = try JSONObject(parsing: push) } catch { throw .formatNotAccepted(nil) }
        return try open(payload: Payload(object), context: context, now: now)
    }

    /// Opens a bare text, as it stands in `encrypted-content`; otherwise as `open(push:context:now:)`.
    public func open(text: Span<UInt8>, context: PushContext, now: Int64) throws(OpenError) -> Opened {
        let message = Message(field: .encryptedContent, iv: nil, clear: [:])
        return try open(text, message, context: context, now: now)
    }

    /// Opens a push that is read already; otherwise as `open(push:context:now:)`.
    package func open(payload: Payload, context: PushContext, now: Int64) throws(OpenError) -> Opened {
        guard let field = SealedField.first(in: payload.object, among: keys.fields),
            case .string(let text) = field.value(in: payload.object)
        else { throw .formatNotAccepted(nil) }
        // No format of ours has an iv beside it; one that a gateway adds must change nothing.
        let iv = field == .ciphertext ? payload["iv"]?.string : nil
        let message = Message(field: field, iv: iv, clear: payload.object)
        return try open(text.utf8.span, message, context: context, now: now)
    }
}

// MARK: Steps

extension Opener {
    /// The field in which a text stood, and what stood beside it.
    private struct Message {
        let field: SealedField
        let iv: String?
        let clear: JSONObject
    }

    private func open(
        _ text: Span<UInt8>,
        _ message: Message,
        context: PushContext,
        now: Int64
    ) throws(OpenError) -> Opened {
        let accept = keys.policy.accept
        let format = try SealedSummary.format(of: text, in: message.field, accept: accept)
        guard accept.contains(format.format) else { throw .formatNotAccepted(format.format) }
        let summary = try unsafe SealedSummary(format, decoding: text, into: keys.workspace.ciphertext)
        guard summary.sender != nil || !keys.policy.requiresSender else { throw .senderRequired }
        // No plaintext is longer than what was decoded, and a refusal leaves none either, whatever its padding.
        defer { keys.workspace.wipePlaintext(summary.byteCount) }
        let unsealed = try format.unseal(Sealed(summary: summary, context: context, iv: message.iv), with: keys)
        try checkTime(of: unsealed, now: now)
        let id = id(of: unsealed, device: context.device, iv: message.iv, format.format)
        if let id, replays.isReplay(id, push: context.row, now: now) { throw .replayed }
        var payload = try content(of: unsealed, format)
        let kept = keep(message.clear, in: &payload)
        payload["encryption"] = Self.seal(format.format, unsealed, kept: kept)
        // Last of all, so that whatever was refused before leaves no trace.
        let expiry = min(unsealed.issued ?? now, .max - unsealed.lifetime) + unsealed.lifetime
        if let id { replays.insert(id, push: context.row, expiry: expiry, now: now) }
        return Opened(
            payload: Payload(payload),
            format: format.format,
            isAuthenticated: unsealed.isAuthenticated,
            sender: unsealed.sender,
            usesRetiredKey: unsealed.usesRetiredKey,
            mark: id.map { Mark($0, expiry: expiry) }
        )
    }

    private func id(
        of unsealed: Unsealed,
        device: String?,
        iv: String?,
        _ format: SealFormat
    ) -> ReplaySet.ID? {
        guard let range = unsealed.identity else { return nil }
        let bytes = unsafe keys.workspace.ciphertext
        let identity = unsafe Span(_unsafeStart: bytes, count: range.upperBound)
        return self.identity.id(of: identity.extracting(range), device: device, iv: iv, format: format)
    }

    private func content(
        of unsealed: Unsealed,
        _ format: any SealedFormat.Type
    ) throws(OpenError) -> JSONObject {
        let plaintext = unsafe keys.workspace.plaintext
        let content = unsafe Span(_unsafeStart: plaintext, count: unsealed.content.upperBound)
        do {
            return try ContentRules.payload(
                from: content.extracting(unsealed.content),
                unsealed.kind,
                allowsCritical: keys.policy.allowsCritical,
                translate: { format.translate($0) }
            )
        } catch {
            throw unsealed.isIntact ? error : .notOpened
        }
    }

    private func checkTime(of unsealed: Unsealed, now: Int64) throws(OpenError) {
        guard let issued = unsealed.issued else { return }
        guard issued - Self.clockTolerance <= now else { throw .issuedInFuture }
        guard now <= issued + unsealed.lifetime else { throw .expired }
    }

    /// Copies the clear keys that the policy names; what was sealed under the same name wins.
    private func keep(_ clear: JSONObject, in payload: inout JSONObject) -> [String] {
        guard !keys.policy.keepClear.isEmpty else { return [] }
        var kept: [String] = []
        for member in clear.members
        where keys.policy.keepClear.contains(member.key) && payload[member.key] == nil
            && !Self.reservedKeys.contains(member.key)
        {
            payload[member.key] = member.value
            kept.append(member.key)
        }
        return kept
    }

    private static let reservedKeys: Set<String> = [
        "aps", "encrypted-content", "encryption", "encrypted", "encrypted_data", "ciphertext", "iv",
    ]

    /// The receiver's word on the payload; `clear` only where unauthenticated keys stand beside the content.
    private static func seal(_ format: SealFormat, _ unsealed: Unsealed, kept: [String]) -> JSON {
        var seal: JSONObject = [
            "format": .string(format.rawValue),
            "authenticated": .bool(unsealed.isAuthenticated),
            "sender": unsealed.sender.map { .string($0.description) } ?? .null,
        ]
        if !kept.isEmpty { seal["clear"] = .array(kept.map { .string($0) }) }
        return .object(seal)
    }
}
