// SPDX-License-Identifier: Apache-2.0

internal import AsyncHTTPClient
private import Glibc
internal import HostRuntime
internal import NIOCore
internal import NIOSSL

/// The address of a webhook, and the secret by which its requests are known to be ours.
package struct WebhookConfiguration: Sendable {
    /// The sink's name.
    package var name: String
    /// `https:`, or `http:` on this machine.
    package var url: String
    package var secret: WebhookSecret
    /// The time of a whole attempt, the connection included.
    package var timeout: Duration
    /// Attempts at once, 1 and up.
    package var concurrency: Int
    /// Certificates in PEM, the only ones trusted; nil: those of the system.
    package var authorities: [UInt8]?

    package init(
        name: String,
        url: String,
        secret: WebhookSecret,
        timeout: Duration = .seconds(10),
        concurrency: Int = 8,
        authorities: [UInt8]? = nil
    ) {
        self.name = name
        self.url = url
        self.secret = secret
        self.timeout = timeout
        self.concurrency = concurrency
        self.authorities = authorities
    }

    /// - Throws: `SinkError` when the authorities are no certificates.
    func client() throws(SinkError) -> HTTPClient.Configuration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if let authorities {
            let certificates = try? NIOSSLCertificate.fromPEMBytes(authorities)
            guard let certificates, !certificates.isEmpty else {
                throw SinkError(.unusable, sink: name, "sink \"\(name)\": its \"ca\" holds no certificate")
            }
            tls.trustRoots = .certificates(certificates)
        }
        let limit = TimeAmount.nanoseconds(Int64(timeout.nanoseconds))
        var pool = HTTPClient.Configuration.ConnectionPool(
            idleTimeout: .seconds(60),
            concurrentHTTP1ConnectionsPerHostSoftLimit: concurrency
        )
        // An attempt that found nobody has failed: when the next one is, is the outbox's to say.
        pool.retryConnectionEstablishment = false
        return HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: HTTPClient.Configuration.Timeout(connect: limit, read: limit, write: limit),
            connectionPool: pool,
            decompression: .disabled
        )
    }
}

extension WebhookSink {
    /// The system's clock.
    @Sendable package static func unixTime() -> Int64 {
        Int64(time(nil))
    }
}
