// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Locking

/// A sleep of the machine, at whose end logind says that it woke.
///
/// A signal that is sent before anybody listens is lost: this one waits for whoever has asked logind for its lock.
final class FakeSleep: Sendable {
    private let state = Locked((isWatched: false, isOver: false))

    /// Takes that somebody asked logind.
    func takeWatcher() { state.withLock { $0.isWatched = true } }

    func end() { state.withLock { $0.isOver = true } }

    /// Sends the signal of an end that has one to come.
    func signal(_ bus: BusConnection) throws(BusFailure) {
        let isDue = state.withLock { state in
            guard state.isWatched, state.isOver else { return false }
            state.isOver = false
            return true
        }
        guard isDue else { return }
        let manager = "org.freedesktop.login1.Manager"
        try bus.signal("PrepareForSleep", of: manager, at: "/org/freedesktop/login1") { message throws(BusFailure) in
            try message.append(false)
        }
    }
}
