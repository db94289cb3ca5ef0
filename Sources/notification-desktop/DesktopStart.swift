// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import Glibc

/// The start of a program of the desktop that a person is to see, with the token by which it may take the focus.
struct DesktopStart: Sendable {
    /// The time in which a program says that it has nothing to show; what it shows may be there for hours.
    static let patience = Duration.seconds(5)

    /// The program that starts units; `nil` means that the agent is none.
    private let manager: String?

    init() {
        // A program that a unit starts would have the unit's limits, and end with it: it gets a unit of its own.
        manager = getenv("INVOCATION_ID") == nil ? nil : RunningProgram.path(of: "systemd-run")
    }

    /// Starts the program at a path with its arguments, and tells whether it took them.
    func run(
        _ path: String,
        _ arguments: [String],
        with token: ActivationToken?,
        _ clock: some Clock<Duration>
    ) async -> Bool {
        // One is for Wayland, and one for X11.
        let names = token == nil ? [] : ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
        let variables = names.compactMap { name in token.map { "\(name)=\($0.text)" } }
        do {
            let words = manager.map { UnitCommand.words(of: $0, path, arguments, handing: names) }
            let program = try RunningProgram(words ?? [path] + arguments, adding: variables)
            return [.exited(0), .runs].contains(await program.wait(atMost: Self.patience, clock))
        } catch {
            return false
        }
    }
}
