// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// An X server of a test's own, on which notification daemons draw popups.
final class OwnScreen {
    struct NoScreen: Error {}

    static let isThere = ["Xvfb", "xdotool"].allSatisfy { Programs.installed($0) != nil } && DrawnDaemon.dunst.isThere
    static let hasXfce = isThere && DrawnDaemon.xfce.isThere
    static let hasPlasma = isThere && DrawnDaemon.plasma.isThere

    private let folder: TemporaryFolder
    private let bus: OwnBus
    private let server = Process()
    private var programs: [Process] = []
    private let environment: [String: String]
    private let errors: String

    init(_ folder: TemporaryFolder, on bus: OwnBus) async throws {
        (self.folder, self.bus) = (folder, bus)
        let server = self.server
        server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
        server.arguments = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
        guard let number = try await server.firstLine() else { throw NoScreen() }
        let own = [
            "DISPLAY": ":\(number)", "HOME": folder.path, "XDG_CONFIG_HOME": folder.path + "/config",
            "XDG_CACHE_HOME": folder.path + "/cache", "XDG_RUNTIME_DIR": folder.path, "QT_QUICK_BACKEND": "software",
        ]
        environment = bus.environment.merging(own) { $1 }
        errors = try folder.write("", to: "daemon-notes")
    }

    deinit {
        for program in programs { program.end() }
        server.end()
    }

    /// Starts a daemon, and what it needs on the bus.
    func start(_ daemon: DrawnDaemon) async throws {
        guard let paths = daemon.programs else { throw ProgramMissing(name: daemon.rawValue) }
        if paths.count > 1 {
            try run(paths[0], [])
            try await bus.wait(for: "org.xfce.Xfconf")
        }
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
        let arguments: [String] =
            switch daemon {
            case .dunst: ["-conf", configuration]
            case .xfce: []
            case .plasma: ["org.kde.plasma.notifications"]
            }
        try run(paths[paths.count - 1], arguments)
    }

    private func run(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment
        try ProcessStart.alone {
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle(forWritingAtPath: errors)
            try process.run()
        }
        programs.append(process)
    }

    /// Kills the daemon that was started last.
    func killDaemon() {
        guard let daemon = programs.popLast() else { return }
        daemon.end()
        daemon.waitUntilExit()
    }

    /// The words of the daemons on their standard error.
    func notes() throws -> String { try String(contentsOfFile: errors, encoding: .utf8) }

    /// Waits until so many popups of a daemon are on the screen; returns their windows, the oldest first.
    @discardableResult
    func wait(forPopups count: Int, of daemon: DrawnDaemon) async throws -> [String] {
        while true {
            let found = try await xdotool("search", "--onlyvisible", "--class", "^\(daemon.rawValue)$")
            let windows = found.output.split(separator: "\n").compactMap { Int($0) }.sorted()
            let popups = windows.dropFirst(daemon.windowCount)
            if windows.count >= daemon.windowCount, popups.count == count { return popups.map(String.init) }
            try Task.checkCancellation()
        }
    }

    /// Clicks into the popup that is at the top left.
    func click() async throws { _ = try await xdotool("mousemove", "60", "30", "click", "1") }

    /// Clicks into a window, on its first button or on the title.
    func click(window: String, onButton: Bool) async throws {
        let height = try await shape(of: window).height
        try await click(window: window, at: (25, onButton ? height - 19 : 14))
    }

    /// Clicks into a window, at so many points from its left and its upper edge.
    func click(window: String, at point: (x: Int, y: Int)) async throws {
        _ = try await xdotool("mousemove", "--window", window, "\(point.x)", "\(point.y)", "click", "1")
    }

    /// Types a text in the place of another one, where the focus of a window is.
    func type(_ text: String, into window: String) async throws {
        _ = try await xdotool("windowfocus", window, "key", "ctrl+a", "type", text)
    }

    /// The size of a window.
    func shape(of window: String) async throws -> (width: Int, height: Int) {
        let lines = try await xdotool("getwindowgeometry", "--shell", window).output.split(separator: "\n")
        func number(_ name: String) -> Int {
            lines.first { $0.hasPrefix(name + "=") }.flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
        }
        return (number("WIDTH"), number("HEIGHT"))
    }

    private func xdotool(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run("/usr/bin/xdotool", arguments, environment: environment)
    }
}
