// SPDX-License-Identifier: Apache-2.0

import CPage
import Crypto
import NIOHTTP1
import NotificationPayload

/// The files of the page, from the program itself.
struct PageFiles: Sendable {
    static let all = PageFiles()

    private let files: [String: [UInt8]]
    /// The same for all of them, so that a browser has all of one program.
    private let tag: String

    private init() {
        var files: [String: [UInt8]] = [:]
        var hash = SHA256()
        var index = 0
        while true {
            let file = unsafe page_file_at(index)
            guard let name = unsafe file.name else { break }
            let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            unsafe files[String(cString: name)] = bytes
            hash.update(data: bytes)
            index += 1
        }
        self.files = files
        tag = "\"" + Hexadecimal.encode(hash.finalize().prefix(8)) + "\""
    }

    /// The OpenAPI document of the API.
    var document: [UInt8]? { files["v1/openapi.json"] }

    /// The answer to a request for a file of the page; `nil` means that it is for something else.
    func answer(to head: HTTPRequestHead) -> APIAnswer? {
        let path = head.uri.prefix { $0 != "?" }
        let name = Self.documents[path] ?? String(path.dropFirst())
        let isFile = path.hasPrefix("/") && !path.hasPrefix("/v1/") && !path.hasSuffix(".html")
        guard isFile, let bytes = files[name] else { return nil }
        guard head.method == .GET || head.method == .HEAD else { return APIError.method(allowed: "GET").answer }
        let isKnown = head.headers["if-none-match"].contains(tag)
        var answer = isKnown ? APIAnswer(.notModified) : APIAnswer(.ok, bytes, type: Self.type(of: name))
        answer.headers.replaceOrAdd(name: "cache-control", value: "no-cache")
        answer.headers.add(name: "etag", value: tag)
        for (name, value) in Self.protection { answer.headers.add(name: name, value: value) }
        return answer
    }

    /// The documents by their paths; none has a second address.
    private static let documents: [Substring: String] = ["/": "index.html", "/lock": "lock.html"]

    private static func type(of name: String) -> String {
        if name.hasSuffix(".html") { return "text/html; charset=utf-8" }
        if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
        if name.hasSuffix(".svg") { return "image/svg+xml" }
        if name.hasSuffix(".webmanifest") { return "application/manifest+json" }
        return "text/javascript; charset=utf-8"
    }

    /// The rights of the page: it runs and asks what comes from here, makes no markup of texts, and is in no frame.
    ///
    /// The policy of Trusted Types, `centre`, lets the address of the worker become a script, and nothing else.
    /// Source: Content Security Policy Level 3; Trusted Types; HTML Standard, "Cross-origin opener policies".
    private static let protection = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
                + "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types centre"
        ),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    ]
}
