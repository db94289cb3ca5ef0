// SPDX-License-Identifier: Apache-2.0

import CPage
import Crypto
import NIOHTTP1
import NotificationPayload

/// The files of the page, from the program itself.
///
/// The documents, and what has one address for good, are asked for anew each time. They name all others by the hash of
/// all files, so that a browser has those of one program, and asks for them once.
struct PageFiles: Sendable {
    static let all = PageFiles()

    /// The name of the folder of the other files: 16 digits of a hash over all.
    let release: String
    /// The OpenAPI document of the API.
    let document: [UInt8]
    private let roots: [String: PageFile]
    private let assets: [String: PageFile]

    private init() {
        var sources: [(name: String, bytes: [UInt8])] = []
        while true {
            let file = unsafe page_file_at(sources.count)
            guard let name = unsafe file.name else { break }
            let bytes = unsafe Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            unsafe sources.append((String(cString: name), bytes))
        }
        if !sources.contains(where: { $0.name.hasSuffix(".woff2") }) {
            for index in sources.indices where sources[index].name.hasSuffix(".css") {
                sources[index].bytes = PageFile.withoutFonts(sources[index].bytes)
            }
        }
        let scripts = sources.filter { $0.name.hasSuffix(".js") }.map { ($0.name, PageFile.stripped($0.bytes)) }
        let modules = Dictionary(uniqueKeysWithValues: scripts)
        let bundles = Self.bundleNames.map { (name: $0, bytes: Self.bundle($0, of: modules)) }
        var hash = SHA256()
        for file in sources + bundles { hash.update(data: file.bytes) }
        release = Hexadecimal.encode(hash.finalize().prefix(8))
        var roots: [String: PageFile] = [:]
        var assets: [String: PageFile] = [:]
        var document: [UInt8] = []
        for (name, bytes) in sources {
            if name == Self.documentName {
                document = bytes
            } else if name.hasSuffix(".html") {
                let text = String(decoding: bytes, as: UTF8.self).replacing("/assets/", with: "/assets/\(release)/")
                roots[name == "index.html" ? "/" : "/" + name.dropLast(5)] = PageFile(Array(text.utf8), name: name)
            } else if Self.rootNames.contains(name) {
                roots["/" + name] = PageFile(bytes, name: name)
            } else {
                assets[name] = PageFile(modules[name].map { Array($0.utf8) } ?? bytes, name: name)
            }
        }
        for (name, bytes) in bundles { assets[name] = PageFile(bytes, name: name) }
        (self.roots, self.assets, self.document) = (roots, assets, document)
    }

    private static let documentName = "v1/openapi.json"
    /// The files that browsers look for at an address of their own, or keep by it.
    private static let rootNames: Set<String> = ["sw.js", "manifest.webmanifest", "icon.svg", "unseen.svg"]

    /// The scripts that documents name, and the one that the page loads with its first view; each is served with all
    /// that it imports.
    private static let bundleNames = ["page.js", "lock.js", "scene.js"]

    private static func bundle(_ name: String, of modules: [String: String]) -> [UInt8] {
        do { return Array(try ModuleBundle.script(of: name, among: modules).utf8) } catch {
            preconditionFailure("\(name) cannot be served: \(error)")
        }
    }

    /// The answer to a request for a file of the page; `nil` means that it is for something else.
    func answer(to head: HTTPRequestHead) -> APIAnswer? {
        let path = String(head.uri.prefix { $0 != "?" })
        let asset = path.hasPrefix("/assets/\(release)/") ? assets[String(path.dropFirst(release.utf8.count + 9))] : nil
        guard let file = asset ?? roots[path] else { return nil }
        guard head.method == .GET || head.method == .HEAD else { return APIError.method(allowed: "GET").answer }
        var answer = asset == nil ? root(file, head) : Self.asset(file, head)
        for (name, value) in Self.protection { answer.headers.add(name: name, value: value) }
        return answer
    }

    /// A file that may be another one under the same address tomorrow.
    private func root(_ file: PageFile, _ head: HTTPRequestHead) -> APIAnswer {
        let tag = "\"\(release)\""
        let isKnown = head.headers["if-none-match"].contains(tag)
        var answer = isKnown ? APIAnswer(.notModified) : APIAnswer(.ok, file.bytes, type: file.type)
        answer.headers.replaceOrAdd(name: "cache-control", value: "no-cache")
        answer.headers.add(name: "etag", value: tag)
        return answer
    }

    /// A file that never changes: another program has other addresses.
    private static func asset(_ file: PageFile, _ head: HTTPRequestHead) -> APIAnswer {
        let accepted = head.headers[canonicalForm: "accept-encoding"]
        let packed = accepted.contains { $0 == "gzip" } ? file.packed : nil
        var answer = APIAnswer(.ok, packed ?? file.bytes, type: file.type)
        answer.headers.replaceOrAdd(name: "cache-control", value: "public, max-age=31536000, immutable")
        answer.headers.add(name: "vary", value: "accept-encoding")
        if packed != nil { answer.headers.add(name: "content-encoding", value: "gzip") }
        return answer
    }

    /// The rights of the page: it runs and asks what comes from here, makes no markup of texts, and is in no frame.
    ///
    /// The policy of Trusted Types, `centre`, lets the address of the worker become a script, and nothing else.
    /// Source: Content Security Policy Level 3; Trusted Types; HTML Standard, "Cross-origin opener policies".
    private static let protection = [
        (
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; media-src 'self'; "
                + "font-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types centre"
        ),
        ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-embedder-policy", "require-corp"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    ]
}
