// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostLog
import Locking
import PacketSockets

/// The way from an app's calls to its centre: finds the centre, connects when there is something to say, and has
/// answers and questions come one after the other on a queue of its own, never before the call returned.
final class CenterClient: Sendable {
    private struct State {
        var connection: (any CenterCarrier)?
        /// The readiness to tell a centre that is found later.
        var presence = Presence()
        var listener: CenterConnection.Listener?
    }

    private let state = Locked(State())
    private let announcing = Locked(())
    private let handlers = DispatchQueue(label: "UNUserNotificationCenter")
    /// The search for a centre, made again as long as there is none: a centre may start after its apps.
    private let find: Finder

    /// Finds the way to a centre, which is to hand what the centre asks and tells to the listener.
    typealias Finder = @Sendable (_ listener: @escaping CenterConnection.Listener) -> (any CenterCarrier)?

    init(find: @escaping Finder) {
        self.find = find
    }

    /// A connection keeps itself as long as it is to hear something.
    deinit { state.withLock(\.connection)?.announce(Presence()) }

    /// Takes what the centre asks and tells; called once, before anything else.
    func listen(_ listener: @escaping CenterConnection.Listener) { state.withLock { $0.listener = listener } }

    /// True if there is a centre for this process.
    var isReached: Bool { connection() != nil }

    /// Runs a body on the queue of handlers.
    func later(_ body: @escaping @Sendable () -> Void) { handlers.async(execute: body) }

    /// Makes a call; the completion runs on the queue of handlers.
    func ask(
        _ call: CenterCall,
        files: OutgoingFiles = .none,
        _ completion: @escaping @Sendable (CenterConnection.Outcome) -> Void
    ) {
        let connection = connection()
        let early: CenterConnection.Outcome?
        if call.failure == .badgeInvalid {
            early = .answer(.failed(.badgeInvalid))
        } else if connection == nil {
            early = .unreachable
        } else if let failure = call.failure {
            early = .answer(.failed(failure))
        } else {
            early = (try? call.check()) == nil ? .tooLarge : nil
        }
        if early == .unreachable { HostLog.warnOnce(CenterReach.absence) }
        if let early { return later { completion(early) } }
        connection?.call(call, files: files) { [handlers] outcome in handlers.async { completion(outcome) } }
    }

    /// True if there is a centre that hands out the files which it keeps.
    var handsOutFiles: Bool { connection()?.handsOutFiles ?? false }

    /// Makes a call with one file and waits for the answer, for so long at most; false unless it was done.
    ///
    /// Blocks, also on the queue of handlers, which the answer does not need.
    func wait(for call: CenterCall, _ file: PassedFile, _ patience: DispatchTimeInterval) -> Bool {
        guard (try? call.check()) != nil, let connection = connection() else { return false }
        let isDone = Locked(false)
        let ended = DispatchSemaphore(value: 0)
        connection.call(call, files: OutgoingFiles(file)) { outcome in
            if outcome == .answer(.done) { isDone.withLock { $0 = true } }
            ended.signal()
        }
        return ended.wait(timeout: .now() + patience) == .success && isDone.withLock(\.self)
    }

    /// Makes a change and tells the centre what the app takes from then on, as soon as there is one: two changes at a
    /// time are told in the order in which they are made.
    func announce(_ change: () -> Presence) {
        announcing.withLock { _ in
            let presence = change()
            state.withLock { state in
                state.presence = presence
                state.connection?.announce(presence)
            }
        }
        // A centre that is found by this hears it there.
        _ = connection()
    }

    /// `nil` means that no centre is there, or that this process has none.
    private func connection() -> (any CenterCarrier)? {
        if let connection = state.withLock(\.connection) { return connection }
        let found = find { [weak self] message, reply in
            guard let self else { return }
            let listener = state.withLock(\.listener)
            handlers.async { listener?(message, reply) }
        }
        guard let made = found else { return nil }
        return state.withLock { state in
            if let connection = state.connection { return connection }
            state.connection = made
            // Set while no centre was there; told under the lock, so that no older presence follows a newer one.
            made.announce(state.presence)
            return made
        }
    }
}
