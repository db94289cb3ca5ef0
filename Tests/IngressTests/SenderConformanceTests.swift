// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Logging
import Testing

/// Credentials over sockets, each row on a connection of its own.
struct SenderConformanceTests {
    @Test(.timeLimit(.minutes(10)), arguments: Transport.allCases)
    func `every credential has its answer`(_ transport: Transport) async throws {
        for conformance in Conformance.allCases {
            let acceptor = RecordingAcceptor()
            try await withIngress(
                transport,
                acceptor: acceptor,
                authentication: TestSender.authentication,
                conformance: conformance
            ) { _, address in
                for row in SenderRow.refused + SenderRow.taken where row.conformance == conformance {
                    try await expect(row, transport, address)
                }
            }
            let accepted = SenderRow.taken.filter { $0.conformance == conformance }.flatMap { $0.requests() }.count
            let before = SenderRow.refused.filter { $0.conformance == conformance }.map { $0.requests().count - 1 }
            #expect(acceptor.pushes.count == accepted + before.reduce(0, +))
        }
    }

    private func expect(_ row: SenderRow, _ transport: Transport, _ address: ListenerAddress) async throws {
        try await withClient(transport, to: address) { send in
            var requests = row.requests()
            let last = requests.removeLast()
            for request in requests { #expect(try await send(request).status == 200, "\(row)") }
            let response = try await send(last)
            #expect(response.status == row.expected?.status ?? 200, "\(row)")
            #expect(response.body == row.expected?.json ?? "", "\(row)")
            #expect(response.headers["apns-id"]?.isEmpty == false, "\(row)")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `twenty invalid tokens end their connection, and no other`(_ transport: Transport) async throws {
        let metrics = HostMetrics()
        try await withIngress(transport, authentication: TestSender.authentication, metrics: metrics) { _, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { other in
                #expect(try await other.response(to: try await other.send(PushRequest().authorized())).status == 200)
                try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                    for number in 1...20 {
                        let bad = PushRequest().authorized(TestSender.bearer(signature: .wrong))
                        let response = try await client.response(to: try await client.send(bad))
                        #expect(response.status == 403)
                        #expect(client.log.contains { $0.hasPrefix("GOAWAY") } == false || number == 20)
                    }
                    try await client.waitForEnd()
                    #expect(client.log.contains(#"GOAWAY 0 {"reason":"InvalidProviderToken"}"#))
                    #expect(metrics.value(#"nestbox_ingress_goaway_total{reason="InvalidProviderToken"}"#) == "1")
                }
                #expect(try await other.response(to: try await other.send(PushRequest().authorized())).status == 200)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `over HTTP 1 too`() async throws {
        try await withIngress(
            .http1,
            authentication: TestSender.authentication,
            limits: { $0.failedTokensPerMinute = 2 }
        ) {
            _,
            address in
            try await HTTP1Client.connect(to: address) { client in
                for _ in 1...2 {
                    try await client.send(PushRequest().authorized("bearer x"))
                    #expect(try await client.response().status == 403)
                }
                #expect(try await client.waitForEnd() == "")
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `after the twentieth no signature is looked at`() async throws {
        try await withIngress(authentication: TestSender.authentication, limits: { $0.failedTokensPerMinute = 1 }) {
            _,
            address in
            try await FrameClient.connect(to: address) { client in
                // In one piece: of what comes later nothing is read.
                let bad = FrameClient.frames(PushRequest().authorized("bearer x"), on: 1)
                let good = FrameClient.frames(PushRequest().authorized(), on: 3)
                try await client.send(bad + good)
                try await client.waitForEnd()
                let answers = client.frames.filter { $0.kind == .data }
                #expect(Set(answers.map(\.stream)) == [1, 3])
                let body = String(decoding: try #require(answers.first { $0.stream == 3 }).payload, as: UTF8.self)
                #expect(body == RefusalReason.invalidProviderToken.json)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `no token is logged`() async throws {
        let store = RecordingLogHandler.Store()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(store: store) }
        let (good, bad) = (TestSender.bearer(), TestSender.bearer(signature: .wrong))
        try await withIngress(authentication: TestSender.authentication, logger: logger) { _, address in
            try await withClient(.h2c, to: address) { send in
                _ = try await send(PushRequest().authorized(good))
                _ = try await send(PushRequest().authorized(bad))
            }
        }
        #expect(store.lines.contains { $0.contains("push.reason=InvalidProviderToken") })
        for line in store.lines {
            for token in [good, bad] {
                for part in token.dropFirst(7).split(separator: ".") { #expect(!line.contains(part)) }
            }
        }
    }
}
