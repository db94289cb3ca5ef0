// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import SceneModel
import UserNotificationCenter

/// The part of the API that takes the answers of people to notifications.
extension CenterAPI {
    /// The answer of a person, which closes the notification; the first one counts.
    func respond(_ number: Int64, _ object: JSONObject) async throws(APIError) -> APIAnswer {
        guard let name = object["action"]?.string else { throw .badParameter("\"action\" must be a text") }
        guard object["text"].map({ $0.string != nil }) ?? true else { throw .badParameter("\"text\" must be a text") }
        guard let (key, content) = try read({ store throws(DatabaseFailure) in try place(of: number, in: store) })
        else {
            throw try lateness(of: number)
        }
        let kept = try read { _ throws(DatabaseFailure) in try center.categories(of: key) }
        var rule = kept.rule(for: content?.category, number: number)
        let views = hiding == nil ? center.views.views(of: number, owner: owner) : []
        // Of several the one that offers the action, or the one that was opened last.
        let view = views.first { $0.actions.contains { $0.identifier.isWord(name) } } ?? views.first
        rule.viewActions = view?.actions ?? []
        let plan: ResponsePlan
        do { plan = try rule.plan(action: name, text: object["text"]?.string, on: hiding == nil ? .open : .lock) } catch
        {
            throw .response(error)
        }
        // A view that is open hears of it first, and decides what the app hears.
        switch await view?.ask(plan.identifier, text: plan.text, clock) {
        case .doNotDismiss: return APIAnswer(.ok, ["id": .string("\(number)")])
        case .dismiss:
            // The view has dealt with it: the app hears of no dismissal that nobody made.
            _ = try await perform(.remove(owner, numbers: [number], by: .user))
            return .done
        case .dismissAndForwardAction, nil: break
        }
        let closing: ResponseDraft.Closing = plan.identifier == ResponseRule.dismissIdentifier ? .user : .response
        guard plan.isForApp else { return try await dismiss(number) }
        let draft = ResponseDraft(
            owner: owner,
            number: number,
            action: plan.identifier,
            text: plan.text,
            closing: closing
        )
        switch try await perform(.respond(draft)) {
        case .answered:
            var answer: JSONObject = ["id": .string("\(number)")]
            // A dismissal brings no app about.
            if closing == .response {
                // Where a notification leads may be words of it, which a lock view does not see.
                let launch = AppLaunch(plan, of: key, content: hiding == nil ? content?.payload : nil, in: center)
                answer["launch"] = launch.json.map(JSON.object)
            }
            return APIAnswer(.created, answer)
        default: throw try lateness(of: number)
        }
    }

    /// The reason for which a notification cannot be answered any more.
    private func lateness(of number: Int64) throws(APIError) -> APIError {
        switch try read({ store throws(DatabaseFailure) in try store.standing(of: number, owner: owner) }) {
        case .gone(.response, _): .answered
        case .gone: .gone
        case .listed, .unknown: .notFound
        }
    }

    /// The app and the content of a notification in the list.
    private func place(
        of number: Int64,
        in store: CenterStore
    ) throws(DatabaseFailure) -> (InstallationKey, content: NotificationContent?)? {
        guard let kept = try store.notifications([number], of: owner).first,
            let topic = try store.topics(of: owner)[kept.head.installation],
            let key = InstallationKey(owner: owner, app: topic)
        else { return nil }
        return (key, kept.content)
    }
}
