// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// A notification daemon of Debian's, which draws popups on an X server.
enum DrawnDaemon: String {
    /// A daemon that draws at the top left, where a left click opens.
    case dunst
    /// A daemon that draws below the top right corner, where a click on a button chooses and one beside it puts away.
    case xfce = "xfce4-notifyd"

    /// The programs that are to be started, the daemon last; `nil` means that one is not installed.
    fileprivate var programs: [String]? {
        switch self {
        case .dunst: Programs.installed("dunst").map { [$0] }
        case .xfce:
            Self.library("xfce4/xfconf/xfconfd").flatMap { settings in
                Self.library("xfce4/notifyd/xfce4-notifyd").map { [settings, $0] }
            }
        }
    }

    var isThere: Bool { programs != nil }

    /// A program in the folder of libraries of this machine's architecture.
    private static func library(_ path: String) -> String? {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/\(path)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}

/// An X server of a test's own, on which notification daemons draw popups.
final class OwnScreen {
    struct NoScreen: Error {}

    static let isThere = ["Xvfb", "xdotool"].allSatisfy { Programs.installed($0) != nil } && DrawnDaemon.dunst.isThere
    static let hasXfce = isThere && DrawnDaemon.xfce.isThere

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
            "XDG_CACHE_HOME": folder.path + "/cache",
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
        try run(paths[paths.count - 1], daemon == .dunst ? ["-conf", configuration] : [])
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
            let windows = found.output.split(separator: "\n").map(String.init)
            if windows.count == count { return windows.sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count } }
            try Task.checkCancellation()
        }
    }

    /// Clicks into the popup that is at the top left.
    func click() async throws { _ = try await xdotool("mousemove", "60", "30", "click", "1") }

    /// Clicks into a window, on its first button or on the title.
    func click(window: String, onButton: Bool) async throws {
        let shape = try await xdotool("getwindowgeometry", "--shell", window).output
        let height =
            shape.split(separator: "\n").first { $0.hasPrefix("HEIGHT=") }.flatMap { Int($0.dropFirst(7)) } ?? 0
        _ = try await xdotool(
            "mousemove",
            "--window",
            window,
            "25",
            onButton ? "\(height - 19)" : "14",
            "click",
            "1"
        )
    }

    private func xdotool(_ arguments: String...) async throws -> CommandResult {
        try await CommandResult.run("/usr/bin/xdotool", arguments, environment: environment)
    }
}
