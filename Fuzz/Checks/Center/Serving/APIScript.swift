// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// Requests to the API as a fuzzer writes them, one a line.
///
/// Shape: `METHOD TARGET BODY`, of which the body may be absent, as in `PUT /v1/seen {"number":"3"}`. `CODE` in a body
/// stands for the last code that was made. A line `after TEXT` is the `Last-Event-ID` of the requests that follow.
/// Every other line is left out.
struct APIScript {
    struct Request {
        let head: HTTPRequestHead
        let body: [UInt8]
    }

    /// Requests of one script; what comes behind them is left out.
    private static let limit = 24

    private(set) var requests: [Request] = []

    init(_ bytes: [UInt8]) {
        var headers: HTTPHeaders = ["content-type": "application/json", "host": APIDesk.host]
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(Self.limit) {
            let words = line.split(separator: UInt8(ascii: " "), maxSplits: 2).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard words.count > 1, words[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { continue }
            if words[0] == "after" {
                headers.replaceOrAdd(name: "last-event-id", value: words[1])
                continue
            }
            let head = HTTPRequestHead(
                version: .http1_1,
                method: HTTPMethod(rawValue: words[0]),
                uri: words[1],
                headers: headers
            )
            requests.append(Request(head: head, body: words.count > 2 ? Array(words[2].utf8) : []))
        }
    }
}
