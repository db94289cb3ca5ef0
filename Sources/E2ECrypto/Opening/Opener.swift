// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Opens the sealed payloads of one app.
///
/// `open(text:context:now:)` is all that a receiver needs:
/// ```swift
/// let arena = try SecretArena()
/// let ring = try KeyFile.read(path: "recipient.key", into: arena)
/// let opener = try Opener(keys: ring, policy: OpenPolicy())
/// let payload = try opener.open(text: text, context: PushContext(topic: "com.example.chat"), now: milliseconds)
/// ```
/// An opener belongs to one thread. It reads no clock and no file, and after its creation allocates no locked memory.
/// A refusal changes nothing: neither the set of payloads seen nor anything that a later call could observe.
public final class Opener {
    /// 5 minutes: how far the clock of a sender may run ahead.
    static let clockTolerance: Int64 = 5 * 60 * 1000

    private let keys: OpenerKeys
    private let replays: ReplaySet

    /// Takes the keys and derives what it shares with each of the policy's senders.
    ///
    /// Throws a `KeyFileError` without a line: `key(.unusable)` for a sender's key, `arenaFull`.
    public convenience init(keys: consuming KeyRing, policy: OpenPolicy) throws(KeyFileError) {
        try self.init(keys: keys, policy: policy, replays: ReplaySet())
    }

    /// As above, with a set of payloads seen that several openers of one process share.
    package init(keys: consuming KeyRing, policy: OpenPolicy, replays: ReplaySet) throws(KeyFileError) {
        self.keys = try OpenerKeys(ring: keys, policy: policy)
        self.replays = replays
    }

    /// Payloads remembered at the moment.
    package var replayCount: Int { replays.count }

    /// Opens a sealed text to a payload, UTF-8 JSON with `aps` and `encryption`.
    ///
    /// `now` is in Unix milliseconds.
    public func open(text: Span<UInt8>, context: PushContext, now: Int64) throws(OpenError) -> [UInt8] {
        try openObject(text: text, clear: [:], context: context, now: now).serialized
    }

    /// Opens `encrypted-content` of a clear payload; keys beside it that the policy keeps survive.
    package func open(payload: Payload, context: PushContext, now: Int64) throws(OpenError) -> Payload {
        guard case .string(let text) = payload.encryptedContent else { throw .formatNotAccepted(nil) }
        return Payload(
            try openObject(text: text.utf8.span, clear: payload.object, context: context, now: now)
        )
    }
}

// MARK: Steps

extension Opener {
    private func openObject(
        text: Span<UInt8>,
        clear: JSONObject,
        context: PushContext,
        now: Int64
    ) throws(OpenError) -> JSONObject {
        guard text.count <= Workspace.maximumTextByteCount else {
            throw .tooLarge(limit: Workspace.maximumTextByteCount, got: text.count)
        }
        guard let format = SealedFormats.format(of: text) else { throw .formatNotAccepted(nil) }
        guard keys.policy.accept.contains(format.format) else { throw .formatNotAccepted(format.format) }
        let unsealed = try format.unseal(text, context: context, with: keys)
        defer { keys.workspace.wipePlaintext(unsealed.content.upperBound) }
        try checkTime(of: unsealed, now: now)
        guard !replays.isReplay(unsealed.replayID, push: context.row, now: now) else { throw .replayed }
        let plaintext = unsafe keys.workspace.plaintext
        let content = unsafe Span(_unsafeStart: plaintext, count: unsealed.content.upperBound)
        var payload = try ContentRules.payload(
            from: content.extracting(unsealed.content),
            unsealed.kind,
            allowsCritical: keys.policy.allowsCritical
        )
        let kept = keep(clear, in: &payload)
        payload["encryption"] = Self.seal(format.format, sender: unsealed.sender, kept: kept)
        // Last of all, so that whatever was refused before leaves no trace.
        let expiry = (unsealed.issued ?? now) + unsealed.lifetime
        replays.insert(unsealed.replayID, push: context.row, expiry: expiry, now: now)
        return payload
    }

    private func checkTime(of unsealed: Unsealed, now: Int64) throws(OpenError) {
        guard let issued = unsealed.issued else { return }
        guard issued <= now + Self.clockTolerance else { throw .issuedInFuture }
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

    private static let reservedKeys: Set<String> = ["aps", "encrypted-content", "encryption"]

    /// The receiver's word on the payload; `clear` only where unauthenticated keys stand beside the content.
    private static func seal(_ format: SealFormat, sender: KeyID?, kept: [String]) -> JSON {
        var seal: JSONObject = [
            "format": .string(format.rawValue),
            "authenticated": .bool(sender != nil),
            "sender": sender.map { .string($0.description) } ?? .null,
        ]
        if !kept.isEmpty { seal["clear"] = .array(kept.map { .string($0) }) }
        return .object(seal)
    }
}
