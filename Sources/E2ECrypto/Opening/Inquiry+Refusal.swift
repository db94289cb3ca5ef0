// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The last steps of an inquiry, for a message of the right shape that does not open.
extension Inquiry {
    mutating func explainRefusal(of summary: SealedSummary) {
        let error = refusal ?? .notOpened
        explanation.add("opening", "not opened", error == .notOpened ? .unsure : .wrong)
        switch error {
        case .unknownKey(let id): explainUnknownKey(id, summary.sender)
        case .unknownSender:
            // In a box a paired secret is no key.
            let next = "pass the sender's public key with --sender"
            explanation.conclude("\(error)", summary.header == nil ? next : next + ", or its paired secret with -i")
        case .contextMissing(let part): explanation.conclude("\(error)", "pass it with --\(part.rawValue)")
        case .senderRequired: explanation.conclude("\(error)", "the sender has to seal with a key, -s")
        default: explainNotOpened(summary)
        }
    }

    private mutating func explainUnknownKey(_ id: KeyID, _ sender: KeyID?) {
        let error = OpenError.unknownKey(id)
        if id == sender || keys.senderIDs.contains(id) {
            explanation.conclude(
                "\(error), which is the sender's own",
                "the sender has to name your public key with -r, not the sender's"
            )
        } else if let date = circumstances.pruned[id] {
            let current = keys.entries.first.map { ", \($0.publicKey)" } ?? ""
            explanation.conclude(
                "\(error), which was deleted on \(UTCTime.text(of: date))",
                "nothing opens it any more; ask the sender to seal to the current key\(current)"
            )
        } else {
            explanation.conclude("\(error)", "pass the key file with that key id with -i")
        }
    }

    /// One error, and what public facts leave open.
    private mutating func explainNotOpened(_ summary: SealedSummary) {
        let error = OpenError.notOpened
        guard let header = summary.header else {
            explainNameless(summary)
            return
        }
        let inner = summary.byteCount - header.byteCount - HPKE.encByteCount - HPKE.tagByteCount
        var open = ["topic"]
        if header.flags.contains(.collapseIDBound) { open.append("collapse-id") }
        if header.flags.contains(.requestIDBound) { open.append("request-id") }
        if header.flags.contains(.psk) { open.append("sender's secret") }
        let hint = "the key id matches, so \(open.joined(separator: ", ")) or bytes differ: check --topic first"
        // Senders may pad as they like; most take the steps of FORMAT.md.
        let isUsual = Padding.steps.contains(inner)
        if !isUsual { explanation.add("padding", "found \(inner) bytes", wanted: "\(usualLengths)", .unsure) }
        explanation.conclude(
            "\(error)",
            isUsual ? hint : hint + "; its length is unusual, so it may be cut short"
        )
    }

    private var usualLengths: String {
        Padding.steps.map(String.init).joined(separator: ", ") + " or as much as fits"
    }

    private mutating func explainNameless(_ summary: SealedSummary) {
        let error = OpenError.notOpened
        let bytes = unsafe Array(UnsafeBufferPointer(start: keys.workspace.ciphertext, count: summary.byteCount))
        if summary.format == .sealedBox, bytes.starts(with: "v1.".utf8) || bytes.starts(with: "box.".utf8) {
            explanation.conclude("\(error)", "the text was encoded twice; decode its base64 once")
        } else if summary.format == .sealedBox, let header = try? EnvelopeHeader(parsing: bytes.span),
            keys.entries.contains(where: { $0.publicKey.id == header.recipient })
        {
            explanation.conclude("\(error)", "this is an envelope without its \"v1.\"; put that in front")
        } else if SealedFormats.withSharedSecret.contains(where: { $0.format == summary.format }) {
            let count = keys.sharedSecrets(for: summary.format).count
            let line = "\"\(summary.format): …\""
            explanation.conclude(
                "\(error)",
                count == 0
                    ? "the key file has no line \(line)"
                    : "the secret of the line \(line) differs from the sender's, or \(otherCauses(summary.format))"
            )
        } else {
            let tried = min(keys.entries.count, OpenerKeys.trialLimit)
            explanation.conclude(
                "\(error)",
                "it names no key, and \(tried == 1 ? "the one held was" : "\(tried) were") tried: check -i first"
            )
        }
    }

    /// Names the causes, other than a wrong secret, for which a message under a shared secret does not open.
    private func otherCauses(_ format: SealFormat) -> String {
        switch format {
        case .barkGCM: "the iv or the bytes do"
        // Unauthenticated, so its content is judged under the same error.
        case .barkCBC: "the iv or the bytes do, or what was sealed is no JSON object"
        default: "the bytes do"
        }
    }
}
