// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import Glibc

/// The program of the desktop that shows an address in the person's browser.
///
/// The address has no code that signs in, because other users of the machine see the arguments of a program.
struct PageOpener: Sendable {
    /// The time in which the program says that it has no browser; a browser that it has started may run for hours.
    private static let patience = Duration.seconds(5)

    private let command: [String]

    /// Finds the program; `nil` means that the desktop has none.
    init?() {
        guard let program = RunningProgram.path(of: "xdg-open") else { return nil }
        // A browser that a unit starts would have the unit's limits, and end with it: it gets a unit of its own.
        if getenv("INVOCATION_ID") != nil, let manager = RunningProgram.path(of: "systemd-run") {
            command = [manager, "--user", "--quiet", "--collect", "--wait", "--", program]
        } else {
            command = [program]
        }
    }

    /// Opens an address, and tells whether the program took it.
    func open(_ address: String, _ clock: some Clock<Duration>) async -> Bool {
        do {
            let program = try RunningProgram(command[0], command.dropFirst() + [address])
            return [.exited(0), .runs].contains(await program.wait(atMost: Self.patience, clock))
        } catch {
            return false
        }
    }
}
