// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Logging

/// The objects that the supervisor shares with every owner of a part of its state.
struct Equipment {
    let configuration: SupervisorConfiguration
    let launcher: Launcher
    let gate: StartGate
    let serials: SerialNumbers
    let logger: Logger
    /// Looks at and removes what extensions store.
    let storageQueue: DispatchQueue
    /// Reads and writes what extensions keep in their keychains: one question at a time, as each waits for the disk.
    let keychainQueue: DispatchQueue
    /// To be called when an owner has let go of a process that is gone.
    let processEnded: () -> Void
}

/// The gate of all starts: it is open while processes may still be started.
///
/// The supervisor closes the gate, everybody else only looks.
final class StartGate {
    /// Nothing can be started any more, and what was started is dying.
    private(set) var isLauncherLost = false
    /// The host ends, and lets every process go.
    private(set) var isEnding = false

    var isOpen: Bool { !isLauncherLost && !isEnding }

    func loseLauncher() { isLauncherLost = true }
    func end() { isEnding = true }
}

/// Numbers for processes, notifications, openings and files; none is used twice.
final class SerialNumbers {
    private var last: UInt64 = 0

    func next() -> UInt64 {
        last += 1
        return last
    }
}
