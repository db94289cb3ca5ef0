// SPDX-License-Identifier: Apache-2.0

/// Known answers for every format, one forged text and one malformed one, before a process trusts itself with a push.
///
/// The keys are those of Tests/Vectors and no secret. The set of payloads seen is the test's own.
package struct SelfTest {
    private let opener: Opener
    /// The one format that gives way to another when both are accepted.
    private let unauthenticatedOpener: Opener

    /// Takes its keys' room in the arena, so it comes before the arena is made read-only.
    package init(in arena: SecretArena) throws(KeyFileError) {
        opener = try Self.opener(Set(SealFormat.allCases), in: arena)
        unauthenticatedOpener = try Self.opener([.barkCBC], in: arena)
    }

    private static func opener(_ accept: Set<SealFormat>, in arena: SecretArena) throws(KeyFileError) -> Opener {
        guard var ring = KeyRing.published(recipient, in: arena) else { throw KeyFileError(.arenaFull) }
        for line in sharedSecrets { try ring.appendPublished(line) }
        let policy = OpenPolicy(accept: accept, senders: [.init(publicKey: PublicKey(unchecked: sender))])
        return try Opener(keys: ring, policy: policy, replays: ReplaySet(capacity: 16))
    }

    /// The name of the first case that fails; nil when all is well.
    package func firstFailure() -> String? {
        for answer in Self.answers {
            let opener = answer.format == .barkCBC ? unauthenticatedOpener : opener
            let payload = try? opener.open(push: answer.push.utf8.span, context: Self.context, now: Self.now).bytes
            guard payload == Array(answer.payload.utf8) else { return answer.format.rawValue }
        }
        guard refusal(of: Self.base.dropLast() + "g") == .notOpened else { return "forged" }
        guard refusal(of: Self.base + "=") == .malformedText(offset: Self.base.utf8.count) else { return "malformed" }
        return nil
    }

    private func refusal(of text: String) -> OpenError? {
        do throws(OpenError) {
            _ = try opener.open(text: text.utf8.span, context: Self.context, now: Self.now)
            return nil
        } catch {
            return error
        }
    }

    /// One number for all: the published envelopes have one ephemeral key.
    private static let context = PushContext(topic: "com.example.app", row: 0)
    private static let now: Int64 = 1_795_228_800_000
}

// MARK: Known answers

extension SelfTest {
    private struct Answer {
        let format: SealFormat
        let push: String
        let payload: String

        /// `body` is what stands beside `aps` in the push.
        init(_ format: SealFormat, _ body: String, _ content: String = door, sender: String? = nil) {
            self.format = format
            push = #"{"aps":{"alert":"clear","mutable-content":1},\#(body)}"#
            let isAuthenticated =
                ![.sealedBox, .barkGCM, .barkCBC].contains(format) && (format != .v1 || sender != nil)
            let name = sender.map { #""\#($0)""# } ?? "null"
            payload =
                #"{"aps":{"alert":\#(content)},"encryption":{"format":"\#(format)","#
                + #""authenticated":\#(isAuthenticated),"sender":\#(name)}}"#
        }
    }

    private static let door = #"{"title":"Door","body":"Front door opened"}"#

