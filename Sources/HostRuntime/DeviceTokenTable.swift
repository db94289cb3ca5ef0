// SPDX-License-Identifier: Apache-2.0

/// The device tokens the host knows: each belongs to one topic and one environment.
///
/// A verdict on a token is final for gateways, which drop a subscription on it, so the table answers only from what
/// it was given whole.
package struct DeviceTokenTable: Sendable {
    package struct Registration: Sendable, Equatable {
        /// The app's bundle identifier, without a push type's suffix.
        package let topic: String
        package let environment: PushEnvironment
        package let pushTypes: Set<PushType>
        /// The owner to whom the token belongs.
        package let owner: String

        package init(
            topic: String,
            environment: PushEnvironment,
            pushTypes: Set<PushType>,
            owner: String = OwnedApp.onlyOwner
        ) {
            self.topic = topic
            self.environment = environment
            self.pushTypes = pushTypes
            self.owner = owner
        }

        /// Returns whether a push's topic is the app's for a push type, suffix included.
        ///
        /// Bytes are compared, since strings are equal by Unicode's rules and what is stored and sealed is by bytes.
        package func isTopic(_ text: String, of type: PushType) -> Bool {
            let (bytes, own, suffix) = (text.utf8Span.span, topic.utf8Span.span, type.topicSuffix.utf8Span.span)
            guard bytes.count == own.count + suffix.count else { return false }
            for index in own.indices where bytes[index] != own[index] { return false }
            for index in suffix.indices where bytes[own.count + index] != suffix[index] { return false }
            return true
        }
    }

    private var registrations: [String: Registration] = [:]
    private var appsByTopic: [String: Registration] = [:]

    package init() {}

    /// Registers an app that may receive pushes, with its tokens in any case of hex digits.
    ///
    /// A topic that is a bundle identifier is that app's, also where it reads like another's with a suffix.
    package mutating func register(_ registration: Registration, tokens: [String]) {
        for type in registration.pushTypes {
            let topic = registration.topic + type.topicSuffix
            guard topic == registration.topic || appsByTopic[topic]?.topic != topic else { continue }
            appsByTopic[topic] = registration
        }
        for token in tokens {
            registrations[token.lowercased()] = registration
        }
    }

    /// The registration of a token in lower-case hex digits, nil if nobody ever had it.
    package func registration(of token: String) -> Registration? {
        registrations[token]
    }

    /// The app that takes pushes for this topic, suffix included, nil if none is configured.
    package func app(forTopic topic: String) -> Registration? {
        appsByTopic[topic]
    }
}
