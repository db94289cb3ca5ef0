// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Logging
import Testing

/// The rows of APNs' rules again, over sockets, one connection a transport.
struct APNsConformanceTests {
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, [Conformance.lenient, .strict])
    func `every bad request is answered with its status and reason`(
        _ transport: Transport,
        _ conformance: Conformance
    ) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, acceptor: acceptor, conformance: conformance) { _, address in
            try await withClient(transport, to: address) { send in
                for row in PushRow.refused where row.conformance == conformance {
                    let reason = try #require(row.expected)
                    let response = try await send(row.request)
                    #expect(response.status == reason.status, "\(row)")
                    #expect(response.body == "{\"reason\":\"\(reason.rawValue)\"}", "\(row)")
                    #expect(response.headers["content-type"] == "application/json", "\(row)")
                    #expect(response.headers["content-length"] == "\(response.body.utf8.count)", "\(row)")
                    #expect(response.headers["apns-id"]?.isEmpty == false, "\(row)")
                    if transport != .http1 { #expect(response.dataFrames == 1, "\(row)") }
                }
            }
        }
        #expect(acceptor.pushes.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, [Conformance.lenient, .strict])
    func `every good request is answered 200 without a body`(
        _ transport: Transport,
        _ conformance: Conformance
    ) async throws {
        let acceptor = RecordingAcceptor()
        let rows = PushRow.taken.filter { $0.conformance == conformance }
        try await withIngress(transport, acceptor: acceptor, conformance: conformance) { _, address in
            try await withClient(transport, to: address) { send in
                for row in rows {
                    let response = try await send(row.request)
                    #expect(response.status == 200, "\(row)")
                    #expect(response.body.isEmpty && response.dataFrames == 0, "\(row)")
                }
            }
        }
        #expect(acceptor.pushes.count == rows.count)
        #expect(acceptor.pushes.map(\.payloadByteCount) == rows.map(\.request.body.utf8.count))
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `an id is repeated byte for byte, and canonical inside`(_ transport: Transport) async throws {
        let acceptor = RecordingAcceptor()
        try await withIngress(transport, acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let taken = try await send(PushRequest().with("apns-id", Fixture.id))
                #expect(taken.headers["apns-id"] == Fixture.id)
                var request = PushRequest().with("apns-id", Fixture.id)
                request.headers[0].1 = "com.example.nobody"
                let refused = try await send(request)
                #expect(refused.headers["apns-id"] == Fixture.id)
                let malformed = try await send(PushRequest().with("apns-id", "Not a UUID!"))
                #expect(malformed.headers["apns-id"] == "Not a UUID!")
                let absent = try await send(PushRequest())
                #expect(absent.headers["apns-id"] == acceptor.pushes.last?.id)
            }
        }
        #expect(acceptor.pushes.first?.id == Fixture.id.lowercased())
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `only the development environment answers with a unique id`(_ transport: Transport) async throws {
        for environment in PushEnvironment.allCases {
            try await withIngress(transport, environment: environment) { _, address in
                try await withClient(transport, to: address) { send in
                    let first = try await send(PushRequest()).headers["apns-unique-id"]
                    let second = try await send(PushRequest()).headers["apns-unique-id"]
                    #expect((first != nil) == (environment == .development))
                    #expect(first == nil || first != second)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a host without room says when to come again`(_ transport: Transport) async throws {
        for (verdict, reason, wait) in [
            (.deviceBusy, .tooManyRequests, "10"), (.unavailable, .serviceUnavailable, "5"),
            (.notStored, .serviceUnavailable, "60"), (.idTaken, .badMessageId, nil),
        ] as [(Acceptance, RefusalReason, String?)] {
            try await withIngress(transport, acceptor: RecordingAcceptor(verdict)) { _, address in
                try await withClient(transport, to: address) { send in
                    let response = try await send(PushRequest())
                    #expect(response.status == reason.status)
                    #expect(response.body == reason.json)
                    #expect(response.headers["retry-after"] == wait)
                }
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `an acceptor that forgets a push is our bug`(_ transport: Transport) async throws {
        struct ForgetfulAcceptor: PushAcceptor {
            func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) {
                answer(0, [])
            }
        }
        try await withIngress(transport, acceptor: ForgetfulAcceptor()) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(PushRequest())
                #expect(response.status == 500)
                #expect(response.body == #"{"reason":"InternalServerError"}"#)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `nothing a sender wrote is logged but its id`() async throws {
        let store = RecordingLogHandler.Store()
        let logger = Logger(label: "test") { _ in RecordingLogHandler(store: store) }
        // More digits in a row than an id of ours has.
        let token = "cafecafecafecafe"
        try await withIngress(logger: logger) { _, address in
            try await withClient(.h2c, to: address) { send in
                _ = try await send(PushRequest(body: #"{"aps":{"alert":"canary-title"}}"#))
                _ = try await send(PushRequest(headers: [("apns-topic", "canary-topic")], body: "canary-body"))
                _ = try await send(PushRequest(path: "/3/device/\(token)").with("apns-id", Fixture.id))
            }
        }
        #expect(store.lines.contains { $0.hasPrefix("debug push refused") && $0.contains("push.reason=BadTopic") })
        #expect(store.lines.contains { $0.contains("push.reason=BadDeviceToken") && $0.contains(Fixture.id) })
        for line in store.lines {
            #expect(!line.contains("canary") && !line.contains(Fixture.token) && !line.contains(token))
        }
    }
}
