// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// The first packets from a host to an opener: one that says how much will follow, and one for each app.
///
/// One packet for all apps has room for some 500 of them, and it would grow with what a person writes.
/// Source: PROTOCOL.md, "Opener".
package struct OpenerHello: Sendable, Equatable {
    /// Apps of one host.
    package static let appLimit = 1000
    /// Senders of all apps together.
    package static let senderLimit = 20_000
    /// Bytes of all packets together.
    package static let byteCountLimit = 16 << 20

    package var policies: [OpenerPolicy]
    /// Descriptors of the two files of what was opened, or none.
    package var replays: [Int32]
    /// True if the opener says of each opened envelope by which mark it is known again.
    package var marks: Bool

    package init(policies: [OpenerPolicy] = [], replays: [Int32] = [], marks: Bool = false) {
        self.policies = policies
        self.replays = replays
        self.marks = marks
    }

    package var senderCount: Int { policies.reduce(0) { $0 + $1.senders.count } }

    /// The packets in their order, encoded; nothing of them is secret.
    package func packets() throws(OpenerHelloError) -> [[UInt8]] {
        guard policies.count <= Self.appLimit else { throw .tooManyApps(policies.count) }
        guard senderCount <= Self.senderLimit else { throw .tooManySenders(senderCount) }
        let hello = Packet(
            .hello,
            body: [
                "protocol": .integer(workerProtocolVersion), "apps": .integer(Int64(policies.count)),
                "senders": .integer(Int64(senderCount)),
                "replays": .array(replays.map { .integer(Int64($0)) }), "marks": .bool(marks),
            ]
        )
        var packets: [[UInt8]] = []
        var byteCount = 0
        for (packet, app) in [(hello, "")] + policies.map({ ($0.packet, $0.app) }) {
            guard let bytes = try? packet.encoded() else { throw .policyTooLong(app: app) }
            packets.append(bytes)
            byteCount += bytes.count
        }
        guard byteCount <= Self.byteCountLimit else { throw .tooLong(byteCount: byteCount) }
        return packets
    }

    /// Takes the packets one after the other, at the opener's end.
    package struct Reader {
        private let appCount: Int
        private let senderCount: Int
        private let replays: [Int32]
        private let marks: Bool
        private var policies: [OpenerPolicy] = []
        private var names: Set<String> = []
        private var seenSenderCount = 0

        package init(_ packet: Packet) throws(OpenerHelloViolation) {
            guard packet.type == .hello, packet.id == 0 else {
                throw OpenerHelloViolation("the first packet is no hello")
            }
            let body = packet.body
            guard body["protocol"]?.integer == workerProtocolVersion else {
                throw OpenerHelloViolation("hello offers another protocol")
            }
            try body.expectMembers(["protocol", "apps", "senders", "replays", "marks"], of: "hello")
            guard let apps = body["apps"]?.integer, (0...Int64(OpenerHello.appLimit)).contains(apps),
                let senders = body["senders"]?.integer, (0...Int64(OpenerHello.senderLimit)).contains(senders)
            else { throw OpenerHelloViolation("hello announces more than there may be") }
            appCount = Int(apps)
            senderCount = Int(senders)
            replays = try body.descriptors("replays")
            guard [0, 2].contains(replays.count), Set(replays).count == replays.count else {
                throw OpenerHelloViolation("hello names replay files that are not two")
            }
            guard let marks = body["marks"]?.bool else {
                throw OpenerHelloViolation("hello does not say whether it wants marks")
            }
            self.marks = marks
        }

        /// The hello once all that was announced is there; nil while a policy is missing.
        package func hello() throws(OpenerHelloViolation) -> OpenerHello? {
            guard policies.count == appCount else { return nil }
            guard seenSenderCount == senderCount else {
                throw OpenerHelloViolation("there are other senders than hello announced")
            }
            return OpenerHello(policies: policies, replays: replays, marks: marks)
        }

        package mutating func take(_ packet: Packet) throws(OpenerHelloViolation) {
            let policy = try OpenerPolicy(packet)
            guard names.insert(policy.app).inserted else { throw OpenerHelloViolation("an app has two policies") }
            guard Set(policy.keys).isDisjoint(with: replays) else {
                throw OpenerHelloViolation("a key file is a replay file too")
            }
            seenSenderCount += policy.senders.count
            guard seenSenderCount <= senderCount else {
                throw OpenerHelloViolation("there are other senders than hello announced")
            }
            policies.append(policy)
        }
    }
}

/// The reason for which apps cannot be told to an opener.
package enum OpenerHelloError: Error, Equatable {
    case tooManyApps(Int)
    case tooManySenders(Int)
    /// One app's policy has no room in a packet.
    case policyTooLong(app: String)
    case tooLong(byteCount: Int)
}
