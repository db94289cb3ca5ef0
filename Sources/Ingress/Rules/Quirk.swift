// SPDX-License-Identifier: Apache-2.0

/// A deviation of a sender that a lenient listener lets pass, as metrics name it.
package enum Quirk: String, Sendable, CaseIterable {
    case noTopic = "no-topic"
    case noPushType = "no-push-type"
    /// The push type demands a suffix that the topic has not, or the other way round.
    case topicSuffix = "topic-suffix"
    /// Priority 10 of a background push.
    case backgroundAtOnce = "background-at-once"
    case timeInText = "iat-text"
    case timeInMilliseconds = "iat-milliseconds"
    case noAlgorithm = "no-alg"
    case derSignature = "der-signature"
    /// A Web Push sender's `authorization` proves nothing, where nobody is asked who they are.
    case strayAuthorization = "stray-authorization"
}
