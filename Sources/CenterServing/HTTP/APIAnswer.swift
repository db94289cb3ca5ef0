// SPDX-License-Identifier: Apache-2.0

import NIOCore
package import NIOHTTP1
import NotificationPayload

/// An answer that is whole before it is sent.
package struct APIAnswer {
    package var status: HTTPResponseStatus
    var headers: HTTPHeaders
    private let body: [UInt8]

    init(_ status: HTTPResponseStatus, _ object: JSONObject) {
        self.init(status, object.serialized + [UInt8(ascii: "\n")], type: "application/json")
    }

    init(_ status: HTTPResponseStatus, _ bytes: [UInt8], type: String) {
        self.status = status
        body = bytes
        headers = Self.headers(type: type)
        headers.add(name: "content-length", value: "\(body.count)")
    }

    /// An answer without a body: it was done.
    static var done: APIAnswer { APIAnswer(.noContent) }

    /// An answer whose status says everything.
    init(_ status: HTTPResponseStatus) {
        self.status = status
        body = []
        headers = Self.headers(type: nil)
    }

    /// An answer to a caller who has the file already; the headers are those of the whole, without its length.
    init(notModified headers: HTTPHeaders) {
        status = .notModified
        body = []
        self.headers = headers
        self.headers.remove(name: "content-length")
        self.headers.remove(name: "content-range")
    }

    /// The headers of every answer: browsers guess no type, keep nothing and tell nobody whence they come.
    static func headers(type: String?) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "cache-control": "no-store", "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
        ]
        if let type { headers.add(name: "content-type", value: type) }
        return headers
    }

    /// Returns the parts that are sent; to HEAD, `isHeadOnly`, the headers of the body without it.
    package func parts(isHeadOnly: Bool, isLast: Bool) -> [HTTPServerResponsePart] {
        var headers = headers
        if isLast { headers.add(name: "connection", value: "close") }
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
        guard !isHeadOnly, !body.isEmpty else { return [.head(head), .end(nil)] }
        return [.head(head), .body(.byteBuffer(ByteBuffer(bytes: body))), .end(nil)]
    }
}
