// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Puts the parts of requests together, one request after the other.
struct RequestReader {
    private let bodyLimit: Int
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    init(bodyLimit: Int) {
        self.bodyLimit = bodyLimit
    }

    /// Returns the request that is whole with this part; throws `tooLarge`, and then nothing more can be read.
    mutating func take(_ part: HTTPServerRequestPart) throws(APIError) -> (HTTPRequestHead, body: [UInt8])? {
        switch part {
        case .head(let head): self.head = head
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= bodyLimit else { throw .tooLarge(limit: bodyLimit) }
            body += bytes.readableBytesView
        case .end:
            defer { (head, body) = (nil, []) }
            return head.map { ($0, body) }
        }
        return nil
    }
}
