// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import DesktopPresenter
import NIOHTTP1
import NotificationPayload

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tells what shows popups, what it can do, and what follows, and shows one.",
        discussion: """
            Exit status 1 when no popup can be shown, or no centre answers.

            Example:
              notification-desktop doctor --folder ./center
            """
    )

    @OptionGroup var place: CenterPlace

    @Flag(help: "Looks at the portal of a sandbox, as within a Flatpak without being asked.")
    var portal = false

    /// The time in which a program of the desktop answers that is not hung.
    private static let patience = Duration.seconds(5)

    func run() async throws {
        let hasScreen = await lookAtScreen()
        let client = CenterClient(socket: place.http, hint: "start it: notification-center serve")
        do {
            let api = try await client.ask(.GET, "/v1")
            Voice.print("yes  centre    version \(api["version"]?.string ?? "?"), on \"\(place.http)\"")
        } catch let failure as Failure {
            Voice.print("no   centre    \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
            throw ExitCode(1)
        }
        guard hasScreen else { throw ExitCode(1) }
    }

    /// Looks at what shows popups for an agent that is started so, and at the portals; false means that none shows any.
    private func lookAtScreen() async -> Bool {
        let use = PortalReport.Use(isAsked: portal)
        let portal: PortalClient
        // A portal that the agent would not use is not started for it.
        do { portal = try PortalClient(mayStart: use != .none) } catch {
            Voice.print("no   bus       \(error); it is the session's, by DBUS_SESSION_BUS_ADDRESS")
            return false
        }
        Voice.print("yes  bus")
        let player = SoundProgram.allCases.first { RunningProgram.path(of: $0.rawValue) != nil }
        let showsDaemon = use == .none ? await lookAtDaemon(player) : false
        let facts = await Self.inTime { await Self.facts(of: portal) }
        for line in PortalReport(facts, use: use, player: player).lines { Voice.print(line) }
        let showsPortal = if use != .none, let facts { await showOne(on: portal, facts, as: "") } else { false }
        let isQuiet = await Self.inTime { await InhibitionWatch.settingsAnswer() }
        Voice.print(ReportRow.settings(isQuiet))
        return showsDaemon || showsPortal
    }

    private func lookAtDaemon(_ player: SoundProgram?) async -> Bool {
        guard let daemon = try? DaemonClient(), let facts = await Self.inTime({ await Self.facts(of: daemon) }) else {
            Voice.print("no   daemon    nobody is org.freedesktop.Notifications; start the one of your desktop")
            return false
        }
        Voice.print("yes  daemon    \(facts.name) \(facts.version)")
        for line in DaemonReport(facts, player: player).lines { Voice.print(line) }
        return await showOne(on: daemon, facts)
    }

    /// The answer to a question; `nil` means none, or that the patience is over.
    private static func inTime<Value: Sendable>(_ ask: @escaping @Sendable () async -> Value?) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await ask() }
            group.addTask {
                try? await ContinuousClock().sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private static func facts(of screen: any PopupScreen) async -> DaemonFacts? {
        while let events = try? await screen.next() {
            for event in events {
                if case .came(let facts) = event { return facts }
                if event == .absent { return nil }
            }
        }
        return nil
    }

    /// Shows a popup, and tells whether it was taken; `name` is that of its app, which a portal puts into the title.
    private func showOne(on screen: any PopupScreen, _ facts: DaemonFacts, as name: String = "Nestbox") async -> Bool {
        var popup = Popup.trial(on: facts)
        popup.appName = name
        do { try screen.show(popup, PopupBytes(), ticket: 1) } catch {
            Voice.print("no   popup     \(error)")
            return false
        }
        let isShown = await Self.inTime { await Self.isShown(on: screen) }
        switch isShown {
        case true: Voice.print("yes  popup     \"Nestbox: this is a popup\" is on the screen")
        case false: Voice.print("no   popup     the \(screen.name) has refused it")
        case nil: Voice.print("no   popup     the \(screen.name) has not answered")
        }
        return isShown == true
    }

    /// Waits until the popup of the trial is on the screen, or was refused.
    private static func isShown(on screen: any PopupScreen) async -> Bool? {
        while let events = try? await screen.next() {
            if events.contains(.refused(ticket: 1)) { return false }
            for case .shown(ticket: 1, _) in events { return true }
        }
        return false
    }
}
