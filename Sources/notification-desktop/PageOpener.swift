// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter

/// The program of the desktop that shows an address in the person's browser.
///
/// The address has no code that signs in, because other users of the machine see the arguments of a program.
struct PageOpener: Sendable {
    private let program: String
    private let start = DesktopStart()

    /// Finds the program; `nil` means that the desktop has none.
    init?() {
        guard let program = RunningProgram.path(of: "xdg-open") else { return nil }
        self.program = program
    }

    /// Opens an address, and tells whether the program took it.
    func open(_ address: PageAddress, with token: ActivationToken?, _ clock: some Clock<Duration>) async -> Bool {
        await start.run(program, [address.text], with: token, clock)
    }
}
