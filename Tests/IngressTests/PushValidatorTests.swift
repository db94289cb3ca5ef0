// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Testing

@testable import Ingress

struct PushValidatorTests {
    private let now = Date(timeIntervalSince1970: 1_763_693_000)

    private func judge(_ request: PushRequest, _ conformance: Conformance = .lenient) throws -> PushHead {
        try Fixture.validator(conformance).judge(request.provider, freshID: "fresh", now: now)
    }

    private func push(_ row: PushRow) throws(Refusal) -> IncomingPush {
        let head = try Fixture.validator(row.conformance).judge(row.request.provider, freshID: "fresh", now: now)
        return try head.join(Array(row.request.body.utf8).span, receivedAt: now)
    }

    @Test(arguments: PushRow.refused) func `a bad request has its reason`(_ row: PushRow) throws {
        let reason = try #require(row.expected)
        #expect(throws: Refusal(reason)) { try push(row) }
    }

    @Test(arguments: PushRow.taken) func `what real clients send is taken`(_ row: PushRow) throws {
        _ = try push(row)
    }

    @Test func `an id is canonical inside, and made when there is none`() throws {
        #expect(try judge(PushRequest().with("apns-id", Fixture.id)).id == Fixture.id.lowercased())
        #expect(try judge(PushRequest()).id == "fresh")
    }

    @Test func `a strict listener minds an id that was another push's`() throws {
        let request = PushRequest().with("apns-id", Fixture.id)
        #expect(try judge(request, .strict).refusesOtherBody)
        #expect(try !judge(request).refusesOtherBody)
        #expect(try !judge(PushRequest(), .strict).refusesOtherBody)
    }

    @Test func `headers become the push`() throws {
        var request = PushRequest()
        request.path = request.path.uppercased().replacing("/3/DEVICE", with: "/3/device")
        request.headers += [("apns-collapse-id", "chat-1"), ("apns-priority", "1"), ("apns-push-type", "background")]
        let head = try judge(request)
        #expect(
            head
                == PushHead(
                    id: "fresh",
                    deviceToken: Fixture.token,
                    topic: Fixture.topic,
                    app: Fixture.topic,
                    owner: "me",
                    environment: .development,
                    pushType: .background,
                    priority: .low,
                    expiration: nil,
                    isKept: true,
                    collapseID: "chat-1",
                    sender: nil,
                    quirks: []
                )
        )
    }

    @Test func `an absent topic is the token's only one, with the push type's suffix`() throws {
        var request = PushRequest()
        request.headers = [("apns-push-type", "voip")]
        #expect(try judge(request).topic == "com.example.chat.voip")
        request.headers = []
        #expect(try judge(request).topic == "com.example.chat")
    }

    @Test func `an absent push type follows the topic's suffix`() throws {
        var request = PushRequest()
        request.headers = [("apns-topic", "com.example.chat.voip")]
        #expect(try judge(request).pushType == .voip)
    }

    @Test func `a bundle identifier that ends like a suffix is no suffix`() throws {
        var tokens = DeviceTokenTable()
        tokens.register(
            .init(topic: "com.example.voip", environment: .development, pushTypes: [.alert, .voip]),
            tokens: ["aa"]
        )
        var request = PushRequest()
        request.path = "/3/device/aa"
        request.headers = [("apns-topic", "com.example.voip")]
        let head = try PushValidator(tokens: tokens, environment: nil)
            .judge(request.provider, freshID: "fresh", now: now)
        #expect(head.pushType == .alert)
    }

    @Test func `who may send for one app may not for another whose identifier ends like a suffix`() throws {
        var tokens = DeviceTokenTable()
        for (topic, token) in [("com.example.a", "aa"), ("com.example.a.complication", "bb")] {
            tokens.register(.init(topic: topic, environment: .development, pushTypes: [.alert]), tokens: [token])
        }
        var request = PushRequest(path: "/3/device/bb")
        request.headers = [("apns-topic", "com.example.a.complication")]
        let validator = PushValidator(tokens: tokens, environment: nil)
        let authority = SenderAuthority(TestSender.sender, topics: ["com.example.a"])
        #expect(authority.allows("com.example.a.complication"))
        #expect(throws: Refusal(.badTopic)) {
            try validator.judge(request.provider, freshID: "fresh", now: now) { _, _ in authority }
        }
        let both = SenderAuthority(TestSender.sender, topics: ["com.example.a", "com.example.a.complication"])
        let head = try validator.judge(request.provider, freshID: "fresh", now: now) { _, _ in both }
        #expect(head.topic == "com.example.a.complication")
    }

    @Test func `a topic is compared by its bytes`() throws {
        var tokens = DeviceTokenTable()
        tokens.register(
            .init(topic: "com.example.Kit", environment: .development, pushTypes: [.alert]),
            tokens: ["aa"]
        )
        // U+212A, KELVIN SIGN, is K by Unicode's rules.
        let other = "com.example.\u{212A}it"
        #expect(tokens.app(forTopic: other) != nil)
        let request = PushRequest(path: "/3/device/aa", headers: [("apns-topic", other)])
        #expect(throws: Refusal(.badTopic)) {
            try PushValidator(tokens: tokens, environment: nil).judge(request.provider, freshID: "fresh", now: now)
        }
    }

    @Test func `background at priority 10 counts as 5`() throws {
        let request = PushRequest().with("apns-push-type", "background")
        #expect(try judge(request.with("apns-priority", "10")).priority == .powerAware)
        #expect(try judge(request).priority == .powerAware)
        #expect(try judge(PushRequest()).priority == .immediate)
    }

    @Test func `an expiration is clamped to thirty days, and none once it passed`() throws {
        func expiration(_ value: String) throws -> Date? {
            try judge(PushRequest().with("apns-expiration", value)).expiration
        }
        #expect(try expiration("1763693060") == now.addingTimeInterval(60))
        #expect(try expiration("9999999999999") == now.addingTimeInterval(30 * 86_400))
        #expect(try expiration("0") == nil)
        #expect(try expiration("1763693000") == nil)
        #expect(try judge(PushRequest()).expiration == nil)
    }

    /// Source: Apple, "Sending notification requests to APNs", `apns-expiration`.
    @Test(arguments: [("0", false), ("1763692999", false), ("1763693001", true), (nil, true)])
    func `what expires at once or did before is tried once and not kept`(_ value: String?, _ isKept: Bool) throws {
        let request = value.map { PushRequest().with("apns-expiration", $0) } ?? PushRequest()
        #expect(try judge(request).isKept == isKept)
        let push = try push(PushRow("") { $0 = request })
        #expect(push.isKept == isKept)
    }

    @Test func `the body goes on as it was sent`() throws {
        let body = "{ \"aps\" : {} }\n"
        let push = try push(PushRow("") { $0.body = body })
        #expect(push.body == Array(body.utf8))
        #expect(push.payloadByteCount == push.body.count)
    }

    @Test func `a length announced above the limit is refused before the body`() {
        #expect(throws: Refusal(.payloadTooLarge)) { try judge(PushRequest().with("content-length", "4097")) }
        #expect(throws: Never.self) { try judge(PushRequest().with("content-length", "4096")) }
    }

    @Test func `a push of any environment is taken where none is set`() throws {
        var request = PushRequest()
        request.path = "/3/device/\(Fixture.productionToken)"
        request.headers = []
        let validator = PushValidator(tokens: Fixture.tokens, environment: nil)
        #expect(try validator.judge(request.provider, freshID: "fresh", now: now).topic == "com.example.prod")
    }
}

