// SPDX-License-Identifier: Apache-2.0

/// The reason for which an extension does not get what it asked for, with the status and the words of the answer.
enum Refusal: Error, Equatable {
    case malformed
    case headTooLarge
    /// A method other than CONNECT, GET and HEAD, or GET or HEAD of an `https://` address.
    case method
    /// A host that is neither a name nor an address in a spelling that the proxy takes.
    case unreadableHost
    case notListed
    case address(AddressClass)
    /// No notification is being worked on.
    case noRequest
    case tooManyConnections
    /// All sockets of the proxy are taken, and the app has its share.
    case noSocketLeft
    case unresolved
    case unreachable
    case timedOut

    var status: String {
        switch self {
        case .malformed: "400 Bad Request"
        case .headTooLarge: "431 Request Header Fields Too Large"
        case .method, .unreadableHost, .notListed, .address, .noRequest, .tooManyConnections: "403 Forbidden"
        case .unresolved, .unreachable: "502 Bad Gateway"
        case .timedOut: "504 Gateway Timeout"
        case .noSocketLeft: "503 Service Unavailable"
        }
    }

    /// For the extension's developer and the operator.
    var reason: String {
        switch self {
        case .malformed: "malformed request"
        case .headTooLarge: "request head too large"
        case .method: "only CONNECT, and GET or HEAD of http addresses"
        case .unreadableHost: "neither a name nor an address"
        case .notListed: "not in NetworkHosts"
        case .address(let kind): "\(kind.rawValue) address, not in NetworkHosts"
        case .noRequest: "no notification is being worked on"
        case .tooManyConnections: "too many connections"
        case .noSocketLeft: "all connections are taken, this app's share too"
        case .unresolved: "the name has no address"
        case .unreachable: "the host does not answer"
        case .timedOut: "the host does not answer in time"
        }
    }

    /// The whole answer; the connection ends with it.
    var response: [UInt8] {
        let body = "nestbox: \(reason)\n"
        let lines = [
            "HTTP/1.1 \(status)", "Content-Type: text/plain", "Content-Length: \(body.utf8.count)",
            "Connection: close", "", body,
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The host's or the network's fault, and not the extension's.
    var isFailure: Bool {
        switch self {
        case .unresolved, .unreachable, .timedOut: true
        case .malformed, .headTooLarge, .method, .unreadableHost, .notListed, .address, .noRequest,
            .tooManyConnections, .noSocketLeft:
            false
        }
    }
}
