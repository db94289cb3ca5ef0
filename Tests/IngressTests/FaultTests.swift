// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import Ingress

/// The answer of each interface to a request that is late, too long, too fast, drained or broken.
struct FaultTests {
    @Test(
        arguments: [
            (.late, "408 RequestTimeout"), (.tooLong, "413 PayloadTooLarge"), (.tooFast, "429 TooManyRequests 10"),
            (.idTaken, "500 InternalError"), (.noRoom, "503 ServiceUnavailable 5"),
            (.notStored, "503 ServiceUnavailable 60"), (.drained, "503 ServiceUnavailable 5"),
            (.broken, "500 InternalError"), (.badToken(.unknown), "404 UnknownSubscription"),
            (.badToken(.removed(at: 5000)), "410 RemovedSubscription"),
            (.badToken(.ofAnotherApp), "404 UnknownSubscription"),
            (.badToken(.ofAnotherEnvironment), "404 UnknownSubscription"),
        ] as [(PushFault, String)]
    )
    func `Web Push has words of its own for every fault`(_ fault: PushFault, _ expected: String) throws {
        let refusal = Refusal(webPush: fault)
        #expect(describe(refusal) == expected)
        #expect(WebPushRefusal(rawValue: refusal.reason) != nil)
    }

    @Test(
        arguments: [
            (.late, "400 IdleTimeout"), (.tooLong, "413 PayloadTooLarge"), (.tooFast, "429 TooManyRequests 10"),
            (.idTaken, "400 BadMessageId"), (.noRoom, "503 ServiceUnavailable 5"),
            (.notStored, "503 ServiceUnavailable 60"), (.drained, "503 Shutdown 5"),
            (.broken, "500 InternalServerError"), (.badToken(.unknown), "400 BadDeviceToken"),
            (.badToken(.removed(at: 5000)), "410 Unregistered"),
            (.badToken(.ofAnotherApp), "400 DeviceTokenNotForTopic"),
            (.badToken(.ofAnotherEnvironment), "400 BadDeviceToken"),
        ] as [(PushFault, String)]
    )
    func `APNs has its documented words for every fault`(_ fault: PushFault, _ expected: String) throws {
        let refusal = Refusal(apns: fault)
        #expect(describe(refusal) == expected)
        #expect(RefusalReason(rawValue: refusal.reason) != nil)
    }

    private func describe(_ refusal: Refusal) -> String {
        "\(refusal.status) \(refusal.reason)\(refusal.retryAfter.map { " \($0)" } ?? "")"
    }

    // MARK: Over a connection

    @Test(.timeLimit(.minutes(5)), arguments: [Transport.h2c, .tls])
    func `a late message of Web Push hears its own timeout`(_ transport: Transport) async throws {
        let service = try WebPushFixture.service()
        try await withIngress(transport, webPush: service, limits: { $0.request = .zero }) { _, address in
            try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
                let response = try await client.response(to: try await client.open(.webPush()))
                #expect(response.status == 408)
                #expect(response.body == #"{"reason":"RequestTimeout"}"#)
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func `a message that is too long is refused in words of Web Push`(_ transport: Transport) async throws {
        var request = PushRequest.webPush()
        request.bytes = [UInt8](repeating: 0, count: 70_000)
        try await withIngress(transport, webPush: WebPushFixture.service()) { [request] _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(request)
                #expect(response.status == 413)
                #expect(response.body == #"{"reason":"PayloadTooLarge"}"#)
            }
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: Transport.allCases,
        [
            (.deviceBusy, "429 TooManyRequests"), (.unavailable, "503 ServiceUnavailable"),
            (.notStored, "503 ServiceUnavailable"), (.badToken(.removed(at: 5000)), "410 RemovedSubscription"),
            (nil, "500 InternalError"),
        ] as [(Acceptance?, String)]
    )
    func `what the queue says is put in words of Web Push`(
        _ transport: Transport,
        _ row: (acceptance: Acceptance?, expected: String)
    ) async throws {
        let acceptor: any PushAcceptor = row.acceptance.map { RecordingAcceptor($0) } ?? SilentAcceptor()
        try await withIngress(transport, webPush: WebPushFixture.service(), acceptor: acceptor) { _, address in
            try await withClient(transport, to: address) { send in
                let response = try await send(.webPush())
                let reason = response.body.dropFirst(#"{"reason":""#.count).dropLast(2)
                #expect("\(response.status) \(reason)" == row.expected)
            }
        }
    }

    @Test(.timeLimit(.minutes(5))) func `a message behind the last one of a drain hears no reason of APNs`()
        async throws
    {
        let (service, acceptor) = (try WebPushFixture.service(), HoldingAcceptor())
        try await withIngress(.http1, webPush: service, acceptor: acceptor) { ingress, address in
            try await HTTP1Client.connect(to: address) { client in
                try await HTTP2Client.connect(to: address) { idle in
                    let stream = try await idle.send(PushRequest(body: ""))
                    #expect(try await idle.response(to: stream).status == 400)
                    let message = PushRequest.webPush()
                    let head = client.head(of: message, contentLength: message.bytes.count)
                    let request = Array(head.utf8) + message.bytes
                    try await client.send(request + request)
                    await acceptor.waitForPushes(1)
                    async let drained: Void = ingress.drain()
                    try await idle.wait(for: #"GOAWAY 0 {"reason":"Shutdown"}"#)
                    acceptor.release()
                    #expect(try await client.response().status == 201)
                    let refused = try await client.response()
                    #expect(refused.status == 503)
                    #expect(refused.body == #"{"reason":"ServiceUnavailable"}"#)
                    #expect(refused.headers["retry-after"] == "5")
                    #expect(try await client.waitForEnd() == "")
                    try await idle.waitForEnd()
                    await drained
                }
            }
        }
    }
}

/// Gives no answer to any push.
private struct SilentAcceptor: PushAcceptor {
    func accept(_ batch: [IncomingPush], answer: @escaping @Sendable (Int, [Acceptance]) -> Void) { answer(0, []) }
}
