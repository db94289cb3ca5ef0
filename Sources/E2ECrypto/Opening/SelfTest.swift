// SPDX-License-Identifier: Apache-2.0

/// Known answers for every format, one forged text and one malformed one, before a process trusts itself with a push.
///
/// The keys are those of Tests/Vectors and no secret. The set of payloads seen is the test's own.
package struct SelfTest {
    private let opener: Opener

    /// Takes its keys' room in the arena, so it comes before the arena is made read-only.
    package init(in arena: SecretArena) throws(KeyFileError) {
        guard let ring = KeyRing.published(Self.recipient, in: arena) else { throw KeyFileError(.arenaFull) }
        let sender = OpenPolicy.Sender(publicKey: PublicKey(unchecked: Self.sender))
        opener = try Opener(keys: ring, policy: OpenPolicy(senders: [sender]), replays: ReplaySet(capacity: 8))
    }

    /// The name of the first case that fails; nil when all is well.
    package func firstFailure() -> String? {
        for (name, text) in [("v1", Self.base), ("v1 psk", Self.psk), ("sealed-box", Self.box)]
        where open(text) != .opened(format: name) {
            return name
        }
        guard open(Self.base.dropLast() + "g") == .refused(.notOpened) else { return "forged" }
        guard open(Self.base + "=") == .refused(.malformedText(offset: Self.base.utf8.count)) else {
            return "malformed"
        }
        return nil
    }

    private enum Answer: Equatable {
        case opened(format: String)
        case refused(OpenError)
        case wrong
    }

    private func open(_ text: String) -> Answer {
        do {
            let context = PushContext(topic: "com.example.app")
            let payload = try opener.open(text: text.utf8.span, context: context, now: 1_795_228_800_000)
            let content = #"{"aps":{"alert":{"title":"Door","body":"Front door opened"}},"encryption":"#
            let answers = [
                "v1": content + #"{"format":"v1","authenticated":false,"sender":null}}"#,
                "v1 psk": content + #"{"format":"v1","authenticated":true,"sender":"569e210ce4742c83"}}"#,
                "sealed-box": content + #"{"format":"sealed-box","authenticated":false,"sender":null}}"#,
            ]
            return answers.first { payload == Array($0.value.utf8) }.map { .opened(format: $0.key) } ?? .wrong
        } catch {
            return .refused(error)
        }
    }

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

    private static let box = """
        7C1kL6uGkDJzOju8tTwNvjWUqB8bgdVVTmTY+U13lwKyHwjOqjt3Xu/E+7h+ibDPeoli65pVuQQvmnfriS6KwZcEObO/B+VZNWmp\
        v5vBvnsW2jDnv+B+js3cdA==
        """
}
