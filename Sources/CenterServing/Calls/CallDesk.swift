// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import CenterStore
import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// Answers what apps ask of the centre: one implementation, whatever carries the calls.
///
/// An answer means that what the call changed is on the disk. Source: docs/notification-center.md, "Calls".
package struct CallDesk: Sendable {
    let center: Center
    /// `nil` means that the carrier of the call brings no descriptors.
    let files: CallFiles?
    private let carrier: AppMetrics.Carrier

    package init(_ center: Center) {
        self.init(center, nil, by: .http)
    }

    init(_ center: Center, _ files: CallFiles?, by carrier: AppMetrics.Carrier) {
        self.center = center
        self.files = files
        self.carrier = carrier
    }

    /// Answers a call of an app; `authorize` waits for the owner, until the task is cancelled, and a call about the
    /// device token for the host, 10 s at most.
    package func answer(_ call: CenterCall, of key: InstallationKey) async -> CallAnswer {
        let answer = await result(of: call, key)
        center.metrics.apps.answered(call.name, by: carrier, answer)
        return answer
    }

    private func result(of call: CenterCall, _ key: InstallationKey) async -> CallAnswer {
        if let failure = call.failure { return .failed(failure) }
        do {
            return try await carryOut(call, key)
        } catch let failure as CallFailure {
            return .failed(failure)
        } catch {
            return .failed(.disk)
        }
    }

    /// Answers a call of an app's extension: one that asks for permission hears what was decided, and nobody is asked.
    func answerWorker(_ call: CenterCall, of key: InstallationKey) async -> CallAnswer {
        guard case .authorize = call else { return await answer(call, of: key) }
        let isGranted = try? center.permission(of: key).isGranted
        let answer = isGranted.map { CallAnswer.granted($0) } ?? .failed(.disk)
        center.metrics.apps.answered(call.name, by: carrier, answer)
        return answer
    }

    private func carryOut(_ call: CenterCall, _ key: InstallationKey) async throws -> CallAnswer {
        switch call {
        case .authorize(let options): return .granted(try await authorize(options, key))
        case .settings: return .settings(try settings(key))
        case .setCategories(let categories):
            guard let set = try? CategorySet(categories) else { throw CallFailure.noContent }
            // Apps set them at their start, before they ask for permission.
            guard try await center.install(key) != nil else { throw CallFailure.notAllowed }
            return try await register(set, key)
        case .categories: return .categories(try center.categories(of: key).registered.categories)
        case .add(let request): return try await add(request, key)
        case .pending(let after): return try pending(after: after, key)
        case .removePending(let selection):
            return try await done(.unschedule(key, identifiers: selection.identifiers), key)
        case .delivered(let before): return try delivered(before: before, key)
        case .removeDelivered(let selection):
            let work = selection.identifiers.map { CenterWork.removeNamed(key, identifiers: $0) }
            return try await done(work ?? .removeAll(key, upTo: nil, by: .app), key)
        case .file(let name): return try await give(name, key)
        case .badge(let count):
            guard try center.permission(of: key).allowsBadge, try await center.install(key) != nil else {
                throw CallFailure.notAllowed
            }
            return try await done(.setBadge(key, Int(count)), key)
        case .register: return await token(.register, key)
        case .withdraw: return await token(.withdraw, key)
        }
    }

    /// Has the host fulfil the wish, and tells the app's connections what came of it.
    private func token(_ wish: LinkAsk.Wish, _ key: InstallationKey) async -> CallAnswer {
        let answer = await RegistrationDesk(center: center).answer(wish, key)
        if case .token(let token) = answer { center.appNews.tell(token: token, of: key) }
        if wish == .withdraw, answer == .done { center.appNews.tell(token: nil, of: key) }
        return answer
    }

    /// Does one thing for an app that is known; for one that is not there is nothing to do.
    private func done(_ work: CenterWork, _ key: InstallationKey) async throws -> CallAnswer {
        guard try center.store.installation(key) != nil else { return .done }
        if case .refused? = try await center.perform([work]).first { throw CallFailure.notAllowed }
        return .done
    }

    /// Registers categories in the place of the app's former ones, which the notifications of that time keep.
    private func register(_ set: CategorySet, _ key: InstallationKey) async throws -> CallAnswer {
        let results = try await center.perform { [center] store throws(DatabaseFailure) in
            var kept = try center.categories(of: key)
            kept.register(set, after: try store.owner(key.owner)?.position ?? 0)
            return [.setCategories(key, kept.stored)]
        }
        if case .refused? = results.first { throw CallFailure.notAllowed }
        return .done
    }

    // MARK: Permission

    private func authorize(_ options: AuthorizationOptions, _ key: InstallationKey) async throws -> Bool {
        var position = try center.store.owner(key.owner)?.position ?? 0
        guard var permission = try await center.ask(options, key) else { throw CallFailure.notAllowed }
        while permission.question != nil, !Task.isCancelled {
            await center.wait(for: key.owner, after: position)
            position = try center.store.owner(key.owner)?.position ?? position
            permission = try center.permission(of: key)
        }
        return permission.status == .authorized || permission.status == .provisional
    }

    private func settings(_ key: InstallationKey) throws -> NotificationSettings {
        try center.permission(of: key).settings(policy: center.policy(of: key))
    }
}

extension CenterCall.Selection {
    /// `nil` means all.
    fileprivate var identifiers: [String]? {
        switch self {
        case .all: nil
        case .named(let identifiers): identifiers
        }
    }
}

extension AppPermission {
    fileprivate var allowsBadge: Bool { status == .authorized && settings.badge }
}
