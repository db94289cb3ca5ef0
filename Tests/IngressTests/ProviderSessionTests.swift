// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Testing

@testable import Ingress

struct ProviderSessionTests {
    private func session(_ conformance: Conformance = .lenient) -> ProviderSession {
        ProviderSession(
            authentication: TestSender.authentication,
            environment: .development,
            conformance: conformance
        )
    }

    private static let unauthorized: [SenderRow] = SenderRow.refused.filter {
        $0.expected?.status == 403 || $0.expected?.status == 429
    }

    @Test(arguments: unauthorized) func `a bad credential has its reason`(_ row: SenderRow) throws {
        var session = session(row.conformance)
        var requests = row.requests()
        let last = requests.removeLast().provider
        for request in requests { _ = try session.authority(request.provider, now: Date()) }
        let reason = try #require(row.expected)
        #expect(throws: Refusal(reason)) { try session.authority(last, now: Date()) }
    }

    @Test(arguments: SenderRow.taken) func `what real clients send is taken`(_ row: SenderRow) throws {
        var session = session(row.conformance)
        for request in row.requests() {
            let sender = try session.authority(request.provider, now: Date()).sender
            guard case .key(let key, TestSender.team) = sender else {
                Issue.record("\(String(describing: sender))")
                continue
            }
            #expect(["ABC123DEFG", "SECONDKEY2", "ONLYMAILXX"].contains(key))
        }
        #expect(session.failureCount == 0)
    }

    @Test func `a token grows old on its connection`() throws {
        var session = session()
        let now = Date()
        let bearer = TestSender.bearer(issuedAt: "\(Int(now.timeIntervalSince1970))")
        let request = PushRequest().authorized(bearer).provider
        _ = try session.authority(request, now: now)
        _ = try session.authority(request, now: now.addingTimeInterval(3658))
        #expect(throws: Refusal(.expiredProviderToken)) {
            try session.authority(request, now: now.addingTimeInterval(3662))
        }
    }

    @Test func `a token of the future becomes valid with time`() throws {
        var session = session()
        let request = PushRequest().authorized(TestSender.bearer(age: -7000)).provider
        #expect(throws: Refusal(.invalidProviderToken)) { try session.authority(request, now: Date()) }
        _ = try session.authority(request, now: Date().addingTimeInterval(3700))
    }

    @Test func `strictly, a token may change every twenty minutes`() throws {
        var session = session(.strict)
        let now = Date()
        func request(_ age: Int) -> ProviderRequest { PushRequest().authorized(TestSender.bearer(age: age)).provider }
        let (first, second) = (request(0), request(-1200))
        _ = try session.authority(first, now: now)
        #expect(throws: Refusal(.tooManyProviderTokenUpdates)) {
            try session.authority(second, now: now.addingTimeInterval(1199))
        }
        _ = try session.authority(second, now: now.addingTimeInterval(1200))
        // Those that were taken stay so.
        _ = try session.authority(first, now: now.addingTimeInterval(1201))
    }

    @Test func `each use of a token that is not valid counts as a failure`() {
        var session = session()
        let bad = PushRequest().authorized(TestSender.bearer(signature: .wrong)).provider
        for _ in 0..<3 { _ = try? session.authority(bad, now: Date()) }
        _ = try? session.authority(PushRequest().authorized("bearer x").provider, now: Date())
        // Old, missing, or of another topic: no forger.
        _ = try? session.authority(PushRequest().authorized(TestSender.bearer(age: 7200)).provider, now: Date())
        _ = try? session.authority(PushRequest().provider, now: Date())
        _ = try? session.authority(PushRequest().authorized(TestSender.bearer("ONLYMAILXX")).provider, now: Date())
        #expect(session.failureCount == 4)
    }

    @Test func `new keys count for tokens that are known already`() throws {
        var session = session()
        let request = PushRequest().authorized().provider
        _ = try session.authority(request, now: Date())
        session.use(SenderAuthentication(keys: [TestSender.key("SECONDKEY2")]))
        #expect(throws: Refusal(.invalidProviderToken)) { try session.authority(request, now: Date()) }
        session.use(TestSender.authentication)
        _ = try session.authority(request, now: Date())
    }
}

struct SenderAuthorityTests {
    @Test func `a suffix belongs to its topic`() {
        let authority = SenderAuthority(TestSender.sender, topics: ["com.example.chat"])
        for topic in ["com.example.chat", "com.example.chat.voip", "com.example.chat.push-type.liveactivity"] {
            #expect(authority.allows(topic))
        }
        for topic in ["com.example", "com.example.chat.", "com.example.chatter", "com.example.chat.x", ".voip", ""] {
            #expect(!authority.allows(topic))
        }
        #expect(SenderAuthority.everything.allows("anything"))
    }
}
