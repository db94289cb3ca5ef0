// SPDX-License-Identifier: Apache-2.0

/// The limits of one listener; a duration of zero or less acts at once.
package struct HTTPLimits: Sendable {
    /// Connections that have places; of those that gave theirs to another at most 32 more are open at a time.
    package var connections = 1024
    /// Connections of one IPv4 address, or of the addresses that share the first 64 bits in IPv6; not of the machine's
    /// own.
    package var connectionsPerAddress = 64
    package var concurrentStreams = 1000
    /// HTTP/2 streams of all connections that are open; beyond it a connection opens new ones while it has fewer than
    /// its equal share.
    ///
    /// Each holds a channel and a request that need not end for `request`. It is what 32 connections may open at most,
    /// half of what those of one address may.
    package var openStreams = 32_000
    /// Names and values of one request's headers; over HTTP/1.1 of its longest header too.
    package var headerListByteCount = 16_384
    package var streamWindowByteCount = 65_535
    /// Room for a full set of streams with full bodies, so that a peer never stalls on the connection.
    package var connectionWindowByteCount = 8 << 20
    /// The longest body that is read to its end only to be refused.
    package var swallowedByteCount = 65_535
    /// Bodies held and not yet answered, of all connections; beyond it a connection is read only while it holds no more
    /// than its equal share.
    package var heldByteCount = 64 << 20
    /// RST_STREAM frames from one peer in 30 s; nothing is queued before a request is whole, so they buy no work.
    package var resetsPerHalfMinute = 2000
    /// WINDOW_UPDATE frames and those of unknown types from one peer in 30 s, which ask for nothing but to be read.
    package var idleFramesPerHalfMinute = 20_000
    /// Answers of 400 to 499 but 410 on one connection in 30 s.
    package var refusalsPerHalfMinute = 1000
    /// The number of credentials that prove nothing within 60 s at which their connection is ended.
    package var failedTokensPerMinute = 20
    /// The time from accepting a connection to knowing its protocol.
    package var firstBytes: Duration = .seconds(10)
    /// The time from accepting a connection to its proof, whatever comes meanwhile: a valid credential or an accepted
    /// push.
    package var unproven: Duration = .seconds(60)
    /// The time from a request's headers to its end.
    package var request: Duration = .seconds(10)
    /// The longest time for which a peer may leave answers unread.
    package var unreadAnswers: Duration = .seconds(10)
    /// The time for which a closed connection in plaintext waits for its peer to close as well.
    package var lingering: Duration = .seconds(2)
    package var keepAlive: Duration = .seconds(600)
    package var keepAliveAnswer: Duration = .seconds(20)
    package var idle: Duration = .seconds(7200)
    /// The delay of GOAWAY for requests that are whole already, since some clients drop their answers at it; for a peer
    /// at fault, which gets GOAWAY at once, the delay of the close.
    package var beforeGoAway: Duration = .milliseconds(250)
    /// The time for which a drain keeps an HTTP/1.1 connection without a request open for one that is on its way.
    package var lastRequest: Duration = .seconds(1)
    /// The time from the start of a drain, or from GOAWAY, to the end of the connection.
    package var drain: Duration = .seconds(10)

    package init() {}
}
