// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Locking

/// Wakes the main thread for an update, once for all that happens before it comes to that.
///
/// Updates that answer no event are at least 33 milliseconds apart, as many as a page draws and a host lets through.
/// The first after a pause comes with the next turn of the main queue.
final class Wakes: Sendable {
    private struct State {
        /// True if the scene may look otherwise.
        var isDrawing = false
        /// True while an update is ordered.
        var isOrdered = false
        /// Functions under way behind which an update comes anyhow.
        var holds = 0
        /// The time from which on the next update may come.
        var nextTime = Duration.zero
    }

    /// The shortest time between two updates that answer no event.
    private static let interval = Duration.milliseconds(33)

    private let state = Locked(State())
    /// The time since the beginning.
    private let elapsed: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    @MainActor var draw: () -> Void

    @MainActor init(clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        draw = {}
    }

    /// Orders an update from any thread.
    func wake(drawing: Bool) {
        let time = state.withLock { state -> Duration? in
            state.isDrawing = state.isDrawing || drawing
            guard !state.isOrdered, state.holds == 0 else { return nil }
            state.isOrdered = true
            return state.nextTime
        }
        guard let time else { return }
        guard time > elapsed() else {
            return DispatchQueue.main.async { MainActor.assumeIsolated { self.update() } }
        }
        // Awaited by nobody: it ends with its sleep, which nothing cancels.
        Task { @MainActor in
            try? await sleep(time)
            update()
        }
    }

    @MainActor private func update() {
        state.withLock { state in
            state.isOrdered = false
            state.nextTime = elapsed() + Self.interval
        }
        draw()
    }

    /// Runs what an update follows at once, so that none is ordered by it.
    @MainActor func hold(_ body: () -> Void) {
        state.withLock { $0.holds += 1 }
        body()
        state.withLock { $0.holds -= 1 }
    }

    /// True if the scene is to be drawn now.
    func takeDrawing() -> Bool {
        state.withLock { state in
            defer { state.isDrawing = false }
            return state.isDrawing
        }
    }
}
