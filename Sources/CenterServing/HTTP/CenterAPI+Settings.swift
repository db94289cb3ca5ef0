// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The part of the API that changes what an owner wants: `/v1/owner`, `/v1/apps/TOPIC/settings`, and the end of an app.
extension CenterAPI {
    func wishes() throws(APIError) -> APIAnswer {
        let wishes = try read { _ throws(DatabaseFailure) in try center.wishes(of: owner) }
        return APIAnswer(.ok, json(of: wishes))
    }

    func changeWishes(_ request: APIRequest) async throws(APIError) -> APIAnswer {
        let changes = try request.object()
        let changed: Result<OwnerWishes, PreferenceFault>?
        do { changed = try await center.changeWishes(of: owner, changes) } catch { throw .disk }
        return APIAnswer(.ok, json(of: try Self.unwrap(changed)))
    }

    private func json(of wishes: OwnerWishes) -> JSONObject {
        var object: JSONObject = ["owner": .string(owner.text)]
        for member in wishes.json.members { object[member.key] = member.value }
        let now = center.clock.wall()
        let end = wishes.quietEnd(at: now)
        object["isQuiet"] = .bool(end != nil)
        object["quietUntil"] = end.map { .string(Moment(milliseconds: $0).text) }
        return object
    }

    func settings(of topic: String) throws(APIError) -> APIAnswer {
        let key = try key(topic)
        let permission = try read { store throws(DatabaseFailure) in
            try store.installation(key) == nil && !center.knows(key) ? nil : try center.permission(of: key)
        }
        guard let permission else { throw .notFound }
        return APIAnswer(.ok, center.policy(of: key).offered(permission.settings.json))
    }

    func changeSettings(of topic: String, _ request: APIRequest) async throws(APIError) -> APIAnswer {
        let key = try key(topic)
        let policy = center.policy(of: key)
        let changes = try request.object()
        var judged = InstallationSettings()
        do throws(PreferenceFault) { try judged.apply(changes) } catch { throw .badParameter(error.sentence) }
        // A switch that is not offered is ignored, as any member is that the settings do not have.
        let changed: Result<AppPermission, PreferenceFault>?
        do { changed = try await center.changeSettings(of: key, policy.offered(changes)) } catch { throw .disk }
        return APIAnswer(.ok, policy.offered(try Self.unwrap(changed).settings.json))
    }

    /// Removes an app with all that is kept of it, which is not for whoever passes a lock view.
    func remove(_ topic: String) async throws(APIError) -> APIAnswer {
        guard hiding == nil else { throw .response(.needsAuthentication) }
        let removal = AppRemoval(center: center, key: try key(topic))
        let isRemoved: Bool
        do { isRemoved = try await removal.carryOut() } catch { throw .disk }
        guard isRemoved else { throw .notFound }
        return .done
    }

    private static func unwrap<Value>(_ result: Result<Value, PreferenceFault>?) throws(APIError) -> Value {
        guard let result else { throw .notFound }
        do throws(PreferenceFault) { return try result.get() } catch { throw .badParameter(error.sentence) }
    }
}

extension PreferenceFault {
    /// A sentence for whoever wrote the setting.
    fileprivate var sentence: String {
        switch self {
        case .wrongKind(let key): "\"\(key)\" is of another kind"
        case .unknownWord(let key): "\"\(key)\" is none of the words that it may be"
        case .malformed(let key): "\"\(key)\" is no time: write HH:MM, or a date as 2026-11-21T03:00:00.000Z"
        case .missing(let key): "\"\(key)\" is missing"
        case .tooMany(let key, let count): "\"\(key)\" has \(count) elements, more than it may"
        case .badLength(let key, let byteCount): "\"\(key)\" has \(byteCount) bytes, none or more than it may"
        case .repeated(let key): "\"\(key)\" names one thing twice"
        case .emptyRange: "\"from\" and \"to\" are the same minute"
        }
    }
}
