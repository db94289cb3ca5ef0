// SPDX-License-Identifier: Apache-2.0

package import NIOHTTP1
package import NotificationPayload
package import UserNotificationCenter

/// A request to the API: what it asks for, and the body that came with it.
package struct APIRequest {
    let method: HTTPMethod
    /// The parts of the path behind `/v1`, decoded.
    package let path: [String]
    let headers: HTTPHeaders
    let body: [UInt8]
    private let query: [String: String]

    /// `nil` means that the target is none of ours, or has an escape that cannot be read.
    package init?(_ head: HTTPRequestHead, body: [UInt8]) {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard parts[0].hasPrefix("/"), segments.first == "v1" else { return nil }
        var path: [String] = []
        for segment in segments.dropFirst() {
            guard let decoded = Self.decoded(segment) else { return nil }
            path.append(decoded)
        }
        var query: [String: String] = [:]
        for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let key = Self.decoded(halves[0]), let value = Self.decoded(halves.count > 1 ? halves[1] : "") else {
                return nil
            }
            query[key] = value
        }
        method = head.method
        headers = head.headers
        self.path = path
        self.query = query
        self.body = body
    }

    /// A parameter behind the question mark; `nil` means that it is not there.
    package subscript(parameter: String) -> String? { query[parameter] }

    /// A parameter that is a whole number within a range; throws if it is another text.
    package func number(_ parameter: String, in range: ClosedRange<Int64>) throws(APIError) -> Int64? {
        guard let text = query[parameter] else { return nil }
        guard let number = Int64(decimal: text), range.contains(number) else {
            throw .badParameter("\"\(parameter)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A parameter that is `true` or `false`; false where it is absent.
    package func flag(_ parameter: String) throws(APIError) -> Bool {
        switch query[parameter] {
        case nil, "false": return false
        case "true": return true
        default: throw .badParameter("\"\(parameter)\" must be true or false")
        }
    }

    /// The kind of view for which the answer is; `open` where the request does not say.
    var surface: Surface {
        get throws(APIError) {
            switch query["surface"] {
            case nil, "open": return .open
            case "lock": return .lock
            case _? where presenter != nil: return .open
            default:
                let more = isForEvents ? ", page, desktop, terminal" : ""
                throw .badParameter("\"surface\" must be one of open, lock\(more)")
            }
        }
    }

    /// The kind of the surface which the reader of a stream of events is; `nil` means that it is none.
    package var presenter: Presenter.Kind? {
        isForEvents ? query["surface"].flatMap(Presenter.Kind.init(rawValue:)) : nil
    }

    private var isForEvents: Bool { path == ["events"] }

    /// The body as a JSON object.
    package func object() throws(APIError) -> JSONObject {
        guard headers.nameJSON else { throw .mediaType }
        // Two levels of a call stand around its payload.
        do { return try JSONObject(parsing: body.span, depthLimit: Payload.depthLimit + 2) } catch {
            throw .badJSON("\(error)")
        }
    }

    /// Reads `%XX`; `nil` means that an escape is broken, or that the bytes are no UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = Substring(rest.prefix(2))
            // A sign is a digit to Swift.
            guard digits.utf8.count == 2, digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
                let value = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension Int64 {
    /// Reads a number as the API writes it: nothing has two names.
    init?(decimal text: String) {
        guard let number = Int64(text), String(number) == text else { return nil }
        self = number
    }
}

extension HTTPHeaders {
    /// True if the body is JSON; a media type knows no upper and lower case, and may have parameters.
    var nameJSON: Bool {
        self["content-type"].contains { value in
            // By bytes: a sign that is written over the one before it hides a semicolon from who reads characters.
            let essence = value.utf8.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
            return String(decoding: essence, as: UTF8.self).lowercased() == "application/json"
        }
    }
}
