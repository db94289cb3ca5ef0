// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// An X server of a test's own with dunst on it, whose popups are at the top left and whose left click opens.
final class OwnScreen {
    struct NoScreen: Error {}

    static let isThere = ["Xvfb", "dunst", "xdotool"].allSatisfy { Programs.installed($0) != nil }

    private let server = Process()
    private let dunst = Process()
    private let environment: [String: String]
    private let errors: String

    init(_ folder: TemporaryFolder, on bus: OwnBus) async throws {
        let server = self.server
        server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        server.arguments = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
        guard let number = try await server.firstLine() else { throw NoScreen() }
        environment = bus.environment.merging(["DISPLAY": ":\(number)"]) { $1 }
        let configuration = try folder.write(
            """
            [global]
                origin = top-left
                offset = 0x0
                width = 400
                font = Monospace 12
                mouse_left_click = do_action, close_current

            """,
            to: "dunstrc"
        )
        dunst.executableURL = URL(fileURLWithPath: "/usr/bin/dunst")
        dunst.arguments = ["-conf", configuration]
        errors = try folder.write("", to: "dunst-notes")
        dunst.environment = environment
        try ProcessStart.alone {
            dunst.standardOutput = FileHandle.nullDevice
            dunst.standardError = FileHandle(forWritingAtPath: errors)
            try dunst.run()
        }
    }

    deinit {
        dunst.end()
        server.end()
    }

    /// The words of dunst on its standard error.
    func notes() throws -> String { try String(contentsOfFile: errors, encoding: .utf8) }

    /// Waits until a popup is on the screen, or until none is.
    func wait(forPopup isThere: Bool) async throws {
        while true {
            let found = try await xdotool("search", "--onlyvisible", "--class", "dunst")
            if found.output.isEmpty != isThere { return }
        }
    }

    /// Clicks into the popup that is at the top left.
    func click() async throws { _ = try await xdotool("mousemove", "60", "30", "click", "1") }

    private func xdotool(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run("/usr/bin/xdotool", arguments, environment: environment)
    }
}
