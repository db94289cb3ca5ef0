// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import WorkerProtocol

/// The hello, which an opener is sent first and takes only when it is complete.
struct OpenerHelloTests {
    private static func policy(_ number: Int, senders: Int = 0) -> OpenerPolicy {
        var policy = OpenerPolicy(app: "com.example.app\(number)", keys: [Int32(96 + number)])
        policy.accept = ["v1"]
        policy.senders = (0..<senders).map { .init(publicKey: "nse1\($0)", name: "sender\($0)") }
        policy.requiresSender = true
        policy.keepClear = ["room"]
        return policy
    }

    private func read(_ packets: [[UInt8]]) throws -> OpenerHello? {
        var reader = try OpenerHello.Reader(try Packet(packets[0]))
        for packet in packets.dropFirst() {
            #expect(try reader.hello() == nil)
            try reader.take(try Packet(packet))
        }
        return try reader.hello()
    }

    @Test(arguments: [0, 1, 1000])
    func `a hello of so many apps with ten senders each is read as it was written`(count: Int) throws {
        let hello = OpenerHello(
            policies: (0..<count).map { Self.policy($0, senders: 10) },
            replays: count == 1 ? [] : [4, 5],
            marks: count == 1
        )
        let packets = try hello.packets()
        #expect(packets.count == count + 1)
        #expect(try read(packets) == hello)
    }

    @Test func `a policy that is missing keeps the hello open`() throws {
        let packets = try OpenerHello(policies: [Self.policy(0), Self.policy(1)]).packets()
        #expect(try read(packets.dropLast()) == nil)
    }

    @Test(arguments: ["app", "keys", "accept", "senders", "requireSender", "keepClear", "allowsCriticalAlerts"])
    func `a policy without a member is a violation, and so is a misspelt one`(name: String) {
        var body = Self.policy(0).packet.body
        let value = body[name]
        body[name] = nil
        #expect(throws: OpenerHelloViolation.self) { try OpenerPolicy(Packet(.policy, body: body)) }
        let violation = #expect(throws: OpenerHelloViolation.self) {
            body[name + "s"] = value
            _ = try OpenerPolicy(Packet(.policy, body: body))
        }
        #expect(violation?.reason == "a policy lacks \"\(name)\"")
    }

    @Test(
        arguments: [
            ("requireSender", "true", "a policy has a switch that is neither true nor false"),
            ("requireSender", 1, "a policy has a switch that is neither true nor false"),
            ("allowsCriticalAlerts", nil, "a policy has a switch that is neither true nor false"),
            ("app", "", "a policy has no app"), ("app", 1, "a policy has no app"),
            ("keys", [3], "\"keys\" has what is no descriptor"), ("keys", 4, "\"keys\" is no list"),
            ("accept", [1], "\"accept\" has what is no text"), ("keepClear", "a", "\"keepClear\" is no list"),
            ("senders", [["public-key": "a"]], "a sender lacks \"name\""),
            ("senders", [["public-key": "a", "name": "b", "nmae": "c"]], "a sender has an unknown member"),
            ("senders", ["a"], "a sender is no object"),
            ("more", true, "a policy has an unknown member"),
        ] as [(String, JSON, String)]
    )
    func `a member of the wrong kind is a violation`(name: String, value: JSON, reason: String) {
        var body = Self.policy(0).packet.body
        body[name] = value
        let violation = #expect(throws: OpenerHelloViolation.self) { try OpenerPolicy(Packet(.policy, body: body)) }
        #expect(violation?.reason == reason)
    }

    @Test(
        arguments: [
            ("apps", 1001, "hello announces more than there may be"),
            ("apps", -1, "hello announces more than there may be"),
            ("apps", [], "hello announces more than there may be"),
            ("senders", 20_001, "hello announces more than there may be"),
            ("replays", [4], "hello names replay files that are not two"),
            ("replays", [4, 4], "hello names replay files that are not two"),
            ("marks", nil, "hello lacks \"marks\""), ("marks", 1, "hello does not say whether it wants marks"),
            ("protocol", 2, "hello offers another protocol"),
            ("more", 1, "hello has an unknown member"),
        ] as [(String, JSON?, String)]
    )
    func `a hello that announces what cannot be is a violation`(name: String, value: JSON?, reason: String) {
        var body: JSONObject = ["protocol": 1, "apps": 1, "senders": 0, "replays": [], "marks": false]
        body[name] = value
        let violation = #expect(throws: OpenerHelloViolation.self) {
            try OpenerHello.Reader(Packet(.hello, body: body))
        }
        #expect(violation?.reason == reason)
    }

    @Test func `policies that are not those announced are violations`() throws {
        let hello = Packet(.hello, body: ["protocol": 1, "apps": 2, "senders": 1, "replays": [96, 97], "marks": true])
        func reason(_ policies: [OpenerPolicy]) -> String? {
            let violation = #expect(throws: OpenerHelloViolation.self) {
                var reader = try OpenerHello.Reader(hello)
                for policy in policies { try reader.take(policy.packet) }
                _ = try reader.hello()
            }
            return violation?.reason
        }
        #expect(reason([Self.policy(2), Self.policy(2)]) == "an app has two policies")
        #expect(reason([Self.policy(0)]) == "a key file is a replay file too")
        #expect(reason([Self.policy(2, senders: 2)]) == "there are other senders than hello announced")
        #expect(reason([Self.policy(2), Self.policy(3)]) == "there are other senders than hello announced")
    }

    @Test func `more than the bounds is told to nobody`() throws {
        #expect(throws: OpenerHelloError.tooManyApps(1001)) {
            try OpenerHello(policies: (0...1000).map { Self.policy($0) }).packets()
        }
        #expect(throws: OpenerHelloError.tooManySenders(20_020)) {
            try OpenerHello(policies: (0..<20).map { Self.policy($0, senders: 1001) }).packets()
        }
        #expect(throws: OpenerHelloError.policyTooLong(app: "com.example.app7")) {
            try OpenerHello(policies: [Self.policy(7, senders: 2000)]).packets()
        }
    }
}
