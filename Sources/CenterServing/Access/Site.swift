// SPDX-License-Identifier: Apache-2.0

package import NIOHTTP1
import NotificationPayload

/// The name and the port under which browsers reach the centre: in the clear those of this machine, under
/// `nestbox-1a2b3c4d5e6f70819203.localhost:8787`, with TLS all, under the centre's public origin.
///
/// Cookies know no ports, so that one of `localhost` would go to other users' programs as well; the name is each
/// centre's own, nobody can guess it, and it resolves to this machine without a name server. The cookie goes to every
/// port of the name, so that whoever knows it may lure the owner to another port of it.
/// Source: docs/notification-center.md, "Who may ask?"; RFC 6761, section 6.3.
package struct Site: Equatable, Sendable {
    private let isPublic: Bool
    /// True if no other service is likely to have the name: the site has it with the scheme's own port.
    private let hasWholeName: Bool
    /// The value of `host`, without the port where it is the scheme's own.
    private let authority: String
    /// The port at which the centre itself listens.
    private let port: Int

    /// The site of a centre that listens in the clear, for this machine's own browsers.
    package init(name: String, port: Int) {
        isPublic = false
        hasWholeName = false
        authority = port == 80 ? name : "\(name):\(port)"
        self.port = port
    }

    /// The site of a centre with TLS; `port` may be another than that of its public origin, behind a router.
    package init(_ origin: PublicOrigin, port: Int) {
        isPublic = true
        hasWholeName = origin.port == PublicOrigin.ownPort
        authority = hasWholeName ? origin.name : "\(origin.name):\(origin.port)"
        self.port = port
    }

    /// A name of 80 random bits.
    static func makeName() -> String {
        let random = (0..<10).map { _ in UInt8.random(in: 0...UInt8.max) }
        return "nestbox-" + Hexadecimal.encode(random) + ".localhost"
    }

    var origin: String { (isPublic ? "https://" : "http://") + authority }

    /// The cookie of a session at this site.
    var cookie: SessionCookie { SessionCookie(isSecure: isPublic) }

    /// The headers that a page of the site has because of its scheme.
    ///
    /// A browser that has seen this one refuses everything in the clear for a year, at every port of the name. It is
    /// said where the name is the centre's in whole: with a port of its own the name is likely to have other services,
    /// which it would cut off.
    /// Source: RFC 6797, sections 6.1 and 8.3.
    var transportHeaders: [(String, String)] {
        hasWholeName ? [("strict-transport-security", "max-age=31536000")] : []
    }

    /// The value of `clear-site-data` at the end of a session.
    ///
    /// "cookies" means those of the whole domain, which at a public origin has other services too.
    var dataToClear: String { isPublic ? #""storage", "cache""# : #""cookies", "storage", "cache""# }

    // MARK: The checks of a request, in their order

    /// Refuses a request that names another host: a name server that lies has led its sender here.
    package func judgeHost(_ head: HTTPRequestHead, _ presented: PresentedCredential) throws(APIError) {
        guard let host = head.headers["host"].first else { throw .hostName }
        if host.utf8.elementsEqual(authority.utf8) { return }
        // A program with a token of its own has no cookie that somebody else could have it send.
        if case .bearer = presented, isLoopback(host) { return }
        throw .hostName
    }

    /// Refuses a request for which a page of somebody else had the browser send the cookie, as its headers show.
    package func judgeBrowser(_ head: HTTPRequestHead, hasBody: Bool) throws(APIError) {
        let site = head.headers["sec-fetch-site"].first
        guard head.method != .GET, head.method != .HEAD else {
            guard site == nil || site == "same-origin" || site == "none" else { throw .origin }
            return
        }
        guard head.headers["origin"] == [origin], site == nil || site == "same-origin" else { throw .origin }
        guard !hasBody || head.headers.nameJSON else { throw .mediaType }
    }

    /// A request that signs in has no cookie yet; a program may make it, which sends no `origin`.
    package func judgeSignIn(_ head: HTTPRequestHead) throws(APIError) {
        let origins = head.headers["origin"]
        guard origins.isEmpty || origins == [origin] else { throw .origin }
        let site = head.headers["sec-fetch-site"].first
        guard site == nil || site == "same-origin" else { throw .origin }
        guard head.headers.nameJSON else { throw .mediaType }
    }

    /// True for `localhost`, 127.0.0.0/8 and `[::1]` with this port; read as an address, since `127.evil.example` is a
    /// name.
    private func isLoopback(_ host: String) -> Bool {
        let suffix = ":\(port)"
        let isOwnPort = port == (isPublic ? PublicOrigin.ownPort : 80)
        guard host.hasSuffix(suffix) || isOwnPort else { return false }
        let name = host.hasSuffix(suffix) ? String(host.dropLast(suffix.count)) : host
        if name == "localhost" || name == "[::1]" { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? UInt8(part) : nil
        }
        return parts.count == 4 && numbers.count == 4 && numbers[0] == 127
    }
}

/// The credential that a request shows.
package enum PresentedCredential: Equatable {
    case none
    /// The cookie of a browser.
    case cookie(String)
    /// `authorization: Bearer …`
    case bearer(String)

    /// Reads the credential of a request; a cookie is known by the name that the site's own has.
    package init(_ headers: HTTPHeaders, _ cookie: SessionCookie) {
        if let header = headers["authorization"].first {
            let parts = header.utf8.split(separator: UInt8(ascii: " "), maxSplits: 1)
            let isBearer = parts.count == 2 && Substring(parts[0]).lowercased() == "bearer"
            self = isBearer ? .bearer(String(Substring(parts[1]))) : .bearer("")
            return
        }
        // By bytes: a sign that is written over the one before it hides a semicolon from who reads characters.
        for pair in headers["cookie"].flatMap({ $0.utf8.split(separator: UInt8(ascii: ";")) }) {
            let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard halves.count == 2, halves[0].drop(while: { $0 == UInt8(ascii: " ") }).elementsEqual(cookie.name.utf8)
            else { continue }
            self = .cookie(String(Substring(halves[1])))
            return
        }
        self = .none
    }
}