    private static let answers = [
        Answer(.v1, #""encrypted-content":"\#(base)""#),
        Answer(.v1, #""encrypted-content":"\#(psk)""#, sender: "569e210ce4742c83"),
        Answer(.sealedBox, #""encrypted-content":"\#(sealedBox)""#),
        Answer(.box, #""encrypted-content":"\#(box)""#, sender: "569e210ce4742c83"),
        Answer(
            .webPush,
            #""encrypted-content":"\#(webPush)""#,
            #"{"body":"When I grow up, I want to be a watermelon"}"#
        ),
        Answer(.homeAssistant, #""encrypted":true,"encrypted_data":"\#(homeAssistant)""#),
        Answer(.barkGCM, #""ciphertext":"\#(barkGCM)""#),
        Answer(.barkCBC, #""ciphertext":"\#(barkCBC)""#, #"{"body":"test"},"sound":"birdsong""#),
    ]

    /// Lines of a key file.
    static let sharedSecrets = [
        "web-push: q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94 BTBZMqHH6r4Tts7J_aSIgg",
        "home-assistant: c0ca21e5296018ec36a7da38f36bd758d96d95a5b6a74049c5fa98ec65cbb183",
        "bark-gcm: 1234567890123456 111111111111",
        "bark-cbc: 1234567890123456 1111111111111111",
    ]

    static let recipient: [UInt8] = [
        0x02, 0xA3, 0x78, 0x07, 0x46, 0x7C, 0xC0, 0xE2, 0x49, 0x78, 0x25, 0x68, 0x12, 0xB5, 0xF1, 0xFB,
        0x03, 0x34, 0x1B, 0x79, 0x5B, 0x79, 0xED, 0x8C, 0x1C, 0x85, 0xC0, 0x4F, 0x8E, 0xA6, 0xA4, 0x34,
    ]

    static let sender: [UInt8] = [
        0xD6, 0x5C, 0x21, 0x45, 0xF3, 0x2A, 0x7A, 0xCE, 0xF6, 0x2F, 0x36, 0xFF, 0xDD, 0x51, 0x46, 0xB8,
        0xB2, 0x06, 0xA8, 0x8B, 0x78, 0x67, 0xE5, 0xCD, 0x61, 0xB4, 0xDD, 0xC5, 0xD4, 0x59, 0x7A, 0x33,
    ]

    private static let base = """
        v1.AQCNlv7NEmhMnewtZC-\
        rhpAyczo7vLU8Db41lKgfG4HVVU5k2PlNd5cCsH4rWa_AmL3DhTIDDlpXC2ZDhh9nPc1ghPVMt1NUJeaj3F0fxj3uAToIj-qD9Rk\
        276rMNj1bJMP8yq2TxSuoTQiX1K37-BkXG4u0j-\
        gypkg537IwKapkI2A17QdWbNwV2Y9eXyWkumMmiyrrcbnffFQadiCB84burm4_KzKizhZMjwHlEj9D0vZyE8ITC6OYTpiNlX4eoN\
        uF5ACq6nZq5dCPjZ6lyhXmIxdI7CW9sdjGBqQNM5dcOC_nRZxmnBtWFB35QxLols55TlxLg04MBoyG8SFFhxnJsc9Q4NHEGi9-\
        OGoYeFSTt7KtYHWg75kc8af1bZwbaNSsBZfxoPM_TFQ90l9MYf-p95CJmORK5-w
        """

    private static let psk = """
        v1.AQGNlv7NEmhMnVaeIQzkdCyD7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY-U13lwLOPOnboMcP8UXzbQB8d3gngzp8-\
        vCB6GW5QIjq10NO_yu2XVNStDfVjLRDjxhH4qMCn_g5y3CEW1gw2VFDe66etQxtssoJQpeTxs9yZTpcsqJkFCLMI81hGXnxqKDxJ\
        Tpi2nn1c3gieJVvEaMgBHDa8kwauuD8q7hWnduXAO52iksugjWGZDNIXSUHmjotemrRyL7BRffAdDZ8FQ6VP-\
        W2x1M14rLVuxUhogJhVB_3StntL8UYmBlbXd_2dEu9fo4whp32VOpguoIKNITv737F0K4Se3pos45j2N9O3VYJH1ynsxK9LsNZpo\
        _i02yEbGzPbJSNh3Pyo0on6kZpqn2kLEyCH51_kl3UVrWSkCw8fg
        """

    private static let sealedBox = """
        7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY+U13lwKyHwjOqjt3Xu/E+7h+ibDPeoli65pVuQQvmnfriS6KwZcEObO/B+VZNWmp\
        v5vBvnsW2jDnv+B+js3cdA==
        """

    private static let box = """
        box.Vp4hDOR0LIMAAQIDBAUGBwgJCgsMDQ4PEBESExQVFhetB-\
        eC6uqNylFvgMDootayjEVzbvgmcSqwCNtq57GOYEi6ICTbcsUfuR2YVnvi7EMGmaRzRrl9y-3Aqw
        """

    /// RFC 8291, Appendix A.
    private static let webPush = """
        wp.DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBr\
        u3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
        """

    private static let homeAssistant = """
        AAECAwQFBgcICQoLDA0ODxAREhMUFRYXEiZ3yDuSTyJt/RDyzZLItBH+//uyzfNTWhSWFjXWRUw1rNIudiC0EsHWZIpQYvdxRxQnfJWaa4yKYig=
        """

    private static let barkGCM = "6tYbvXgiN6R6tFfiUkzAow6P/j++zuHUoRBbm5rEBID6uvXvLBrZywZ3GtTjGXoxuU253vDtG+059sY="
    /// The example of Bark's documentation.
    private static let barkCBC = "d3QhjQjP5majvNt5CjsvFWwqqj2gKl96RFj5OO+u6ynTt7lkyigDYNA3abnnCLpr"
}
