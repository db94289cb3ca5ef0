// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Locking
import Logging

/// The order of wishes about device tokens, which the host fulfils: one of an app at a time.
final class Registrations: Sendable {
    /// Whoever has registrations of removed apps ended.
    let removals = Watchers()
    private let turns = Watchers()
    private let busy = Locked<Set<InstallationKey>>([])

    /// Runs the body once nobody else does for the app; `nil` means that the task was cancelled before.
    func alone<Value>(_ key: InstallationKey, _ body: () async -> Value) async -> Value? {
        await turns.withSignal(of: key) { signal in
            while !busy.withLock({ $0.insert(key).inserted }) {
                guard !Task.isCancelled else { return nil }
                await signal.wait()
            }
            let value = await body()
            _ = busy.withLock { $0.remove(key) }
            turns.raise(key)
            return value
        }
    }
}

/// The registrations of apps at the host, and the end of what removed apps had: gateways that post there hear 410.
///
/// An end that is owed lies in the store until the host has done it, whoever dies meanwhile. An app that came back and
/// registers gets a token of its own, because the end of the former one goes before.
struct RegistrationDesk {
    let center: Center

    /// Has the host fulfil a wish of an app.
    func answer(_ wish: LinkAsk.Wish, _ key: InstallationKey) async -> CallAnswer {
        let answer = await center.registrations.alone(key) { () async -> CallAnswer in
            if let failure = await failure(toSettle: key) { return failure }
            return await ask(wish, key)
        }
        return answer ?? .failed(.noHost)
    }

    /// Has the host end all registrations of removed apps; false means that some are left.
    func settleAll() async -> Bool {
        guard let keys = try? center.store.withdrawals() else { return false }
        var isDone = true
        // One that the host refuses is no reason to keep the others.
        for key in keys {
            let left = await center.registrations.alone(key) { await failure(toSettle: key) }
            if case .some(.none) = left { continue }
            isDone = false
        }
        return isDone
    }

    /// Returns the reason for which the end of a registration is still owed; `nil` means that none is.
    private func failure(toSettle key: InstallationKey) async -> CallAnswer? {
        do {
            guard try center.store.owesWithdrawal(of: key) else { return nil }
            let answer = await ask(.withdraw, key)
            guard answer == .done else { return answer }
            _ = try await center.perform([.withdrawn(key)])
            return nil
        } catch {
            center.logger.error("registration of a removed app not ended", metadata: ["error": "\(error)"])
            return .failed(.disk)
        }
    }

    private func ask(_ wish: LinkAsk.Wish, _ key: InstallationKey) async -> CallAnswer {
        await center.host.ask(LinkAsk(wish, owner: key.owner.text, topic: key.app))
    }
}
