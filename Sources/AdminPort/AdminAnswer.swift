// SPDX-License-Identifier: Apache-2.0

private import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NotificationPayload

/// An answer of the admin port: a whole text, or none.
struct AdminAnswer {
    private let status: HTTPResponseStatus
    private var headers: HTTPHeaders
    private let text: String
    /// RFC 9110, section 9.3.2: an answer to HEAD has the headers of the text, and no text.
    var isHeadOnly = false

    init(_ status: HTTPResponseStatus, _ text: String = "", type: String? = nil, headers: HTTPHeaders = [:]) {
        self.status = status
        self.text = text
        self.headers = headers
        self.headers.add(name: "Cache-Control", value: "no-store")
        if let type { self.headers.add(name: "Content-Type", value: type) }
        self.headers.add(name: "Content-Length", value: "\(text.utf8.count)")
    }

    init(_ status: HTTPResponseStatus, json: JSONObject) {
        var bytes: [UInt8] = []
        json.write(to: &bytes)
        self.init(status, String(decoding: bytes, as: UTF8.self) + "\n", type: "application/json")
    }

    /// Returns the parts that are sent; with `isLast` they tell the peer that the connection ends behind the answer.
    func parts(isLast: Bool) -> [HTTPServerResponsePart] {
        var headers = headers
        headers.add(name: "Date", value: Self.date)
        if isLast { headers.add(name: "Connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        guard !isHeadOnly, !text.isEmpty else { return [.head(head), .end(nil)] }
        return [.head(head), .body(.byteBuffer(ByteBuffer(string: text))), .end(nil)]
    }

    /// The answer to what is no HTTP; the connection ends with it.
    static var badRequest: [HTTPServerResponsePart] {
        let headers: HTTPHeaders = ["Connection": "close", "Content-Length": "0"]
        return [.head(HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)), .end(nil)]
    }

    /// The time as RFC 9110, section 5.6.7, wants it: "Sun, 06 Nov 1994 08:49:37 GMT".
    ///
    /// No program of ours sets a locale, so that names of days are English.
    private static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        return String(unsafeUninitializedCapacity: 30) { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                strftime($0.baseAddress, $0.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
            }
        }
    }
}

/// The pages of the admin port.
enum AdminPage: String {
    case health = "/health"
    case ready = "/ready"
    case status = "/status"
    case metrics = "/metrics"

    /// `nil` means that a request's target names no page; what follows a question mark is not looked at.
    init?(target: String) {
        var path = target.prefix { $0 != "?" }
        // RFC 9112, section 3.2.2: a whole address means the same as its path.
        if path.hasPrefix("http://") { path = path.dropFirst("http://".count).drop { $0 != "/" } }
        self.init(rawValue: String(path))
    }

    var isForOperators: Bool {
        switch self {
        case .health, .ready: false
        case .status, .metrics: true
        }
    }
}
