// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// The topics that a sender may send to, once its credential was judged.
package struct SenderAuthority: Sendable, Equatable {
    /// The sender; `nil` means that no credential is asked for.
    package let sender: PushSender?
    /// Bundle identifiers; nil: every topic.
    package let topics: Set<String>?
    /// Deviations of the credential.
    package let quirks: [Quirk]

    package init(_ sender: PushSender?, topics: Set<String>? = nil, quirks: [Quirk] = []) {
        self.sender = sender
        self.topics = topics
        self.quirks = quirks
    }

    /// The authority of everybody at a listener that asks for no credential.
    package static let everything = SenderAuthority(nil)

    /// A topic's push type may add its suffix to a bundle identifier.
    package func allows(_ topic: String) -> Bool {
        guard let topics, !topics.contains(topic) else { return true }
        return PushType.allCases.contains { type in
            !type.topicSuffix.isEmpty && topic.hasSuffix(type.topicSuffix)
                && topics.contains(String(topic.dropLast(type.topicSuffix.count)))
        }
    }

    /// Returns whether the sender may send to a topic of a known app: another app's bundle identifier may end like a
    /// suffix.
    func allows(_ topic: String, of app: String) -> Bool {
        topics.map { $0.contains(topic) || $0.contains(app) } ?? true
    }

    var isOfCertificate: Bool {
        if case .certificate = sender { true } else { false }
    }

    /// The topic that an absent `apns-topic` stands for: the only one of a certificate; `nil` in all other cases.
    ///
    /// Source: Apple, "Sending notification requests to APNs", `apns-topic`.
    var impliedTopic: String? {
        guard isOfCertificate, let topics, topics.count == 1 else { return nil }
        return topics.first
    }
}
