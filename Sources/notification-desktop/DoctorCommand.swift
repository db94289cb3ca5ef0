// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import DesktopPresenter
import NIOHTTP1
import NotificationPayload

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Tells which daemon shows popups, what it can do, and what follows, and shows one.",
        discussion: """
            Exit status 1 when no popup can be shown, or no centre answers.

            Example:
              notification-desktop doctor --folder ./center
            """
    )

    @OptionGroup var place: CenterPlace

    func run() async throws {
        let hasDaemon = await lookAtDaemon()
        let client = CenterClient(socket: place.http, hint: "start it: notification-center serve")
        do {
            let api = try await client.ask(.GET, "/v1")
            Voice.print("yes  centre    version \(api["version"]?.string ?? "?"), on \"\(place.http)\"")
        } catch let failure as Failure {
            Voice.print("no   centre    \(failure.message)" + (failure.hint.map { "; \($0)" } ?? ""))
            throw ExitCode(1)
        }
        guard hasDaemon else { throw ExitCode(1) }
    }

    private func lookAtDaemon() async -> Bool {
        let daemon: DaemonClient
        do { daemon = try DaemonClient() } catch {
            Voice.print("no   bus       \(error); it is the session's, by DBUS_SESSION_BUS_ADDRESS")
            return false
        }
        Voice.print("yes  bus")
        let answer = await withTaskGroup(of: DaemonFacts?.self) { group in
            group.addTask { await Self.facts(of: daemon) }
            group.addTask {
                try? await ContinuousClock().sleep(for: .seconds(5))
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let facts = answer else {
            Voice.print("no   daemon    nobody is org.freedesktop.Notifications; start the one of your desktop")
            return false
        }
        Voice.print("yes  daemon    \(facts.name) \(facts.version)")
        let player = SoundProgram.allCases.first { RunningProgram.path(of: $0.rawValue) != nil }
        for line in DaemonReport(facts, player: player).lines { Voice.print(line) }
        return await showOne(on: daemon, facts)
    }

    private static func facts(of daemon: DaemonClient) async -> DaemonFacts? {
        while let events = try? await daemon.next() {
            for event in events {
                if case .came(let facts) = event { return facts }
                if event == .absent { return nil }
            }
        }
        return nil
    }

    /// Shows a popup, and tells whether the daemon took it.
    private func showOne(on daemon: DaemonClient, _ facts: DaemonFacts) async -> Bool {
        do { try daemon.show(.trial(on: facts), PopupBytes(), ticket: 1) } catch {
            Voice.print("no   popup     \(error)")
            return false
        }
        while let events = try? await daemon.next() {
            if events.contains(.refused(ticket: 1)) { break }
            for case .shown(ticket: 1, _) in events {
                Voice.print("yes  popup     \"Nestbox: this is a popup\" is on the screen")
                return true
            }
        }
        Voice.print("no   popup     the daemon has refused it")
        return false
    }
}
