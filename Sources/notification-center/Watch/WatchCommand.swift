// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Foundation
import Glibc
import NotificationPayload
import TerminationSignals
import UserNotificationCenter

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Shows what happens, as it happens, until it is stopped.",
        discussion: """
            On a terminal a block for each notification, the newest below; elsewhere one JSON object a line, with the
            event's name in "event". A centre that ends is waited for, and what happened meanwhile is told then.

            With --interactive keys act on the newest notification: 1 to 9 answer with its actions, Enter opens it, x
            dismisses it, X its stack, and u brings back, o opens the centre's page, z is Do Not Disturb for an hour, j
            and k move to others, q ends. What is gone turns grey.

            Example:
              notification-center watch --interactive --since 8h
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Flag(name: [.short, .long], help: "Takes keys.")
    var interactive = false

    @Flag(help: "A line for each event: for pipes and screen readers.")
    var plain = false

    @Flag(help: "A JSON object for each event, on a terminal too.")
    var json = false

    @Flag(help: "Rings the terminal's bell for what makes a sound, unless a page or a desktop plays it.")
    var bell = false

    @Flag(help: "Shows whose notifications they are, and no text of theirs.")
    var hidePreviews = false

    @Option(help: "Only what is of this app.")
    var app: String?

    @Option(help: "Only what is of this thread.")
    var thread: String?

    @Option(help: "Begins with what came within this time, at most 200: 90s, 30m, 8h or 2d.")
    var since: WatchPeriod?

    @Flag(help: "Begins with what nobody has seen, at most 200.")
    var unseen = false

    func validate() throws {
        guard !plain || !json else { throw ValidationError("--plain and --json exclude each other") }
        guard since == nil || !unseen else { throw ValidationError("--since and --unseen exclude each other") }
        guard !interactive || !plain && !json else {
            throw ValidationError("--interactive goes with blocks: leave --plain and --json out")
        }
        guard !hidePreviews || !plain && !json else {
            throw ValidationError("--hide-previews goes with blocks: leave --plain and --json out")
        }
    }

    func run() async throws {
        guard Terminal.isInteractive || !interactive && !hidePreviews else {
            throw Failure(
                "--interactive and --hide-previews need a terminal, and standard output is none",
                hint: "leave them out in a pipe"
            )
        }
        let client = CenterClient(folder)
        let session = WatchSession(client, format, rings: bell && Terminal.isInteractive, isAlone: interactive)
        let source = WatchSource(client, folder: folder.http, as: Terminal.isInteractive ? .terminal : nil)
        let start = try await source.load(beginning)
        guard interactive else {
            try await session.begin(with: start)
            return try await source.follow(session, from: start.position)
        }
        let terminal = try KeyTerminal()
        let signals = TerminationSignals {
            terminal.restore()
            _exit(128 + SIGTERM)
        }
        // Before anything is written, so that no key that answers it is echoed or waits for the end of a line.
        try terminal.take()
        defer { terminal.restore() }
        try await session.begin(with: start)
        try await withThrowingTaskGroup { group in
            group.addTask { try await source.follow(session, from: start.position) }
            group.addTask {
                // However it ends, no event waits for a text any more.
                do { try await terminal.keys { try await session.press($0) } } catch {
                    await session.finish()
                    throw error
                }
                await session.finish()
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        withExtendedLifetime(signals) {}
    }

    private var beginning: WatchSource.Beginning {
        if unseen { return .unseen }
        return since.map { .since(Date.now.addingTimeInterval(-$0.seconds)) } ?? .now
    }

    private var format: WatchSession.Format {
        let filter = WatchFilter(app: app, thread: thread)
        if json || !plain && !Terminal.isInteractive { return .objects(filter) }
        if plain { return .lines(filter) }
        return .blocks(WatchView(style: .ofTerminal(hidesPreviews: hidePreviews), filter: filter))
    }
}

/// A length of time as a person writes it: a number and `s`, `m`, `h` or `d`.
struct WatchPeriod: ExpressibleByArgument {
    let seconds: Double

    init?(argument: String) {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
        guard let unit = argument.last.flatMap({ units[$0] }), let count = UInt32(argument.dropLast()) else {
            return nil
        }
        seconds = Double(count) * unit
    }
}

extension TerminalStyle {
    /// The style of the terminal that standard output is: NO_COLOR and TERM=dumb take colours away.
    static func ofTerminal(hidesPreviews: Bool) -> TerminalStyle {
        let environment = ProcessInfo.processInfo.environment
        return TerminalStyle(
            columns: max(20, size?.columns ?? 80),
            hasColours: environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb",
            hidesPreviews: hidesPreviews,
            hasLinks: environment["TERM"] != "dumb"
        )
    }

    /// The size of the terminal that standard output is; `nil` means that it says none.
    static var size: WatchScreen.Size? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return WatchScreen.Size(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
