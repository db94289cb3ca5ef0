// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter
import Glibc

/// The program of the desktop that shows an address in the person's browser.
///
/// The address has no code that signs in, because other users of the machine see the arguments of a program.
struct PageOpener: Sendable {
    /// The time in which the program says that it has no browser; a browser that it has started may run for hours.
    private static let patience = Duration.seconds(5)

    private let program: String
    /// The program that starts units; `nil` means that the agent is none.
    private let manager: String?

    /// Finds the program; `nil` means that the desktop has none.
    init?() {
        guard let program = RunningProgram.path(of: "xdg-open") else { return nil }
        // A browser that a unit starts would have the unit's limits, and end with it: it gets a unit of its own.
        manager = getenv("INVOCATION_ID") == nil ? nil : RunningProgram.path(of: "systemd-run")
        self.program = program
    }

    /// Opens an address, and tells whether the program took it.
    func open(_ opening: Opening, _ clock: some Clock<Duration>) async -> Bool {
        // One is for Wayland, and one for X11.
        let names = opening.token == nil ? [] : ["XDG_ACTIVATION_TOKEN", "DESKTOP_STARTUP_ID"]
        let variables = names.compactMap { name in opening.token.map { "\(name)=\($0.text)" } }
        do {
            let program = try RunningProgram(command(handing: names), [opening.address.text], adding: variables)
            return [.exited(0), .runs].contains(await program.wait(atMost: Self.patience, clock))
        } catch {
            return false
        }
    }

    /// The words that start the program, with variables of its own environment that a unit of its own is to have.
    private func command(handing names: [String]) -> [String] {
        guard let manager else { return [program] }
        return [manager, "--user", "--quiet", "--collect", "--wait"] + names.map { "--setenv=\($0)" } + ["--", program]
    }
}
