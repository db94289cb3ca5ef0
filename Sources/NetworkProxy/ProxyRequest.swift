// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// A request of an extension to the proxy: the target, and a tunnel to it or one answer from it.
struct ProxyRequest: Equatable {
    enum Kind: Equatable {
        /// CONNECT: bytes both ways.
        case tunnel
        /// GET or HEAD of something on a host, without a body: the head as the host gets it.
        case fetch(head: [UInt8])
    }

    let target: NetworkTarget
    let kind: Kind
}

/// Reads the head of a request, strictly: what two programs could read in two ways is refused.
///
/// Lines end in CRLF and nowhere else, a colon follows its name, no line is continued, and nothing says that a body
/// follows. So where a request ends is never in doubt.
/// Source: RFC 9112 sections 2 to 6; RFC 9110 section 9.3.6.
struct ProxyRequestReader {
    enum Result: Equatable {
        case incomplete
        case request(ProxyRequest, headByteCount: Int)
        case refused(Refusal)
    }

    let limit: Int
    /// The place at which the search for the end of the head goes on.
    private var searched = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// `bytes` is all that came so far; it only grows between calls.
    mutating func read(_ bytes: [UInt8]) -> Result {
        guard let end = endOfHead(in: bytes) else { return bytes.count < limit ? .incomplete : .refused(.headTooLarge) }
        guard end <= limit else { return .refused(.headTooLarge) }
        do {
            let request = try Self.request(head: Array(bytes[..<(end - Self.emptyLine.count)]))
            return .request(request, headByteCount: end)
        } catch {
            return .refused(error)
        }
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)

    private mutating func endOfHead(in bytes: [UInt8]) -> Int? {
        let last = min(bytes.count, limit + 1) - Self.emptyLine.count
        var index = searched
        while index <= last {
            if bytes[index..<(index + Self.emptyLine.count)].elementsEqual(Self.emptyLine) {
                return index + Self.emptyLine.count
            }
            index += 1
        }
        searched = max(0, index)
        return nil
    }

    /// `head` is without the empty line and the end of the line before it.
    private static func request(head: [UInt8]) throws(Refusal) -> ProxyRequest {
        var lines = try lines(of: head)
        let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, isToken(words[0]), !words[1].isEmpty else { throw .malformed }
        let version = words[2]
        guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .malformed }
        let fields = try lines.map(HeaderField.init)
        try check(fields)
        switch words[0] {
        case "CONNECT":
            return ProxyRequest(target: try tunnelTarget(words[1]), kind: .tunnel)
        case "GET", "HEAD":
            let (target, path) = try fetchTarget(words[1])
            let line = "\(words[0]) \(path) \(version)"
            return ProxyRequest(target: target, kind: .fetch(head: repeated(line, fields, for: target)))
        default:
            throw .method
        }
    }

    private static func lines(of head: [UInt8]) throws(Refusal) -> [Substring] {
        // Bytes above ASCII are no part of a head that is passed on as it was read.
        guard head.allSatisfy({ (0x20...0x7e).contains($0) || $0 == 0x09 || $0 == 0x0d || $0 == 0x0a }) else {
            throw .malformed
        }
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.utf8.split(separator: 0x0a, omittingEmptySubsequences: false)
        guard lines.count <= 64 else { throw .headTooLarge }
        var read: [Substring] = []
        for (index, line) in lines.enumerated() {
            var line = Substring(line)
            if index < lines.count - 1 {
                guard line.utf8.last == 0x0d else { throw .malformed }
                line = Substring(line.utf8.dropLast())
            }
            guard !line.isEmpty, !line.utf8.contains(0x0d) else { throw .malformed }
            read.append(line)
        }
        return read
    }

    /// Nothing may say that a body follows, and nothing may be said twice that decides where a message goes or ends.
    private static func check(_ fields: [HeaderField]) throws(Refusal) {
        guard fields.filter({ $0.name == "host" }).count <= 1,
            !fields.contains(where: { $0.name == "transfer-encoding" })
        else { throw .malformed }
        let lengths = fields.filter { $0.name == "content-length" }
        guard lengths.isEmpty || (lengths.count == 1 && lengths[0].value == "0") else { throw .malformed }
    }

    private static func tunnelTarget(_ authority: Substring) throws(Refusal) -> NetworkTarget {
        guard let (host, port) = try? NetworkHost.split(authority), let port else { throw .malformed }
        guard let place = NetworkPlace(host) else { throw .unreadableHost }
        return NetworkTarget(scheme: .https, place: place, port: port)
    }

    private static func fetchTarget(_ text: Substring) throws(Refusal) -> (NetworkTarget, path: Substring) {
        let scheme = "http://"
        guard text.lowercased().hasPrefix(scheme), !text.contains("#") else {
            throw text.lowercased().hasPrefix("https://") ? .method : .malformed
        }
        let rest = text.dropFirst(scheme.count)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        guard !rest[..<end].contains("@"), let (host, port) = try? NetworkHost.split(rest[..<end]) else {
            throw .malformed
        }
        guard let place = NetworkPlace(host) else { throw .unreadableHost }
        let path = rest[end...]
        return (
            NetworkTarget(scheme: .http, place: place, port: port ?? 80),
            path.hasPrefix("/") ? path : "/" + path
        )
    }

    /// The head as the host gets it: its own name, nothing that was meant for the proxy, and an end after the answer.
    private static func repeated(_ line: String, _ fields: [HeaderField], for target: NetworkTarget) -> [UInt8] {
        let named = Set(fields.filter { $0.name == "connection" }.flatMap(\.listedNames))
        let kept = fields.filter { !HeaderField.hopByHop.contains($0.name) && !named.contains($0.name) }
        let host = target.port == target.scheme.port ? "\(target.place)" : "\(target.place):\(target.port)"
        let lines =
            [line, "Host: \(host)"] + kept.map { "\($0.spelling): \($0.value)" } + ["Connection: close", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    fileprivate static func isToken(_ text: Substring) -> Bool {
        !text.isEmpty
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}

private struct HeaderField {
    /// In lower case.
    let name: String
    let spelling: Substring
    let value: Substring

    init(_ line: Substring) throws(Refusal) {
        guard let colon = line.firstIndex(of: ":") else { throw .malformed }
        spelling = line[..<colon]
        guard ProxyRequestReader.isToken(spelling) else { throw .malformed }
        name = spelling.lowercased()
        let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var value = line[line.index(after: colon)...].drop(while: isBlank)
        while let last = value.last, isBlank(last) { value.removeLast() }
        self.value = value
    }

    /// The names in a list with commas, in lower case.
    var listedNames: [String] {
        value.lowercased().split(separator: ",").map { name in
            String(name.filter { $0 != " " && $0 != "\t" })
        }
    }

    /// For the proxy itself, or made anew by it.
    static let hopByHop: Set = [
        "connection", "content-length", "expect", "host", "keep-alive", "proxy-authenticate", "proxy-authorization",
        "proxy-connection", "te", "trailer", "upgrade",
    ]
}