struct RefusalReasonTests {
    /// Source: Apple, "Handling notification responses from APNs".
    static let table: [(RefusalReason, String, Int, Int?)] = [
        (.badPath, "BadPath", 404, nil), (.methodNotAllowed, "MethodNotAllowed", 405, nil),
        (.duplicateHeaders, "DuplicateHeaders", 400, nil),
        (.missingProviderToken, "MissingProviderToken", 403, nil),
        (.invalidProviderToken, "InvalidProviderToken", 403, nil),
        (.expiredProviderToken, "ExpiredProviderToken", 403, nil),
        (.unrelatedKeyIdInToken, "UnrelatedKeyIdInToken", 403, nil),
        (.badEnvironmentKeyInToken, "BadEnvironmentKeyInToken", 403, nil),
        (.badCertificate, "BadCertificate", 403, nil),
        (.badCertificateEnvironment, "BadCertificateEnvironment", 403, nil),
        (.tooManyProviderTokenUpdates, "TooManyProviderTokenUpdates", 429, 10),
        (.badMessageId, "BadMessageId", 400, nil),
        (.badExpirationDate, "BadExpirationDate", 400, nil), (.badPriority, "BadPriority", 400, nil),
        (.invalidPushType, "InvalidPushType", 400, nil), (.missingTopic, "MissingTopic", 400, nil),
        (.badTopic, "BadTopic", 400, nil), (.badCollapseId, "BadCollapseId", 400, nil),
        (.missingDeviceToken, "MissingDeviceToken", 400, nil), (.badDeviceToken, "BadDeviceToken", 400, nil),
        (.unregistered, "Unregistered", 410, nil),
        (.deviceTokenNotForTopic, "DeviceTokenNotForTopic", 400, nil),
        (.payloadTooLarge, "PayloadTooLarge", 413, nil), (.payloadEmpty, "PayloadEmpty", 400, nil),
        (.idleTimeout, "IdleTimeout", 400, nil), (.tooManyRequests, "TooManyRequests", 429, 10),
        (.serviceUnavailable, "ServiceUnavailable", 503, 5), (.shutdown, "Shutdown", 503, 5),
        (.internalServerError, "InternalServerError", 500, nil),
    ]

    @Test func `each reason has its text, status and wait`() {
        #expect(Self.table.count == RefusalReason.allCases.count)
        for (reason, text, status, retryAfter) in Self.table {
            #expect(reason.rawValue == text)
            #expect(reason.status == status)
            #expect(reason.retryAfter == retryAfter)
            #expect(reason.json == "{\"reason\":\"\(text)\"}")
        }
    }
}

struct MessageIDTests {
    @Test func `made ids are version 4, lower case and different`() throws {
        var generator = MessageIDGenerator()
        let ids = (0..<100).map { _ in generator.next() }
        #expect(Set(ids).count == 100)
        for id in ids {
            #expect(MessageID(id)?.canonical == id)
            let digits = Array(id)
            #expect(digits[14] == "4")
            #expect("89ab".contains(digits[19]))
        }
    }

    @Test func `an id is repeated only where it is printable and short`() {
        func repeatable(_ id: String) -> String? {
            var request = ProviderRequest(method: "POST", path: "/")
            request.add("apns-id", id)
            return request.repeatableID
        }
        #expect(repeatable("no uuid at all") == "no uuid at all")
        #expect(repeatable(String(repeating: "a", count: 128)) != nil)
        #expect(repeatable(String(repeating: "a", count: 129)) == nil)
        #expect(repeatable("ä") == nil)
        #expect(repeatable("") == nil)
        #expect(repeatable("a\tb") == nil)
    }
}
