// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

extension HTTPIngress {
    package struct Configuration: Sendable {
        package enum Security: Sendable, Equatable {
            /// HTTP/2 by prior knowledge, and HTTP/1.1, told apart by the first bytes.
            case plaintext
            /// TLS 1.2 or later; ALPN `h2`, then `http/1.1`, and without ALPN the first bytes as in plaintext. Paths of PEM
            /// files, the certificate's chain included.
            case tls(certificate: String, key: String)
        }

        /// A name or an address; has to be of this machine's loopback where no credential is asked for.
        package var host: String
        /// 0: any free port.
        package var port: Int
        package var security: Security
        /// Nil: whoever reaches the address may send.
        package var authentication: SenderAuthentication?
        /// Only tokens of this environment are known here; `development` answers with `apns-unique-id`.
        package var environment: PushEnvironment
        package var conformance: Conformance
        package var limits: Limits

        package init(
            host: String = "127.0.0.1",
            port: Int,
            security: Security = .plaintext,
            authentication: SenderAuthentication? = nil,
            environment: PushEnvironment = .development,
            conformance: Conformance = .lenient,
            limits: Limits = Limits()
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

    /// What one listener bears; a duration of zero or less acts at once.
    package struct Limits: Sendable {
        /// Connections that have places; of those that gave theirs to another at most 32 more are open at a time.
        package var connections = 1024
        /// Of one IPv4 address, or of the addresses that share the first 64 bits in IPv6; not of the machine's own.
        package var connectionsPerAddress = 64
        package var concurrentStreams = 1000
        /// Names and values of one request's headers; over HTTP/1.1 of its longest header too.
        package var headerListByteCount = 16_384
        package var streamWindowByteCount = 65_535
        /// Room for a full set of streams with full bodies, so that a peer never stalls on the connection.
        package var connectionWindowByteCount = 8 << 20
        /// The longest body that is read to its end only to be refused.
        package var swallowedByteCount = 65_535
        /// Bodies held and not yet answered, of all connections; beyond it nothing is read.
        package var heldByteCount = 64 << 20
        /// RST_STREAM frames from one peer in 30 s; nothing is queued before a request is whole, so they buy no work.
        package var resetsPerHalfMinute = 2000
        /// WINDOW_UPDATE frames and those of unknown types from one peer in 30 s, which ask for nothing but to be read.
        package var idleFramesPerHalfMinute = 20_000
        /// Answers of 400 to 499 but 410 on one connection in 30 s.
        package var refusalsPerHalfMinute = 1000
        /// So many invalid provider tokens in 60 s end their connection.
        package var failedTokensPerMinute = 20
        /// From accepting a connection to knowing its protocol.
        package var firstBytes: Duration = .seconds(10)
        /// From accepting a connection to its proof, whatever comes meanwhile: a valid credential or an accepted push.
        package var unproven: Duration = .seconds(60)
        /// From a request's headers to its end.
        package var request: Duration = .seconds(10)
        /// How long a peer may leave answers unread.
        package var unreadAnswers: Duration = .seconds(10)
        /// How long a closed connection waits for its peer to close as well.
        package var lingering: Duration = .seconds(2)
        package var keepAlive: Duration = .seconds(600)
        package var keepAliveAnswer: Duration = .seconds(20)
        package var idle: Duration = .seconds(7200)
        /// How long GOAWAY waits for requests that are whole already: some clients drop their answers at it.
        package var beforeGoAway: Duration = .milliseconds(250)
        /// How long a drain waits on an HTTP/1.1 connection for a request that is on its way while none is answered.
        package var lastRequest: Duration = .seconds(1)
        /// From the start of a drain, or from GOAWAY, to the end of the connection.
        package var drain: Duration = .seconds(10)

        package init() {}
    }
}

/// Where a listener stands, as plain values.
package struct ListenerAddress: Sendable, Equatable {
    /// Numeric.
    package let host: String
    package let port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}
