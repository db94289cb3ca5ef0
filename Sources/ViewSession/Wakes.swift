// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Locking

/// Wakes the main thread for an update, once for all that happens before it comes to that.
final class Wakes: Sendable {
    private struct State {
        /// True if the scene may look otherwise.
        var isDrawing = false
        /// True while an update is ordered.
        var isOrdered = false
        /// Functions under way behind which an update comes anyhow.
        var holds = 0
    }

    private let state = Locked(State())
    @MainActor var draw: () -> Void

    @MainActor init() {
        draw = {}
    }

    /// Orders an update from any thread.
    func wake(drawing: Bool) {
        let mustOrder = state.withLock { state in
            state.isDrawing = state.isDrawing || drawing
            guard !state.isOrdered, state.holds == 0 else { return false }
            state.isOrdered = true
            return true
        }
        guard mustOrder else { return }
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                self.state.withLock { $0.isOrdered = false }
                self.draw()
            }
        }
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
