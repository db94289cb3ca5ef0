// SPDX-License-Identifier: Apache-2.0

internal import NIOCore

/// The timers of one connection, on its event loop; none of them outlives it.
///
/// A timer's closure may hold the connection, which ends all timers when it closes. A timer left to its time would keep
/// a connection that is gone in memory: minutes of them, where peers come and go by the thousand.
final class ConnectionTimers {
    enum Purpose: Hashable {
        /// The peer has to say which protocol it speaks.
        case firstBytes
        /// A request may be late.
        case requests
        /// A drain says GOAWAY.
        case goAway
        /// A drain has waited long enough for a request that crosses it.
        case lastRequest
        /// A peer at fault is not waited for any longer.
        case dismissal
        /// The pushes of the read that is under way are handed over.
        case lastRead
        /// A peer that was told to go has gone.
        case end
    }

    private let eventLoop: NIOIsolatedEventLoop
    private var running: [Purpose: Scheduled<Void>] = [:]
    private var hasEnded = false

    init(_ eventLoop: any EventLoop) {
        self.eventLoop = eventLoop.assumeIsolated()
    }

    func isSet(_ purpose: Purpose) -> Bool { running[purpose] != nil }

    func set(_ purpose: Purpose, in delay: Duration, _ body: @escaping () -> Void) {
        set(purpose, at: .now() + TimeAmount(delay), body)
    }

    /// Sets a timer in the place of one that has the same purpose.
    func set(_ purpose: Purpose, at deadline: NIODeadline, _ body: @escaping () -> Void) {
        guard !hasEnded else { return }
        running[purpose]?.cancel()
        running[purpose] = eventLoop.scheduleTask(deadline: deadline) { [self] in
            running[purpose] = nil
            body()
        }
    }

    func cancel(_ purpose: Purpose) {
        running.removeValue(forKey: purpose)?.cancel()
    }

    /// Cancels all timers; none is set from now on.
    func end() {
        hasEnded = true
        for timer in running.values { timer.cancel() }
        running = [:]
    }
}
