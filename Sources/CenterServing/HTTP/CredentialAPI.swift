// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Locking
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The part of the API that gives and takes credentials: sessions, tokens, and codes that lead to a session.
struct CredentialAPI {
    let api: CenterAPI
    /// The caller, whose own session is the current one.
    let access: Access

    private var center: Center { api.center }
    private var owner: OwnerName { api.owner }

    /// Tokens that end have at most so many days.
    private static let days: ClosedRange<Int64> = 1...3650
    private static let day: WallTime = 24 * 60 * 60_000

    func answer(to request: APIRequest) async throws(APIError) -> APIAnswer {
        let kind: Credential.Kind = request.path[0] == "tokens" ? .token : .session
        switch (request.path[0], request.path.count, request.method) {
        case ("codes", _, .POST): return try await makeCode(request.body.isEmpty ? [:] : try request.object())
        case ("codes", _, _): throw .method(allowed: "POST")
        case (_, 2, .DELETE): return try await end(kind, request.path[1])
        case (_, 2, _): throw .method(allowed: "DELETE")
        case ("tokens", _, .POST): return try await makeToken(try request.object())
        case (_, _, .GET), (_, _, .HEAD): return try list(kind)
        // Who signs in at the port has asked no API yet; at the owner's socket nobody does.
        default: throw .method(allowed: kind == .token || access.grant != nil ? "GET, POST" : "GET")
        }
    }

    private func list(_ kind: Credential.Kind) throws(APIError) -> APIAnswer {
        let now = center.clock.wall()
        let found = try api.read { store throws(DatabaseFailure) in
            try CredentialReader(store).all(kind, of: owner, at: now)
        }
        let items = found.map { credential in
            var object = Grant(stored: credential.grant).json
            object["id"] = .string(credential.id)
            object["made"] = .string(NotificationView.text(of: credential.made))
            object["used"] = credential.used.map { .string(NotificationView.text(of: $0)) } ?? .null
            object["ends"] = credential.ends.map { .string(NotificationView.text(of: $0)) } ?? .null
            if kind == .session { object["current"] = .bool(credential.hash == access.credential?.hash) }
            return JSON.object(object)
        }
        return APIAnswer(.ok, ["items": .array(items)])
    }

    /// Ends a session or a token at once; `current` is the caller's own session.
    private func end(_ kind: Credential.Kind, _ id: String) async throws(APIError) -> APIAnswer {
        let now = center.clock.wall()
        let isOwn = kind == .session && id == "current"
        let found = try api.read { store throws(DatabaseFailure) in
            try CredentialReader(store).all(kind, of: owner, at: now).first { credential in
                isOwn ? credential.hash == access.credential?.hash : credential.id == id
            }
        }
        guard let found else { throw .notFound }
        if case .refused = try await api.perform(.removeCredential(kind, hash: found.hash)) { throw .notFound }
        center.credentialWatchers.raise()
        var answer = APIAnswer.done
        if kind == .session, found.hash == access.credential?.hash, let site = center.site.withLock(\.self) {
            answer.headers.add(name: "set-cookie", value: site.cookie.cleared)
            answer.headers.add(name: "clear-site-data", value: site.dataToClear)
        }
        return answer
    }

    /// Makes a token for a program, whose text is told this once.
    private func makeToken(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        let grant = try Grant(object)
        let now = center.clock.wall()
        var end: WallTime?
        if let value = object["days"] {
            guard let days = value.integer, Self.days.contains(days) else {
                throw .badParameter("\"days\" must be a number from 1 to 3650")
            }
            end = now + days * Self.day
        }
        let secret = Secret(.token)
        let token = Credential(
            .token,
            hash: secret.hash,
            owner: owner,
            grant: grant.stored,
            made: now,
            ends: end
        )
        if case .refused = try await api.perform(.addCredential(token)) { throw .notFound }
        return APIAnswer(.created, ["id": .string(token.id), "token": .string(secret.text)])
    }

    /// Makes a code that leads a browser to a session, once and within five minutes.
    ///
    /// The code is behind the `#` of the link, so that no log and no proxy sees it.
    private func makeCode(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        let surface: Surface
        switch object["surface"] {
        case nil, .string("open"): surface = .open
        case .string("lock"): surface = .lock
        default: throw .badParameter("\"surface\" must be one of open, lock")
        }
        guard let site = center.site.withLock(\.self) else { throw .noPort }
        let now = center.clock.wall()
        let secret = Secret(.code)
        let code = Credential(
            .code,
            hash: secret.hash,
            owner: owner,
            grant: Grant.session(for: surface).stored,
            made: now,
            ends: now + WebGate.codeTime
        )
        if case .refused = try await api.perform(.addCredential(code)) { throw .notFound }
        let page = surface == .lock ? "/lock" : "/"
        return APIAnswer(
            .created,
            [
                "link": .string("\(site.origin)\(page)#sign-in=\(secret.text)"), "code": .string(secret.text),
                "ends": .string(NotificationView.text(of: now + WebGate.codeTime)),
            ]
        )
    }
}
