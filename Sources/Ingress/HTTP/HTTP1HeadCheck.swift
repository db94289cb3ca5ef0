// SPDX-License-Identifier: Apache-2.0

internal import NIOHTTP1

/// Judges the head of an HTTP/1.1 request beyond what NIO's parser asks of it.
///
/// A request that two servers would read differently is refused, so that nothing in front of the host can be made to
/// take a part of one request for another.
/// Source: RFC 9112, sections 2.3, 3.2 and 6.
enum HTTP1HeadCheck {
    /// The status of a request that is refused, after which the connection is closed; nil: nothing is wrong.
    static func refusal(of head: HTTPRequestHead) -> HTTPResponseStatus? {
        guard head.version == .http1_1 || head.version == .http1_0 else { return .httpVersionNotSupported }
        return refusalOfHost(head) ?? refusalOfLength(head)
    }

    private static func refusalOfHost(_ head: HTTPRequestHead) -> HTTPResponseStatus? {
        let hosts = head.headers["host"]
        if hosts.isEmpty { return head.version == .http1_1 ? .badRequest : nil }
        guard hosts.count == 1, hosts[0].utf8.allSatisfy(isOfHost) else { return .badRequest }
        return nil
    }

    /// RFC 3986, section 3.2: a host, and the colon and digits of a port.
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }

    private static func refusalOfLength(_ head: HTTPRequestHead) -> HTTPResponseStatus? {
        let lengths = head.headers["content-length"]
        guard lengths.count <= 1, lengths.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) else {
            return .badRequest
        }
        let codings = head.headers["transfer-encoding"]
        guard !codings.isEmpty else { return nil }
        guard head.version == .http1_1, lengths.isEmpty, codings.count == 1 else { return .badRequest }
        let names = codings[0].lowercased().split(separator: ",", omittingEmptySubsequences: false).map {
            String($0).trimmingSpaces
        }
        guard names.last == "chunked", names.count(where: { $0 == "chunked" }) == 1 else { return .badRequest }
        return names.count == 1 ? nil : .notImplemented
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
