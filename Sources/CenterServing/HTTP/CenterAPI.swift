// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The questions and orders of one owner to the centre over HTTP: `/v1`.
///
/// Source: docs/notification-center.md, "The API".
struct CenterAPI: Sendable {
    /// Notifications of one page.
    private static let pageLimits: ClosedRange<Int64> = 1...200

    let center: Center
    let owner: OwnerName

    /// The effect of a request on its connection.
    enum Reply {
        case answer(APIAnswer)
        /// The events of the owner after this number, until the watcher goes.
        case events(after: Int64)
    }

    func reply(to request: APIRequest) async -> Reply {
        do throws(APIError) {
            return try await route(request)
        } catch {
            return .answer(error.answer)
        }
    }

    private func route(_ request: APIRequest) async throws(APIError) -> Reply {
        let isReading = request.method == .GET || request.method == .HEAD
        switch (request.path.first ?? "", request.path.count) {
        case ("", 0), ("", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try about())
        case ("front", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try front(request))
        case ("notifications", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try page(request))
        case ("notifications", 2):
            let number = try Self.number(request.path[1])
            if request.method == .DELETE { return .answer(try await dismiss(number)) }
            guard isReading else { throw .method(allowed: "GET, DELETE") }
            return .answer(try notification(number))
        case ("apps", 1):
            guard isReading else { throw .method(allowed: "GET") }
            return .answer(try apps())
        case ("apps", 3) where request.path[2] == "authorization":
            guard request.method == .POST else { throw .method(allowed: "POST") }
            return .answer(try await decide(request.path[1], try request.object()))
        case ("seen", 1):
            guard request.method == .PUT else { throw .method(allowed: "PUT") }
            return .answer(try await see(try request.object()))
        case ("events", 1):
            guard request.method == .GET else { throw .method(allowed: "GET") }
            return .events(after: try position(in: request))
        default: throw .notFound
        }
    }

    // MARK: Reading

    private func about() throws(APIError) -> APIAnswer {
        let record = try record()
        return APIAnswer(
            .ok,
            [
                "owner": .string(owner.text), "version": .string(CenterVersion.text),
                "position": .string("\(record.position)"), "state": "ready",
            ]
        )
    }

    private func front(_ request: APIRequest) throws(APIError) -> APIAnswer {
        let limit = try request.number("limit", in: Self.pageLimits) ?? 50
        let before = try request.number("before", in: 1...Int64.max)
        let language = SummaryLanguage(
            acceptLanguage: request.headers["accept-language"].first,
            owner: try record().preferences.language
        )
        guard let front = try read({ store throws(DatabaseFailure) in try store.front(of: owner) }) else {
            throw .notFound
        }
        let view = FrontView(front, store: center.store, name: center.name(of:))
        return APIAnswer(
            .ok,
            try read { _ throws(DatabaseFailure) in
                try view.json(limit: Int(limit), before: before, language: language)
            }
        )
    }

    private func page(_ request: APIRequest) throws(APIError) -> APIAnswer {
        var query = PageQuery(limit: Int(try request.number("limit", in: Self.pageLimits) ?? 50))
        query.before = try request.number("before", in: 1...Int64.max)
        query.after = try request.number("after", in: 0...Int64.max) ?? 0
        query.app = request["app"]
        query.thread = request["thread"]
        let asked = query
        guard let page = try read({ store throws(DatabaseFailure) in try store.page(asked, of: owner) }) else {
            throw .notFound
        }
        let topics = try topics()
        return APIAnswer(
            .ok,
            [
                "items": .array(page.items.map { .object(Self.view($0, topics)) }),
                "next": page.next.map { .string("\($0)") } ?? .null, "position": .string("\(page.position)"),
            ]
        )
    }

    private func notification(_ number: Int64) throws(APIError) -> APIAnswer {
        let found = try read { store throws(DatabaseFailure) in try store.notifications([number], of: owner) }
        guard let notification = found.first else { throw try absence(of: number) }
        return APIAnswer(.ok, Self.view(notification, try topics()))
    }

    /// The reason for which a number is not in the list.
    private func absence(of number: Int64) throws(APIError) -> APIError {
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
                    installations.map { .object(AppView(installation: $0, name: center.name(of: $0.key.app)).json) }
                )
            ]
        )
    }

    // MARK: Changing

    private func dismiss(_ number: Int64) async throws(APIError) -> APIAnswer {
        switch try await perform(.remove(owner, numbers: [number], by: .user)) {
        case .removed(let removals) where !removals.isEmpty: return .done
        case .refused(.unknownOwner): throw .notFound
        default: throw try absence(of: number)
        }
    }

    private func see(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        guard let number = object["number"]?.string.flatMap({ Int64($0) }), number >= 0 else {
            throw .badParameter("\"number\" must be the number of a notification, as a text")
        }
        if case .refused = try await perform(.seen(owner, number: number)) { throw .notFound }
        return .done
    }

    private func decide(_ topic: String, _ object: JSONObject) async throws(APIError) -> APIAnswer {
        let event: AppPermission.Event
        switch object["decision"]?.string {
        case "allow": event = .allow(true)
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
            guard let number = Int64(text), number >= 0 else {
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

    private func topics() throws(APIError) -> [Int64: String] {
        try read { store throws(DatabaseFailure) in try store.topics(of: owner) }
    }

    private static func view(_ notification: StoredNotification, _ topics: [Int64: String]) -> JSONObject {
        NotificationView(notification: notification, app: topics[notification.head.installation] ?? "").json
    }

    private static func number(_ text: String) throws(APIError) -> Int64 {
        guard let number = Int64(text), number > 0 else { throw .notFound }
        return number
    }

    private func read<Value>(
        _ body: (CenterStore) throws(DatabaseFailure) -> Value
    ) throws(APIError) -> Value {
        do { return try body(center.store) } catch { throw .disk }
    }

    private func perform(_ work: CenterWork) async throws(APIError) -> WorkResult {
        do { return try await center.perform([work]).first ?? .done } catch { throw .disk }
    }
}
