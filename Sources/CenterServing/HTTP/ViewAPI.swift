// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import SceneModel
import UserNotificationCenter

/// The part of the API by which views of content extensions are opened and worked: `/v1/views`.
///
/// Source: docs/notification-center.md, "Views".
struct ViewAPI {
    /// Events of one request.
    private static let eventLimit = 16

    let api: CenterAPI

    /// A lock view shows no views: they draw what is hidden there.
    func reply(to request: APIRequest) async throws(APIError) -> CenterAPI.Reply {
        guard api.hiding == nil else { throw .response(.needsAuthentication) }
        switch (request.method, request.path.count) {
        case (.POST, 1): return .answer(try await open(try request.object()))
        case (_, 1): throw .method(allowed: "POST")
        case (.DELETE, 2):
            let (number, view) = try view(request.path[1])
            api.center.views.forget(number)
            await view.close()
            return .answer(.done)
        case (_, 2): throw .method(allowed: "DELETE")
        case (.GET, 3) where request.path[2] == "events":
            let view = try view(request.path[1]).view
            guard !view.isCrowded else { throw .tooManyViews }
            return .view(view)
        case (.POST, 3) where request.path[2] == "events":
            return .answer(try await pass(try request.object(), to: try view(request.path[1]).view))
        case (_, 3) where request.path[2] == "events": throw .method(allowed: "GET, POST")
        case (.GET, 4) where request.path[2] == "files", (.HEAD, 4) where request.path[2] == "files":
            return .file(try picture(request.path[3], of: try view(request.path[1]), request))
        case (_, 4) where request.path[2] == "files": throw .method(allowed: "GET, HEAD")
        default: throw .notFound
        }
    }

    private func view(_ text: String) throws(APIError) -> (number: Int64, view: ContentView) {
        let number = try CenterAPI.number(text)
        guard let view = api.center.views.view(number, of: api.owner) else { throw .notFound }
        return (number, view)
    }

    /// A picture of a view, by its number.
    private func picture(
        _ text: String,
        of found: (number: Int64, view: ContentView),
        _ request: APIRequest
    ) throws(APIError) -> FileAnswer {
        guard let number = Int64(decimal: text).flatMap(UInt32.init(exactly:)),
            let picture = try found.view.picture(number)
        else { throw .notFound }
        guard let answer = FileAnswer(picture.file, number, of: found.number, picture.type, request) else {
            throw .range(of: picture.file.byteCount)
        }
        return answer
    }

    // MARK: Opening

    private func open(_ object: JSONObject) async throws(APIError) -> APIAnswer {
        guard let number = object["notification"]?.string.flatMap({ Int64(decimal: $0) }), number > 0 else {
            throw .badParameter("\"notification\" must be the number of a notification, as a text")
        }
        let environment = try environment(object)
        let found = try find(number)
        guard !api.center.host.isAbsent else { throw .noHost }
        guard api.center.app(found.key).content?.shows(found.content.category) == true else { throw .noExtension }
        guard let (id, view) = api.center.views.make(of: found.key, number: number, thread: found.content.thread) else {
            throw .tooManyViews
        }
        let handed = await ShownContent(api.center).hand(found)
        let wish = LinkView(
            owner: found.key.owner.text,
            topic: found.key.app,
            notification: handed.object,
            environment: environment.json
        )
        do throws(APIError) {
            // A notification that went before there was a view of it took no view with it.
            _ = try find(number)
            try await api.center.host.open(wish, handed.files, as: view)
        } catch {
            api.center.views.forget(id)
            throw error
        }
        return APIAnswer(.created, ["view": .string("\(id)")])
    }

    private func find(_ number: Int64) throws(APIError) -> ShownContent.Found {
        let found = try api.read { _ throws(DatabaseFailure) in
            try ShownContent(api.center).find(number, of: api.owner)
        }
        guard let found else { throw try api.absence(of: number) }
        return found
    }

    private func environment(_ object: JSONObject) throws(APIError) -> ViewEnvironment {
        guard let environment = object["environment"]?.object else {
            throw .badParameter("\"environment\" must be an object")
        }
        var members = Members(environment, .lenient, path: "environment")
        do { return try ViewEnvironment(&members) } catch { throw .badParameter("\(error)") }
    }

    // MARK: Events

    private func pass(_ object: JSONObject, to view: ContentView) async throws(APIError) -> APIAnswer {
        guard let list = object["events"]?.array, (1...Self.eventLimit).contains(list.count) else {
            throw .badParameter("\"events\" must be a list of 1 to \(Self.eventLimit) events")
        }
        // All are read before one is handed on.
        var events: [(number: UInt64, event: ViewEvent)] = []
        for value in list { events.append(try Self.event(value)) }
        for (number, event) in events {
            guard await view.pass(event, numbered: number) else { throw .notFound }
        }
        return .done
    }

    private static func event(_ value: JSON) throws(APIError) -> (number: UInt64, event: ViewEvent) {
        guard let object = value.object else { throw .badParameter("\"events\" must be a list of objects") }
        var members = Members(object, .lenient)
        do throws(MemberFault) {
            let number = UInt64(try members.integer("seq", 1...(Int64.max - 1)))
            guard let event = try ViewEvent(&members) else { throw .missing("event") }
            // A view is closed with DELETE, and answers to a notification go to the notification.
            switch event {
            case .close, .response: throw .missing("event")
            case .node, .environment, .media: return (number, event)
            }
        } catch { throw .badParameter("\(error)") }
    }
}
