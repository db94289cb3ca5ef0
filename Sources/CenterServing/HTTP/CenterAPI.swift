// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import CenterStore
import DatabaseFile
import Locking
import NIOHTTP1
import NotificationPayload
package import UserNotificationCenter

/// The questions and orders of one owner to the centre over HTTP: `/v1`.
///
/// Source: docs/notification-center.md, "The API".
package struct CenterAPI: Sendable {
    /// Notifications of one page.
    static let pageLimits: ClosedRange<Int64> = 1...200

    let center: Center
    let owner: OwnerName
    let clock: any Clock<Duration>
    let questions = StreamQuestions()
    /// The language of the texts in the place of hidden previews, for a lock view; `nil` hides none.
    var hiding: SummaryLanguage?

    init(center: Center, owner: OwnerName, clock: any Clock<Duration>) {
        self.center = center
        self.owner = owner
        self.clock = clock
    }

    /// The effect of a request on its connection.
    package enum Reply {
        case answer(APIAnswer)
        /// The events of the owner after this number, until the watcher goes; `hiding` is the API's, and `kind` that of
        /// the surface which the watcher is, if it is one.
        case events(after: Int64, hiding: SummaryLanguage?, kind: Presenter.Kind?)
        /// The responses for an app and what else it wishes to hear, until it goes.
        case app(InstallationKey, AppStream.Wishes)
        /// A file of a notification.
        case file(FileAnswer)
        /// The body is a file that an app means to attach.
        case upload(InstallationKey)
        /// The scene of a view and what becomes of it, until it ends.
        case view(ContentView)
    }

    /// Answers a caller who is known; `access` says what it may do.
    package func reply(to request: APIRequest, as access: Access) async -> Reply {
        do throws(APIError) {
            if let scope = request.scope, !access.allows(scope) { throw .scope(scope.word) }
            var api = self
            if try request.surface == .lock || access.isForLock { api.hiding = try language(of: request) }
            return try await api.route(request, access)
        } catch {
            center.metrics.readers.refuse(error)
            return .answer(error.answer)
        }
    }

    private func route(_ request: APIRequest, _ access: Access) async throws(APIError) -> Reply {
        let isReading = request.method == .GET || request.method == .HEAD
        switch (request.path.first ?? "", request.path.count) {
        case ("", 0), ("", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try about(access))
        case ("front", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try front(request))
        case ("notifications", 1):
            if request.method == .DELETE { return .answer(try await clearList(request)) }
            guard isReading else { throw .method(allowed: "GET, DELETE") }
            return .answer(try await page(request))
        case ("notifications", 2):
            let number = try Self.number(request.path[1])
            if request.method == .DELETE { return .answer(try await dismiss(number)) }
            guard isReading else { throw .method(allowed: "GET, DELETE") }
            return .answer(try notification(number))
        case ("stacks", 2):
            if request.method == .DELETE { return .answer(try await clearStack(request.path[1], request)) }
            guard isReading else { throw .method(allowed: "GET, DELETE") }
            return .answer(try stack(request.path[1], request))
        case ("history", 1):
            if request.method == .DELETE { return .answer(try await forgetAll(request)) }
            guard isReading else { throw .method(allowed: "GET, DELETE") }
            return .answer(try history(request))
        case ("history", 2):
            guard request.method == .DELETE else { throw .method(allowed: "DELETE") }
            return .answer(try await forget(try Self.number(request.path[1])))
        case ("history", 3) where request.path[2] == "restore":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await restore(try Self.number(request.path[1])))
        case ("apps", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try apps())
        case ("apps", 2):
            guard request.method == .DELETE else { throw .method(allowed: "DELETE") }
            return .answer(try await remove(request.path[1]))
        case ("owner", 1):
            if request.method == .PATCH { return .answer(try await changeWishes(request)) }
            guard isReading else { throw .method(allowed: "GET, PATCH") }
            return .answer(try wishes())
        case ("apps", 3) where request.path[2] == "settings":
            let topic = request.path[1]
            if request.method == .PATCH { return .answer(try await changeSettings(of: topic, request)) }
            guard isReading else { throw .method(allowed: "GET, PATCH") }
            return .answer(try settings(of: topic))
        case ("apps", 3) where request.path[2] == "open-settings":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await OwnSettingsAPI(api: self).open(request.path[1], try request.object()))
        case ("apps", 3) where request.path[2] == "icon":
            guard isReading else { throw .method(allowed: "GET") }
            return try FileAPI(api: self).file(AppFile(topic: request.path[1], .icon), request)
        case ("apps", 4) where request.path[2] == "sounds":
            guard isReading else { throw .method(allowed: "GET") }
            return try FileAPI(api: self).file(AppFile(topic: request.path[1], .sound(request.path[3])), request)
        case ("apps", 3) where request.path[2] == "authorization":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await decide(request.path[1], try request.object()))
        case ("notifications", 4) where request.path[2] == "attachments":
            guard isReading else { throw .method(allowed: "GET") }
            return .file(
                try FileAPI(api: self).attachment(request.path[3], of: try Self.number(request.path[1]), request)
            )
        case ("app", 3) where request.path[2] == "attachments":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .upload(try key(request.path[1]))
        case ("notifications", 3) where request.path[2] == "responses":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await respond(try Self.number(request.path[1]), try request.object()))
        case ("app", 3) where request.path[2] == "calls":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await call(request.path[1], try request.object()))
        case ("app", 3) where request.path[2] == "events":
            guard request.method == .GET else { throw .method(allowed: "GET") }
            let wishes = AppStream.Wishes(
                isInFront: try request.flag("inFront"),
                silentPushes: try request.flag("silent")
            )
            return .app(try key(request.path[1]), wishes)
        case ("app", 4) where request.path[2] == "answers":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await take(request, of: try key(request.path[1]), to: request.path[3]))
        case ("sessions", 1), ("tokens", 1), ("codes", 1), ("sessions", 2), ("tokens", 2):
            return .answer(try await CredentialAPI(api: self, access: access).answer(to: request))
        case ("seen", 1):
            guard request.method == .PUT else { throw .method(allowed: "PUT") }
            return .answer(try await see(try request.object()))
        case ("openapi.json", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(APIAnswer(.ok, PageFiles.all.document, type: "application/json"))
        case ("position", 1):
            guard request.method == .PUT else { throw .method(allowed: "PUT") }
            return .answer(try await PositionAPI(api: self).take(try request.object()))
        case ("events", 1):
            guard request.method == .GET else { throw .method(allowed: "GET") }
            // A lock view is not to know where else its owner is, nor to keep other surfaces from interrupting.
            guard request.presenter == nil || hiding == nil else { throw .response(.needsAuthentication) }
            return .events(after: try position(in: request), hiding: hiding, kind: request.presenter)
        case ("views", 1...4): return try await ViewAPI(api: self).reply(to: request)
        case ("surfaces", 2):
            guard request.method == .PUT else { throw .method(allowed: "PUT") }
            return .answer(try SurfaceAPI(api: self).take(try request.object(), of: request.path[1]))
        default: throw .notFound
        }
    }

    // MARK: Reading

    private func about(_ access: Access) throws(APIError) -> APIAnswer {
        let record = try record()
        var answer: JSONObject = [
            "owner": .string(owner.text), "version": .string(CenterVersion.text),
            "position": .string("\(record.position)"),
            "state": center.store.statistics.isFailing ? "storeFailing" : "ready",
        ]
        if let grant = access.grant {
            answer["scopes"] = grant.json["scopes"]
        } else {
            // The host name is the owner's to know, and whoever opened the owner's socket is that.
            answer["page"] = center.site.withLock(\.self).map { .string($0.origin + "/") }
        }
        return APIAnswer(.ok, answer)
    }

    private func front(_ request: APIRequest) throws(APIError) -> APIAnswer {
        let limit = try request.number("limit", in: Self.pageLimits) ?? 50
        let before = try request.number("before", in: 1...Int64.max)
        let topic = request["app"]
        let page = try look { picture, reading in
            try FrontPage(picture, limit: Int(limit), before: before, of: topic, reading)
        }
        return APIAnswer(.ok, view(of: page.picture, for: request).json(of: page))
    }

    /// Reads of the owner in one transaction; `body` may not ask the store itself.
    func look<Value>(
        _ body: (OwnerPicture, borrowing OwnerReading) throws -> Value
    ) throws(APIError) -> Value {
        guard let value = try read({ _ throws(DatabaseFailure) in try center.look(at: owner, body) }) else {
            throw .notFound
        }
        return value
    }

    func view(of picture: OwnerPicture, for request: APIRequest) -> FrontView {
        FrontView(picture, of: center, acceptLanguage: request.headers["accept-language"].first, hiding: hiding)
    }

    func language(of request: APIRequest) throws(APIError) -> SummaryLanguage {
        SummaryLanguage(
            acceptLanguage: request.headers["accept-language"].first,
            owner: try record().preferences.language
        )
    }

    private func page(_ request: APIRequest) async throws(APIError) -> APIAnswer {
        var query = PageQuery(limit: Int(try request.number("limit", in: Self.pageLimits) ?? 50))
        query.before = try request.number("before", in: 1...Int64.max)
        query.after = try request.number("after", in: 0...Int64.max) ?? 0
        query.app = request["app"]
        query.thread = request["thread"]
        let text = request["text"]
        // Which threads there are is hidden as well, and what is found would say what is in it.
        guard hiding == nil || (query.thread == nil && text == nil) else { throw .response(.needsAuthentication) }
        let asked = query
        if let text { return try await SearchAPI(api: self).answer(to: asked, text: text) }
        guard let page = try read({ store throws(DatabaseFailure) in try store.page(asked, of: owner) }) else {
            throw .notFound
        }
        let list = try list()
        return APIAnswer(
            .ok,
            [
                "items": .array(page.items.map { .object(list.json(of: $0)) }),
                "next": page.next.map { .string("\($0)") } ?? .null, "position": .string("\(page.position)"),
            ]
        )
    }

    private func notification(_ number: Int64) throws(APIError) -> APIAnswer {
        let found = try read { store throws(DatabaseFailure) in try store.notifications([number], of: owner) }
        guard let notification = found.first else { throw try absence(of: number) }
        return APIAnswer(.ok, try list().json(of: notification))
    }

    /// The reason for which a number is not in the list.
    func absence(of number: Int64) throws(APIError) -> APIError {
        switch try read({ store throws(DatabaseFailure) in try store.standing(of: number, owner: owner) }) {
        case .gone: .gone
        case .listed, .unknown: .notFound
        }
    }

    private func apps() throws(APIError) -> APIAnswer {
        let installations = try read { store throws(DatabaseFailure) in try store.installations(of: owner) }
        return APIAnswer(
            .ok,
            [
                "apps": .array(
                    installations.map { .object(AppView($0, in: center).json) }
                )
            ]
        )
    }

    // MARK: Changing

    func dismiss(_ number: Int64) async throws(APIError) -> APIAnswer {
        guard try await !dismissAll([number]).isEmpty else { throw try absence(of: number) }
        return .done
    }

    /// Dismisses notifications in one transaction; returns those that were in the list.
    func dismissAll(_ numbers: [Int64]) async throws(APIError) -> [Int64] {
        let work = try read { _ throws(DatabaseFailure) in
            try Dismissal(center: center, owner: owner).work(for: numbers)
        }
        let results: [WorkResult]
        do { results = try await center.perform(work) } catch { throw .disk }
        return results.flatMap(\.closed)
    }

    private func see(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        guard let number = object["number"]?.string.flatMap({ Int64(decimal: $0) }), number >= 0 else {
            throw .badParameter("\"number\" must be the number of a notification, as a text")
        }
        if case .refused = try await perform(.seen(owner, number: number)) { throw .notFound }
        return .done
    }

    private func decide(_ topic: String, _ object: JSONObject) async throws(APIError) -> APIAnswer {
        let event: AppPermission.Event
        let without = try unticked(in: object)
        switch object["decision"]?.string {
        case "allow":
            event = without.isEmpty ? .allow(true) : .decide(.allow(without: without))
        case "deny": event = .allow(false)
        case "keep": event = .decide(.keep)
        case "turnOff": event = .decide(.turnOff)
        default: throw .badParameter("\"decision\" must be allow, deny, keep or turnOff")
        }
        guard let key = InstallationKey(owner: owner, app: topic) else { throw .notFound }
        let decided: Center.Decided
        do { decided = try await center.decide(event, key) } catch { throw .disk }
        switch decided {
        case .decided(let permission): return APIAnswer(.ok, ["status": .string(permission.status.word)])
        case .tooLate: throw .decided
        case .unknownApp: throw .notFound
        }
    }

    // MARK: Helpers

    /// The number after which a watcher reads on: the one that it says it has seen last, else the present one.
    private func position(in request: APIRequest) throws(APIError) -> Int64 {
        if let text = request.headers["last-event-id"].first {
            guard let number = Int64(decimal: text), number >= 0 else {
                throw .badParameter("\"Last-Event-ID\" must be a number")
            }
            return number
        }
        if let number = try request.number("after", in: 0...Int64.max) { return number }
        return try record().position
    }

    private func record() throws(APIError) -> OwnerRecord {
        guard let record = try read({ store throws(DatabaseFailure) in try store.owner(owner) }) else {
            throw .notFound
        }
        return record
    }

    func list() throws(APIError) -> ListView {
        try read { _ throws(DatabaseFailure) in try ListView(of: owner, in: center, hiding: hiding) }
    }

    static func number(_ text: String) throws(APIError) -> Int64 {
        guard let number = Int64(decimal: text), number > 0 else { throw .notFound }
        return number
    }

    func read<Value>(
        _ body: (CenterStore) throws(DatabaseFailure) -> Value
    ) throws(APIError) -> Value {
        do { return try body(center.store) } catch { throw .disk }
    }

    func perform(_ work: CenterWork) async throws(APIError) -> WorkResult {
        do { return try await center.perform([work]).first ?? .done } catch { throw .disk }
    }
}
