// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import Ingress

/// Nothing is left of a connection that is closed: no handler, no timer, no request, however it ended.
///
/// Time limits are an hour here, and timers hold their connection: one that is not cancelled shows as a leftover.
@Suite(.timeLimit(.minutes(5)))
struct ClosedConnectionTests {
    enum Speech: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case h2c, h2, http1, https1
        /// Nothing was said that would tell one protocol from the other.
        case undecided, undecidedTLS

        var testDescription: String { rawValue }
        var isTLS: Bool { self == .h2 || self == .https1 || self == .undecidedTLS }
        var isHTTP2: Bool { self == .h2c || self == .h2 }
        var isUndecided: Bool { self == .undecided || self == .undecidedTLS }
    }

    enum Ending: String, CaseIterable, Sendable, CustomTestStringConvertible {
        case peerCloses, peerResets, aborted, drained, dismissed, openRequestsDropped, answersOutstanding
        case refusedPush

        var testDescription: String { rawValue }
    }

    static let cases: [(Speech, Ending)] = Speech.allCases.flatMap { speech in
        let endings: [Ending] =
            speech.isUndecided ? [.peerCloses, .peerResets, .aborted, .drained] : Ending.allCases
        return endings.map { (speech, $0) }
    }

    private func way(_ speech: Speech, _ ending: Ending) -> ClientChannel {
        let protocols: [String]? =
            switch speech {
            case .h2: ["h2"]
            case .https1: ["http/1.1"]
            case .h2c, .http1, .undecided, .undecidedTLS: nil
            }
        return ClientChannel(tls: protocols, leavesByReset: ending == .peerResets)
    }

    @Test(arguments: cases)
    func `nothing of a closed connection is left`(_ speech: Speech, _ ending: Ending) async throws {
        let acceptor = HoldingAcceptor()
        try await ProbedListener.run(
            tls: speech.isTLS,
            acceptor: acceptor,
            limits: { limits in if ending == .dismissed { limits.refusalsPerHalfMinute = 0 } },
            { listener, address in
                let way = way(speech, ending)
                if speech.isHTTP2 {
                    try await FrameClient.connect(to: address, by: way) { client in
                        try await self.speak(client, ending, acceptor, listener)
                    }
                } else {
                    try await HTTP1Client.connect(to: address, by: way) { client in
                        try await self.speak(client, speech, ending, acceptor, listener)
                    }
                }
                let left = try await listener.leftovers()
                #expect(left == [])
                #expect(try await listener.openCount == 0)
                if ending == .answersOutstanding {
                    // They find nobody, and free what they held.
                    acceptor.release()
                    #expect(try await listener.heldByteCount == 0)
                }
            }
        )
    }

    private func speak(
        _ client: FrameClient,
        _ ending: Ending,
        _ acceptor: HoldingAcceptor,
        _ listener: ProbedListener
    ) async throws {
        if ending == .refusedPush || ending == .dismissed {
            try await client.push(PushRequest(path: "/"), on: 1)
            _ = try await client.next(.headers)
        } else {
            try await client.push(on: 1)
            await acceptor.waitForPushes(1)
            if ending != .answersOutstanding {
                acceptor.release()
                _ = try await client.next(.headers)
            }
        }
        if ending == .openRequestsDropped {
            // Without it there may be a hundred streams, whatever the server's SETTINGS say.
            try await client.send(
                .init(kind: .settings, flags: FrameClient.acknowledgement, stream: 0, payload: [])
            )
            let open = (0..<999).flatMap { index in
                FrameClient.Frame(
                    kind: .headers,
                    flags: FrameClient.endHeaders,
                    stream: UInt32(3 + 2 * index),
                    payload: FrameClient.fields(PushRequest())
                ).bytes
            }
            try await client.send(open)
            // Its answer comes behind what the others brought.
            try await client.push(PushRequest(path: "/"), on: 2003)
            _ = try await client.next(.headers)
        }
        // A dismissed connection may be gone by now.
        let count = try await listener.watch()
        #expect(count >= 8 || ending == .dismissed)
        try await end(ending, listener) { try await client.waitForEnd() }
    }

    private func speak(
        _ client: HTTP1Client,
        _ speech: Speech,
        _ ending: Ending,
        _ acceptor: HoldingAcceptor,
        _ listener: ProbedListener
    ) async throws {
        switch (speech.isUndecided, ending) {
        case (true, _): try await listener.waitForConnection()
        case (false, .refusedPush), (false, .dismissed):
            try await client.send(PushRequest(path: "/"))
            #expect(try await client.response().status == 404)
        case (false, _):
            try await client.send(PushRequest())
            await acceptor.waitForPushes(1)
            if ending != .answersOutstanding {
                acceptor.release()
                #expect(try await client.response().status == 200)
            }
        }
        if ending == .openRequestsDropped {
            try await client.send(client.head(of: PushRequest().with("expect", "100-continue"), contentLength: 10))
            #expect(try await client.response().status == 100)
        }
        let count = try await listener.watch()
        #expect(count >= (speech.isUndecided ? 4 : 6) || ending == .dismissed)
        try await end(ending, listener) { _ = try await client.waitForEnd() }
    }

    private func end(
        _ ending: Ending,
        _ listener: ProbedListener,
        waitForEnd: () async throws -> Void
    ) async throws {
        switch ending {
        case .peerCloses, .peerResets, .openRequestsDropped, .answersOutstanding, .refusedPush: break
        case .aborted:
            try await listener.onConnections { $0.abort() }
            try? await waitForEnd()
        case .drained:
            try await listener.beginDrain()
        // The peer of an HTTP/2 connection does not acknowledge: it leaves.
        case .dismissed: try? await waitForEnd()
        }
    }

    @Test func `nothing is left of a handshake that failed`() async throws {
        try await ProbedListener.run(tls: true, acceptor: HoldingAcceptor()) { listener, address in
            try await HTTP1Client.connect(to: address) { client in
                try await listener.waitForConnection()
                #expect(try await listener.watch() >= 4)
                try await client.send("GET / HTTP/1.1\r\n\r\n")
                _ = try? await client.waitForEnd()
            }
            #expect(try await listener.leftovers() == [])
            #expect(try await listener.openCount == 0)
        }
    }

    @Test func `nothing is left of a connection over the limit`() async throws {
        try await ProbedListener.run(
            tls: false,
            acceptor: HoldingAcceptor(),
            limits: { $0.connections = 0 },
            { listener, address in
                for _ in 0..<3 {
                    try await HTTP1Client.connect(to: address) { client in
                        _ = try? await client.waitForEnd()
                    }
                }
                #expect(try await listener.leftovers(of: 3) == [])
                #expect(try await listener.openCount == 0)
            }
        )
    }
}
