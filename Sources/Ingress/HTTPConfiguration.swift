// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// The configuration of one listener: address, security, senders, environment and limits.
package struct HTTPConfiguration: Sendable {
    package enum Security: Sendable, Equatable {
        /// HTTP/2 by prior knowledge, and HTTP/1.1, told apart by the first bytes.
        case plaintext
        /// TLS 1.2 or later; ALPN `h2`, then `http/1.1`, and without ALPN the first bytes as in plaintext. Paths of PEM
        /// files, the certificate's chain included.
        case tls(certificate: String, key: String)
    }

    /// A name or an address; has to be of this machine's loopback where no credential is asked for.
    package var host: String
    /// The port; 0 means any free one.
    package var port: Int
    package var security: Security
    /// The credentials of which a sender must show one; `nil` means that whoever reaches the address may send.
    package var authentication: SenderAuthentication?
    /// Only tokens of this environment are known here; `development` answers with `apns-unique-id`.
    package var environment: PushEnvironment
    package var conformance: Conformance
    package var limits: HTTPLimits

    package init(
        host: String = "127.0.0.1",
        port: Int,
        security: Security = .plaintext,
        authentication: SenderAuthentication? = nil,
        environment: PushEnvironment = .development,
        conformance: Conformance = .lenient,
        limits: HTTPLimits = HTTPLimits()
    ) {
        self.host = host
        self.port = port
        self.security = security
        self.authentication = authentication
        self.environment = environment
        self.conformance = conformance
        self.limits = limits
    }
}

/// The address of a listener, as plain values.
package struct ListenerAddress: Sendable, Equatable {
    /// Numeric.
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
