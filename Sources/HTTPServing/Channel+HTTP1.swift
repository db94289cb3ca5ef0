// SPDX-License-Identifier: Apache-2.0

package import NIOCore
package import NIOHTTP1

extension ChannelPipeline.SynchronousOperations {
    /// Adds the handlers of an HTTP/1.1 server whose conversation answers one request after the other, and what is no
    /// HTTP.
    ///
    /// A head has at most 64 fields, 8 KiB in one and 16 KiB in all; a longer one is an `HTTPParserError`.
    package func addHTTP1Server() throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = 8 << 10
        limits.maxHeaderListSize = 16 << 10
        limits.maxHeaderFieldCount = 64
        try configureHTTPServerPipeline(
            withPipeliningAssistance: false,
            withErrorHandling: false,
            withEncoderConfiguration: .init(),
            withDecoderLimitConfiguration: limits
        )
    }
}

extension HTTPRequestHead {
    /// RFC 9112, section 3.2: a request of HTTP/1.1 has one `host`, an older one has at most one.
    package var namesItsHost: Bool {
        let count = headers["host"].count
        return count == 1 || count == 0 && version != .http1_1
    }

    /// True if nothing is read behind the request: it asks for the end or another protocol, or is not HTTP/1.1.
    ///
    /// NIO parses nothing behind `CONNECT` and `upgrade`, and would keep all that comes.
    package var isLast: Bool {
        !isKeepAlive || version != .http1_1 || method == .CONNECT || headers.contains(name: "upgrade")
    }
}
