// SPDX-License-Identifier: Apache-2.0

package import CenterStore
import DatabaseFile
import Locking
import NIOCore
package import NIOHTTP1
import NotificationPayload

/// Lets callers of a port in: finds out who they are, and refuses whoever another page or name has sent.
///
/// Source: docs/notification-center.md, "Who may ask?".
package final class WebGate: Sendable {
    /// The time for which a session is good after its last use, and a code after it was made.
    static let sessionTime: WallTime = 30 * 24 * 60 * 60_000
    static let codeTime: WallTime = 5 * 60_000
    /// A session that is used is written so often at most.
    private static let slideTime: WallTime = 60 * 60_000
    private static let lookInterval = Duration.seconds(60)
    private static let siteFact = "site"

    let center: Center
    /// The owners who may come in; `nil` means all whom the centre knows.
    private let owners: Set<OwnerName>?
    /// `nil` means that the centre is reached from this machine alone, under a name of its own.
    private let origin: PublicOrigin?
    private let site = Locked<Site?>(nil)
    private let failures = Locked(FailureCount())
    private let rates = Locked(RequestRates())

    /// A credential of any other owner than these is none; `nil` lets in all whom the centre knows.
    package init(_ center: Center, owners: Set<OwnerName>? = nil, origin: PublicOrigin? = nil) {
        self.center = center
        self.owners = owners
        self.origin = origin
    }

    /// Returns the host name that the centre has for good.
    func name() async throws(DatabaseFailure) -> String {
        if let origin { return origin.name }
        if let known = try center.store.fact(Self.siteFact) { return String(decoding: known, as: UTF8.self) }
        let name = Site.makeName()
        _ = try await center.perform([.setFact(Self.siteFact, Array(name.utf8))])
        return name
    }

    /// The centre is reached under this name at this port from now on; returns the address.
    package func open(_ name: String, port: Int) -> String {
        let site = origin.map { Site($0, port: port) } ?? Site(name: name, port: port)
        self.site.withLock { $0 = site }
        center.site.withLock { $0 = site }
        return site.origin
    }

    /// The two kinds of request that are let in.
    package enum Admission {
        case known(Access)
        case signsIn
    }

    /// Refuses a request that calls the centre by another name, or one before it has a name; returns the headers of a
    /// page there.
    func judgeHost(_ head: HTTPRequestHead) throws(APIError) -> [(String, String)] {
        guard let site = site.withLock(\.self) else { throw .notFound }
        try site.judgeHost(head, .none)
        return site.transportHeaders
    }

    /// Finds out who makes a request.
    package func admit(
        _ head: HTTPRequestHead,
        _ request: APIRequest,
        from address: CallerAddress
    ) async throws(APIError) -> Admission {
        guard let site = site.withLock(\.self) else { throw .notFound }
        let presented = PresentedCredential(head.headers, site.cookie)
        try site.judgeHost(head, presented)
        if head.method == .POST, request.path == ["sessions"] {
            try site.judgeSignIn(head)
            return .signsIn
        }
        guard let credential = try find(presented), serves(credential.owner) else { throw failure(address) }
        if credential.kind == .session { try site.judgeBrowser(head, hasBody: !request.body.isEmpty) }
        var access = Access(credential)
        await noteUse(of: credential)
        // The browser forgets the cookie at its own time, which is to go on like the session's.
        if case .cookie(let text) = presented, request.path == ["front"] {
            access.cookie = site.cookie.set(Secret(presented: text))
        }
        return .known(access)
    }

    /// Waits until the rates of a caller's credential allow its request.
    func wait(for access: Access, _ clock: any Clock<Duration>) async throws(APIError) {
        guard let credential = access.credential else { return }
        let now = Duration.milliseconds(center.clock.boot())
        guard let pause = rates.withLock({ $0.take(credential, at: now) }) else { throw .tooManyRequests }
        if pause > .zero { try? await clock.sleep(for: pause) }
    }

    /// Takes a code and returns the session that it was for, with its cookie.
    package func signIn(
        _ request: APIRequest,
        from address: CallerAddress
    ) async throws(APIError) -> (Credential, cookie: String) {
        guard let site = site.withLock(\.self) else { throw .notFound }
        guard let text = try request.object()["code"]?.string else { throw .badParameter("\"code\" must be a text") }
        let now = center.clock.wall()
        let hash = Secret(presented: text).hash
        let found: Credential?
        do { found = try CredentialReader(center.store).one(.code, hash, at: now) } catch { throw .disk }
        guard let found, serves(found.owner) else { throw failure(address) }
        let secret = Secret(.session)
        var grant = Grant(stored: found.grant)
        grant.name = Self.name(of: request)
        let session = Credential(
            .session,
            hash: secret.hash,
            owner: found.owner,
            grant: grant.stored,
            made: now,
            ends: now + Self.sessionTime
        )
        let result: WorkResult?
        do { result = try await center.perform([.exchange(code: hash, for: session)]).first } catch { throw .disk }
        // Somebody else was quicker.
        guard case .done? = result else { throw failure(address) }
        await endFormer(PresentedCredential(request.headers, site.cookie))
        return (session, site.cookie.set(secret))
    }

    /// Ends the session that a browser had before it signed in anew: no tab of it reads on by that.
    private func endFormer(_ presented: PresentedCredential) async {
        guard case .cookie(let text) = presented else { return }
        let hash = Secret(presented: text).hash
        if case .done? = try? await center.perform([.removeCredential(.session, hash: hash)]).first {
            center.credentialWatchers.raise()
        }
    }

    // MARK: Credentials

    private func serves(_ owner: OwnerName) -> Bool { owners?.contains(owner) ?? true }

    private func find(_ presented: PresentedCredential) throws(APIError) -> Credential? {
        let (kind, text): (Credential.Kind, String)
        switch presented {
        case .none: return nil
        case .cookie(let secret): (kind, text) = (.session, secret)
        case .bearer(let secret): (kind, text) = (.token, secret)
        }
        do {
            return try CredentialReader(center.store).one(kind, Secret(presented: text).hash, at: center.clock.wall())
        } catch { throw .disk }
    }

    /// Returns when a credential is good no more: it was ended, or its time is over, which is looked each minute.
    ///
    /// A stream that it opened ends then. A session is in use as long as its stream lasts.
    func untilEnded(_ credential: Credential, _ clock: any Clock<Duration>) async {
        await center.credentialWatchers.withSignal { changed in
            while !Task.isCancelled {
                // A disk that cannot be read has ended nothing.
                if let isGood = try? await isGood(credential), !isGood { return }
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { await changed.wait() }
                    group.addTask { try? await clock.sleep(for: Self.lookInterval) }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
    }

    private func isGood(_ credential: Credential) async throws(DatabaseFailure) -> Bool {
        let now = center.clock.wall()
        guard let found = try CredentialReader(center.store).one(credential.kind, credential.hash, at: now) else {
            return false
        }
        await noteUse(of: found)
        return true
    }

    private func failure(_ address: CallerAddress) -> APIError {
        let now = center.clock.boot()
        return failures.withLock { $0.add(address, at: now) } ? .tooManyFailures : .credential
    }

    /// A session goes on while it is used, which is written once an hour; a disk that takes nothing lets the caller in
    /// all the same.
    private func noteUse(of credential: Credential) async {
        let now = center.clock.wall()
        guard (credential.used ?? .min) < now - Self.slideTime else { return }
        let end = credential.kind == .session ? now + Self.sessionTime : credential.ends
        _ = try? await center.perform([.useCredential(credential.kind, hash: credential.hash, until: end)])
    }

    /// The browser's own word for itself, as a name for the list of sessions.
    private static func name(of request: APIRequest) -> String {
        let agent = request.headers["user-agent"].first ?? ""
        let visible = agent.unicodeScalars.filter { $0.value >= 0x20 && $0.value < 0x7F }
        let name = String(String.UnicodeScalarView(visible.prefix(64)))
        return name.isEmpty ? "browser" : name
    }
}
