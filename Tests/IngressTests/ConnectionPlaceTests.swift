// SPDX-License-Identifier: Apache-2.0

import HTTPServing
import HostRuntime
import Locking
import NIOCore
import Testing

@testable import Ingress

/// Real sockets show what `ConnectionDesk` decides.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionPlaceTests {
    private let goodbye = #"GOAWAY 0 {"reason":"IdleTimeout"}"#

    /// Gives connections their sources, in the order in which they come.
    private func sources(_ order: [PeerSource]) -> @Sendable (SocketAddress?) -> PeerSource {
        let left = Locked(order)
        return { _ in left.withLock { $0.isEmpty ? .address(99) : $0.removeFirst() } }
    }

    @Test func `a gateway with a credential gets in at once where idle strangers have all places`() async throws {
        let order = (0..<16).map { PeerSource.network(UInt64($0 % 4)) } + [.address(7)]
        try await ProbedListener.run(
            tls: false,
            acceptor: RecordingAcceptor(),
            authentication: TestSender.authentication,
            source: sources(order),
            limits: { $0.connections = 16 },
            { _, address in
                try await withIdleStrangers(16, address) {
                    try await HTTP2Client.connect(to: address) { gateway in
                        let stream = try await gateway.send(PushRequest().authorized())
                        #expect(try await gateway.response(to: stream).status == 200)
                    }
                }
            }
        )
    }

    /// Holds connections that each had one push refused.
    private func withIdleStrangers(
        _ count: Int,
        _ address: ListenerAddress,
        _ body: () async throws -> Void
    ) async throws {
        guard count > 0 else { return try await body() }
        try await HTTP1Client.connect(to: address) { stranger in
            try await stranger.send(PushRequest())
            #expect(try await stranger.response().status == 403)
            try await withIdleStrangers(count - 1, address, body)
        }
    }

    @Test func `on loopback the longest idle connection is told to go, and the newcomer is served`() async throws {
        try await withIngress(limits: { $0.connections = 2 }) { _, address in
            try await HTTP2Client.connect(to: address) { first in
                #expect(try await first.response(to: try await first.send(PushRequest())).status == 200)
                try await HTTP2Client.connect(to: address) { second in
                    #expect(try await second.response(to: try await second.send(PushRequest())).status == 200)
                    try await HTTP2Client.connect(to: address) { third in
                        #expect(try await third.response(to: try await third.send(PushRequest())).status == 200)
                        try await first.waitForEnd()
                        #expect(first.log.first { $0 != "200" } == goodbye)
                        #expect(try await second.response(to: try await second.send(PushRequest())).status == 200)
                    }
                }
            }
        }
    }

    @Test func `a connection with an unanswered push gives its place to nobody`() async throws {
        let acceptor = HoldingAcceptor()
        try await withIngress(acceptor: acceptor, limits: { $0.connections = 1 }) { _, address in
            try await HTTP2Client.connect(to: address) { client in
                let stream = try await client.send(PushRequest())
                await acceptor.waitForPushes(1)
                try await HTTP1Client.connect(to: address) { second in
                    let rest = try await second.waitForEnd()
                    #expect(rest == "")
                }
                acceptor.release()
                #expect(try await client.response(to: stream).status == 200)
            }
        }
    }

    enum Proof: CaseIterable, Sendable {
        case validToken, invalidToken, noToken, acceptedPush, refusedPush

        var isOne: Bool { self == .validToken || self == .acceptedPush }
    }

    @Test(arguments: Proof.allCases)
    func `a valid credential is a proof, and where none is asked for an accepted push`(_ proof: Proof) async throws {
        let request: PushRequest =
            switch proof {
            // The push itself is refused.
            case .validToken: PushRequest(path: "/3/device/00").authorized()
            case .invalidToken: PushRequest().authorized(TestSender.bearer(signature: .wrong))
            case .noToken, .acceptedPush: PushRequest()
            case .refusedPush: PushRequest(body: "")
            }
        let asks = proof != .acceptedPush && proof != .refusedPush
        try await ProbedListener.run(
            tls: false,
            acceptor: RecordingAcceptor(),
            authentication: asks ? TestSender.authentication : nil,
            source: sources([.address(1), .address(1)]),
            limits: { $0.connectionsPerAddress = 1 },
            { _, address in
                try await HTTP2Client.connect(to: address) { first in
                    _ = try await first.response(to: try await first.send(request))
                    try await HTTP1Client.connect(to: address) { second in
                        if proof.isOne {
                            #expect(try await second.waitForEnd() == "")
                        } else {
                            try await second.send(PushRequest())
                            _ = try await second.response()
                            try await first.waitForEnd()
                            #expect(first.log.contains(goodbye))
                        }
                    }
                }
            }
        )
    }
}
