// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The keys and rules by which an opener opens one app's payloads; one packet of type `policy`.
///
/// Every member stands there, and no other does: a policy that lacks one, or has one misspelt, would otherwise be a
/// laxer policy than the one that was meant.
/// Source: PROTOCOL.md, "Opener".
package struct OpenerPolicy: Sendable, Equatable {
    package struct Sender: Sendable, Equatable {
        /// The public key as text, `nse1…`.
        package var publicKey: String
        package var name: String

        package init(publicKey: String, name: String) {
            self.publicKey = publicKey
            self.name = name
        }
    }

    /// Bundle identifier.
    package var app: String
    /// Descriptors of its key files, the current one's first.
    package var keys: [Int32]
    /// Names of formats.
    package var accept: [String] = []
    package var senders: [Sender] = []
    package var requiresSender = false
    package var keepClear: [String] = []
    package var allowsCriticalAlerts = false

    package init(app: String, keys: [Int32]) {
        self.app = app
        self.keys = keys
    }

    package var packet: Packet {
        Packet(
            .policy,
            body: [
                "app": .string(app), "keys": .array(keys.map { .integer(Int64($0)) }),
                "accept": .array(accept.map(JSON.string)),
                "senders": .array(
                    senders.map { ["public-key": .string($0.publicKey), "name": .string($0.name)] }
                ),
                "requireSender": .bool(requiresSender), "keepClear": .array(keepClear.map(JSON.string)),
                "allowsCriticalAlerts": .bool(allowsCriticalAlerts),
            ]
        )
    }

    package init(_ packet: Packet) throws(OpenerHelloViolation) {
        guard packet.type == .policy, packet.id == 0 else { throw OpenerHelloViolation("a policy is missing") }
        let body = packet.body
        try body.expectMembers(
            ["app", "keys", "accept", "senders", "requireSender", "keepClear", "allowsCriticalAlerts"],
            of: "a policy"
        )
        guard let app = body["app"]?.string, !app.isEmpty else {
            throw OpenerHelloViolation("a policy has no app")
        }
        guard let requiresSender = body["requireSender"]?.bool,
            let allowsCriticalAlerts = body["allowsCriticalAlerts"]?.bool
        else { throw OpenerHelloViolation("a policy has a switch that is neither true nor false") }
        self.init(app: app, keys: try body.descriptors("keys"))
        accept = try body.texts("accept")
        keepClear = try body.texts("keepClear")
        self.requiresSender = requiresSender
        self.allowsCriticalAlerts = allowsCriticalAlerts
        senders = try body.list("senders").map { element throws(OpenerHelloViolation) in try Sender(element) }
    }
}

extension OpenerPolicy.Sender {
    fileprivate init(_ element: JSON) throws(OpenerHelloViolation) {
        guard let sender = element.object else { throw OpenerHelloViolation("a sender is no object") }
        try sender.expectMembers(["public-key", "name"], of: "a sender")
        guard let publicKey = sender["public-key"]?.string, let name = sender["name"]?.string else {
            throw OpenerHelloViolation("a sender has a member that is no text")
        }
        self.init(publicKey: publicKey, name: name)
    }
}

/// One clause on what is wrong with a hello or a policy; nothing of what they hold.
package struct OpenerHelloViolation: Error, Equatable {
    package let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
