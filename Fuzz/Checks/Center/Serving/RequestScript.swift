// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1

/// A request as a fuzzer writes it.
///
/// The first line is the method, a space and the target; each further one a header's name, a colon and its value; an
/// empty line, then the body.
struct RequestScript {
    let head: HTTPRequestHead
    let body: [UInt8]

    /// `nil` means that a line is no UTF-8, that the target has bytes which no server hands on, or that there are many
    /// headers; a header whose name has such bytes is left out.
    init?(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let top = lines.prefix { !$0.isEmpty }
        guard (1...32).contains(top.count) else { return nil }
        body = Array(lines.dropFirst(top.count + 1).joined(separator: [UInt8(ascii: "\n")]))
        let texts = top.compactMap { String(validating: $0, as: UTF8.self) }
        guard texts.count == top.count else { return nil }
        let start = texts[0].utf8.split(separator: UInt8(ascii: " "), maxSplits: 1).map { String(Substring($0)) }
        guard start.count == 2, start[1].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
        var headers = HTTPHeaders()
        for text in texts.dropFirst() {
            let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1).map { String(Substring($0)) }
            guard parts.count == 2, parts[0].utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { continue }
            headers.add(name: parts[0], value: String(Substring(parts[1].utf8.drop { $0 == UInt8(ascii: " ") })))
        }
        head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: start[0]),
            uri: start[1],
            headers: headers
        )
    }
}
