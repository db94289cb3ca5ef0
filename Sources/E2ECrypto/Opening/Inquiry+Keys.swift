// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The steps about keys: the recipient and the sender that a message names, what it is bound to, and when it is valid.
extension Inquiry {
    mutating func describe(_ summary: SealedSummary) {
        explanation.add("length", "\(summary.byteCount) bytes")
        guard let header = summary.header else {
            describeNamelessKeys(of: summary)
            return
        }
        explanation.add("kind", "1, HPKE to one recipient")
        let flags: [(EnvelopeHeader.Flags, String)] = [
            (.psk, "sender authenticated"), (.collapseIDBound, "collapse-id bound"),
            (.requestIDBound, "request-id bound"),
        ]
        let words = flags.filter { header.flags.contains($0.0) }.map(\.1)
        explanation.add("flags", words.isEmpty ? "none" : words.joined(separator: ", "))
        let holds = keys.entries.contains { $0.publicKey.id == header.recipient }
        explanation.add("key id", "held \(heldKeys)", wanted: "\(header.recipient)", holds ? .fine : .wrong)
        describeSender(summary.sender, among: keys.senderIDs)
        describeBindings(of: header)
    }

    private mutating func describeNamelessKeys(of summary: SealedSummary) {
        let shared = keys.sharedSecrets(for: summary.format).count
        if SealedFormats.withSharedSecret.contains(where: { $0.format == summary.format }) {
            let name = "\(summary.format) secret"
            explanation.add(
                name,
                "held \(shared)",
                wanted: "the sender's",
                shared == 0 ? .wrong : isAuthentic ? .fine : .unsure
            )
        } else {
            let verdict: Explanation.Verdict = isAuthentic ? .fine : .unsure
            explanation.add("key id", "none named; held \(heldKeys)", keys.entries.isEmpty ? .wrong : verdict)
            describeSender(summary.sender, among: keys.senderKeyIDs)
        }
        explanation.add("bound to", "nothing")
    }

    /// The refusal, if there is one, came after the tag was found right.
    private var isAuthentic: Bool {
        switch refusal {
        case nil, .expired?, .issuedInFuture?, .replayed?, .badContent?: true
        default: false
        }
    }

    private var heldKeys: String {
        guard !keys.entries.isEmpty else { return "none" }
        return keys.entries.enumerated().map { index, entry in
            let state = entry.retired.map { "retired \(UTCTime.text(of: $0))" } ?? (index == 0 ? "current" : "older")
            return "\(entry.publicKey.id) (\(state))"
        }.joined(separator: ", ")
    }

    private mutating func describeSender(_ sender: KeyID?, among known: [KeyID]) {
        guard let sender else {
            explanation.add("sender", "anonymous")
            return
        }
        let names = known.isEmpty ? "none" : known.map { "\($0)" }.joined(separator: ", ")
        explanation.add("sender", "known \(names)", wanted: "\(sender)", known.contains(sender) ? .fine : .wrong)
    }

    private mutating func describeBindings(of header: EnvelopeHeader) {
        // Once it has opened, all that is bound was right.
        let unsure: Explanation.Verdict = isAuthentic ? .fine : .unsure
        explanation.add("topic", "given \"\(context.topic)\"", wanted: "what it was sealed for", unsure)
        let parts: [(PushContext.Part, EnvelopeHeader.Flags, String?)] = [
            (.collapseID, .collapseIDBound, context.collapseID), (.requestID, .requestIDBound, context.requestID),
        ]
        for (part, flag, value) in parts {
            let given = value.map { "given \"\($0)\"" } ?? "not given"
            if header.flags.contains(flag) {
                let verdict = value == nil ? .wrong : unsure
                explanation.add(part.rawValue, given, wanted: "what it was sealed for", verdict)
            } else {
                explanation.add(part.rawValue, "not bound, \(given)")
            }
        }
    }

    // MARK: Outcome

    mutating func describeOutcome(of summary: SealedSummary, _ format: any SealedFormat.Type) {
        defer { keys.workspace.wipePlaintext(summary.byteCount) }
        let sealed = Sealed(summary: summary, context: context, iv: iv)
        guard isAuthentic, let unsealed = try? format.unseal(sealed, with: keys) else {
            explainRefusal(of: summary)
            return
        }
        explanation.add("opening", unsealed.usesRetiredKey ? "opened, with a retired key" : "opened")
        if let issued = unsealed.issued {
            let lifetime = unsealed.lifetime
            let isEarly = issued > now + Opener.clockTolerance
            let isLate = now > issued + lifetime
            let distance = "\(spanInWords(now - issued)) \(now < issued ? "before" : "after") it was issued"
            explanation.add("issued", UTCTime.text(of: issued))
            explanation.add("valid", "\(spanInWords(lifetime)), until \(UTCTime.text(of: issued + lifetime))")
            explanation.add("now", "\(UTCTime.text(of: now)), \(distance)", isEarly || isLate ? .wrong : .fine)
        } else {
            explanation.add("issued", "not dated")
        }
        explainDates(unsealed)
    }

    private mutating func explainDates(_ unsealed: Unsealed) {
        guard let refusal else {
            explanation.add("result", unsealed.isAuthenticated ? "opened, authentic" : "opened, anonymous")
            if unsealed.usesRetiredKey {
                explanation.next = "ask the sender to seal to \(keys.entries[0].publicKey), the current key"
            }
            return
        }
        let issued = unsealed.issued ?? now
        switch refusal {
        case .issuedInFuture where (now * 1000 - issued).magnitude < Unsealed.maximumLifetime.magnitude:
            explanation.conclude(
                "\(refusal), as seen from \(UTCTime.text(of: now))",
                "the moment given is in seconds; pass milliseconds, --at \(now * 1000)"
            )
        case .issuedInFuture:
            explanation.conclude("\(refusal)", "one of two clocks is off; pass the moment it came with --at")
        case .expired:
            explanation.conclude("\(refusal)", "pass the moment it came with --at")
        case .badContent:
            let isWhose = unsealed.isAuthenticated ? "it is authentic" : "it was sealed so, nobody knows by whom"
            explanation.conclude("\(refusal)", "\(isWhose); tell the sender what FORMAT.md, \"Content rules\", asks")
        default:
            explanation.conclude("\(refusal)", "each push is sealed anew; the sender has sent this one twice")
        }
    }
}
