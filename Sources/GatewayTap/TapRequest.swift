// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The head of a request to the tap.
///
/// Source: RFC 9110 section 9.3.6; RFC 9112 section 3.2.3.
enum TapRequest: Equatable {
    /// A tunnel to a server of Apple's.
    case tunnel(PushServerName)
    case refused(TapRefusal)

    /// The most bytes that a head may have; what a client has to say to a proxy is shorter.
    static let limit = 8 << 10

    /// `head` ends with the empty line.
    init(head: some Collection<UInt8>) {
        guard let lineEnd = head.firstIndex(of: UInt8(ascii: "\r")),
            let line = String(validating: head[..<lineEnd], as: UTF8.self)
        else {
            self = .refused(.malformed)
            return
        }
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2] == "HTTP/1.1" || words[2] == "HTTP/1.0" else {
            self = .refused(.malformed)
            return
        }
        guard words[0] == "CONNECT" else {
            self = .refused(.method)
            return
        }
        guard let (host, port) = try? NetworkHost.split(words[1]), let port, let place = NetworkPlace(host) else {
            self = .refused(.malformed)
            return
        }
        self = PushServerName(place, port: port).map(Self.tunnel) ?? .refused(.otherServer(place, port: port))
    }
}

/// The reason for which the tap gives no tunnel, and its answer.
enum TapRefusal: Error, Equatable {
    case malformed
    case headTooLong
    /// The method is not CONNECT.
    case method
    /// The server asked for is none of Apple's push servers.
    case otherServer(NetworkPlace, port: UInt16)
    /// No listener stands for this environment.
    case noListener(PushEnvironment)
    /// The listener does not answer; the cause is in words for people.
    case unreachable(ListenerPlace, cause: String)
    case tooManyConnections(limit: Int)

    /// The same number for all refusals of one case.
    var kind: Int {
        switch self {
        case .malformed: 0
        case .headTooLong: 1
        case .method: 2
        case .otherServer: 3
        case .noListener: 4
        case .unreachable: 5
        case .tooManyConnections: 6
        }
    }

    /// One clause for people, for the log and as the answer's body.
    var message: String {
        switch self {
        case .malformed: "this is no request for a tunnel: CONNECT HOST:PORT HTTP/1.1"
        case .headTooLong: "the request has more than \(TapRequest.limit) bytes"
        case .method: "the tap gives tunnels by CONNECT, and nothing else"
        case .otherServer(let place, let port):
            "\(place):\(port) is none of Apple's push servers, and the tap leads nowhere else"
        case .noListener(let environment): "the tap was started without --\(environment)"
        case .unreachable(let place, let cause): "no listener answers on \(place): \(cause)"
        case .tooManyConnections(let limit): "\(limit) connections are open, and more are not possible"
        }
    }

    /// The answer as it goes to the client; the connection ends behind it.
    var response: String {
        let body = "extension-host tap: \(message)\n"
        let status =
            switch self {
            case .malformed: "400 Bad Request"
            case .headTooLong: "431 Request Header Fields Too Large"
            case .method: "405 Method Not Allowed\r\nAllow: CONNECT"
            case .otherServer: "403 Forbidden"
            case .noListener, .unreachable: "502 Bad Gateway"
            case .tooManyConnections: "503 Service Unavailable"
            }
        return "HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
}
