// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// Known answers for every format, and every forgery of them, before a process trusts itself with a push.
///
/// A forgery is refused by more code than a message is opened by: the libraries put down what was wrong, and take
/// memory or a lock for that the first time. The self-test runs before the process gives up its system calls, so that
/// the first time is over by then. The keys are those of Tests/Vectors and no secret. The set of payloads seen is the
/// test's own.
package struct SelfTest {
    private let opener: Opener
    /// The one format that gives way to another when both are accepted.
    private let unauthenticatedOpener: Opener
    /// Two more, with other keys and no sender.
    private let strangers: (opener: Opener, unauthenticatedOpener: Opener)

    /// Takes its keys' room in the arena, so it comes before the arena is made read-only.
    package init(in arena: SecretArena) throws(KeyFileError) {
        let others = Set(SealFormat.allCases).subtracting([.barkCBC])
        opener = try Self.opener(others, in: arena)
        unauthenticatedOpener = try Self.opener([.barkCBC], in: arena)
        strangers = (
            try Self.opener(others, in: arena, isStranger: true),
            try Self.opener([.barkCBC], in: arena, isStranger: true)
        )
    }

    private static func opener(
        _ accept: Set<SealFormat>,
        in arena: SecretArena,
        isStranger: Bool = false
    ) throws(KeyFileError) -> Opener {
        let secret = isStranger ? recipient.reversed() : recipient
        guard var ring = KeyRing.published(secret, in: arena) else { throw KeyFileError(.arenaFull) }
        for line in isStranger ? strangersSecrets : sharedSecrets { try ring.appendPublished(line) }
        let policy = OpenPolicy(accept: accept, senders: [.init(publicKey: PublicKey(unchecked: sender))])
        return try Opener(keys: ring, policy: policy, replays: ReplaySet(capacity: 16))
    }

    /// The name of the first case that fails; nil when all is well.
    package func firstFailure() -> String? {
        for format in SealedFormats.all {
            guard !format.knownAnswers.isEmpty else { return "\(format.format): no known answer" }
            for answer in format.knownAnswers {
                if let failure = firstFailure(of: answer, format) { return "\(format.format): \(failure)" }
            }
        }
        let malformed = refusal(of: EnvelopeV1.base + "=", .v1, by: opener)
        return malformed == .malformedText(offset: EnvelopeV1.base.utf8.count) ? nil : "malformed"
    }

    private func firstFailure(of answer: KnownAnswer, _ format: any SealedFormat.Type) -> String? {
        let isUnauthenticated = format.format == .barkCBC
        let opener = isUnauthenticated ? unauthenticatedOpener : opener
        let push = KnownAnswer.push(of: answer.text, format.format)
        let opened = try? opener.open(push: push.utf8.span, context: Self.context, now: Self.now).bytes
        guard opened == Array(answer.payload(of: format.format).utf8) else { return "known answer" }
        guard let message = Self.bytes(of: answer.text, format) else { return "text" }
        for fault in Fault.allCases {
            var forged = message
            guard let error = format.forge(fault, &forged) else { continue }
            guard refusal(of: Self.text(of: forged, format), format.format, by: opener) == error else {
                return "forged \(fault)"
            }
        }
        if let text = answer.badlyPadded {
            guard refusal(of: text, format.format, by: opener) == .notOpened else { return "forged padding" }
        }
        let stranger = isUnauthenticated ? strangers.unauthenticatedOpener : strangers.opener
        let error: OpenError =
            format.format == .v1 ? .unknownKey(KeyID(reading: message.span, at: 2)) : .notOpened
        return refusal(of: answer.text, format.format, by: stranger) == error ? nil : "another key"
    }

    private func refusal(of text: String, _ format: SealFormat, by opener: Opener) -> OpenError? {
        let push = KnownAnswer.push(of: text, format)
        do throws(OpenError) {
            _ = try opener.open(push: push.utf8.span, context: Self.context, now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    private static func bytes(of text: String, _ format: any SealedFormat.Type) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: text.utf8.count + 3)
        return try? unsafe bytes.withUnsafeMutableBufferPointer { buffer throws(OpenError) -> [UInt8]? in
            guard let start = buffer.baseAddress else { return nil }
            let count = try unsafe format.decode(text.utf8.span, into: start)
            return unsafe Array(buffer.prefix(count))
        }
    }

    /// base64url without padding, which every format reads.
    private static func text(of bytes: [UInt8], _ format: any SealedFormat.Type) -> String {
        var text = format.textPrefix.map { Array("\($0).".utf8) } ?? []
        Base64.url.append(bytes.span, to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// One number for all: the published envelopes have one ephemeral key.
    private static let context = PushContext(topic: "com.example.app", row: 0)
    private static let now: Int64 = 1_795_228_800_000

    /// The lines of a key file that holds the published secret of each format that has one.
    package static let sharedSecrets = SealedFormats.withSharedSecret.map { "\($0.format): \($0.publishedSecret)" }

    /// The same lines with secrets that fit no message.
    private static let strangersSecrets = SealedFormats.withSharedSecret.map { "\($0.format): \($0.strangersSecret)" }

    package static let recipient: [UInt8] = [
        0x02, 0xA3, 0x78, 0x07, 0x46, 0x7C, 0xC0, 0xE2, 0x49, 0x78, 0x25, 0x68, 0x12, 0xB5, 0xF1, 0xFB,
        0x03, 0x34, 0x1B, 0x79, 0x5B, 0x79, 0xED, 0x8C, 0x1C, 0x85, 0xC0, 0x4F, 0x8E, 0xA6, 0xA4, 0x34,
    ]

    package static let sender: [UInt8] = [
        0xD6, 0x5C, 0x21, 0x45, 0xF3, 0x2A, 0x7A, 0xCE, 0xF6, 0x2F, 0x36, 0xFF, 0xDD, 0x51, 0x46, 0xB8,
        0xB2, 0x06, 0xA8, 0x8B, 0x78, 0x67, 0xE5, 0xCD, 0x61, 0xB4, 0xDD, 0xC5, 0xD4, 0x59, 0x7A, 0x33,
    ]
}
