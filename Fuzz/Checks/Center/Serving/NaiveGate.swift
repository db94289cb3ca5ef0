// SPDX-License-Identifier: Apache-2.0

import CenterServing
import NIOHTTP1

/// The checks of a request that comes to a port, said byte by byte in the order of the documents.
///
/// Source: docs/notification-center.md, "Who may ask?".
struct NaiveGate {
    private let head: HTTPRequestHead
    private let name: [UInt8]
    private let port: Int
    private let isTLS: Bool

    init(_ head: HTTPRequestHead, name: String, port: Int, isTLS: Bool) {
        self.head = head
        self.name = Array(name.utf8)
        self.port = port
        self.isTLS = isTLS
    }

    private func values(_ name: String) -> [[UInt8]] { head.headers[name].map { Array($0.utf8) } }
    private func first(_ name: String) -> [UInt8]? { values(name).first }
    private var suffix: [UInt8] { Array(":\(port)".utf8) }
    private var hasOwnPort: Bool { port == (isTLS ? 443 : 80) }
    private var authority: [UInt8] { hasOwnPort ? name : name + suffix }

    private static func lowercased(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    // MARK: The credential

    /// A token counts before a cookie, and the first cookie of our name that has a value.
    var credential: PresentedCredential {
        if let header = first("authorization") {
            let words = header.split(separator: UInt8(ascii: " "), maxSplits: 1)
            let isToken = words.count == 2 && Self.lowercased(words[0]) == Array("bearer".utf8)
            return .bearer(isToken ? String(decoding: words[1], as: UTF8.self) : "")
        }
        for header in values("cookie") {
            let name = isTLS ? "__Host-nestbox" : "nestbox"
            for pair in header.split(separator: UInt8(ascii: ";")) {
                let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
                guard halves.count == 2,
                    halves[0].drop(while: { $0 == UInt8(ascii: " ") }).elementsEqual(name.utf8)
                else { continue }
                return .cookie(String(decoding: halves[1], as: UTF8.self))
            }
        }
        return .none
    }

    // MARK: The host

    var namesUs: Bool {
        guard let host = first("host") else { return false }
        if host == authority { return true }
        guard case .bearer = credential else { return false }
        if host.suffix(suffix.count) == suffix[...] { return isThisMachine(host.dropLast(suffix.count)) }
        return hasOwnPort && isThisMachine(host[...])
    }

    private func isThisMachine(_ host: ArraySlice<UInt8>) -> Bool {
        if host.elementsEqual("localhost".utf8) || host.elementsEqual("[::1]".utf8) { return true }
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part -> Int? in
            let isNumber = !part.isEmpty && part.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            return isNumber ? part.reduce(0) { min(1000, $0 * 10 + Int($1 & 15)) } : nil
        }
        return parts.count == 4 && numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 < 256 }
    }

    // MARK: The page

    private var fetchSite: String? { first("sec-fetch-site").map { String(decoding: $0, as: UTF8.self) } }
    private var origins: [[UInt8]] { values("origin") }
    private var isOurs: Bool { origins == [Array((isTLS ? "https://" : "http://").utf8) + authority] }
    private var namesJSON: Bool { values("content-type").contains { Self.isJSON($0) } }

    /// Tells whether a media type is JSON's, whatever its parameters are.
    static func isJSON(_ value: some Sequence<UInt8>) -> Bool {
        let essence = value.prefix { $0 != UInt8(ascii: ";") }.filter { $0 != UInt8(ascii: " ") }
        return lowercased(essence) == Array("application/json".utf8)
    }

    func isOwnPage(hasBody: Bool) -> Bool {
        if head.method == .GET || head.method == .HEAD { return [nil, "same-origin", "none"].contains(fetchSite) }
        return isOurs && [nil, "same-origin"].contains(fetchSite) && (namesJSON || !hasBody)
    }

    var maySignIn: Bool { (origins.isEmpty || isOurs) && [nil, "same-origin"].contains(fetchSite) && namesJSON }
}
