// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Logging

/// The transport by which a test reaches the ingress.
enum Transport: String, CaseIterable, Sendable, CustomStringConvertible {
    case h2c, tls, http1

    var description: String { rawValue }
}

/// Runs `body` against a listener on a free port.
func withIngress<Result>(
    _ transport: Transport = .h2c,
    tokens: any DeviceTokens = Fixture.tokens,
    webPush: WebPushService? = nil,
    acceptor: any PushAcceptor = RecordingAcceptor(),
    authentication: SenderAuthentication? = nil,
    conformance: Conformance = .lenient,
    environment: PushEnvironment = .development,
    metrics: HostMetrics = HostMetrics(),
    logger: Logger = Fixture.silentLogger,
    limits: (inout HTTPLimits) -> Void = { _ in },
    _ body: (HTTPIngress, ListenerAddress) async throws -> Result
) async throws -> Result {
    var configuration = HTTPConfiguration(port: 0, environment: environment, conformance: conformance)
    // Nothing that passes waits for these: they allow for a machine under load and a sanitizer.
    configuration.limits.firstBytes = .seconds(60)
    configuration.limits.request = .seconds(60)
    configuration.limits.unreadAnswers = .seconds(60)
    configuration.limits.drain = .seconds(60)
    // A client that stays open after the server's end is the rule in tests.
    configuration.limits.lingering = .milliseconds(100)
    if transport == .tls {
        let files = try TestCertificate.shared.get()
        configuration.security = .tls(certificate: files.certificate, key: files.key)
    }
    configuration.authentication = authentication
    limits(&configuration.limits)
    let ingress = HTTPIngress(
        configuration: configuration,
        tokens: tokens,
        webPush: webPush,
        acceptor: acceptor,
        metrics: metrics,
        logger: logger
    )
    return try await ingress.withListener { address in try await body(ingress, address) }
}

/// One connection over any transport, one request after the other.
func withClient(
    _ transport: Transport,
    to address: ListenerAddress,
    _ body: (_ send: (PushRequest) async throws -> PushResponse) async throws -> Void
) async throws {
    switch transport {
    case .h2c, .tls:
        try await HTTP2Client.connect(to: address, tls: transport == .tls) { client in
            try await body { request in
                try await client.response(to: try await client.send(request))
            }
        }
    case .http1:
        try await HTTP1Client.connect(to: address) { client in
            try await body { request in
                try await client.send(request)
                return try await client.response()
            }
        }
    }
}
