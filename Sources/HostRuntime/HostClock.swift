// SPDX-License-Identifier: Apache-2.0

package import Locking

/// A monotonic clock reduced to what the host needs: how long it runs, and waiting until then.
///
/// Built over any `Clock`, so that tests drive budgets by hand. Instants are durations since the clock was made.
package struct HostClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    package init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        elapsed = { origin.duration(to: clock.now) }
        wait = { try await clock.sleep(until: origin.advanced(by: $0), tolerance: nil) }
    }

    /// Returns a clock that shows the same time and waits in another way.
    package func waiting(_ wait: @escaping @Sendable (Duration) async throws -> Void) -> HostClock {
        HostClock(elapsed: elapsed) { [elapsed] in try await wait($0 - elapsed()) }
    }

    private init(
        elapsed: @escaping @Sendable () -> Duration,
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        self.wait = wait
    }

    package var now: Duration { elapsed() }

    /// Throws `CancellationError` when the task is cancelled first.
    package func sleep(until instant: Duration) async throws {
        try await wait(instant)
    }

    /// Returns at an instant, or when a signal is raised before it, which lowers the signal.
    ///
    /// The signal alone ends the wait if there is no instant. A cancelled task returns at once.
    package func sleep(until instant: Duration?, orUntil signal: Signal) async {
        await withTaskGroup(of: Void.self) { group in
            if let instant {
                group.addTask { try? await sleep(until: instant) }
            }
            group.addTask { await signal.wait() }
            await group.next()
            group.cancelAll()
        }
    }
}
