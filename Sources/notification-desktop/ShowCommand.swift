// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import DesktopBus
import DesktopPresenter
import FoundationEssentials
import Glibc
import Locking
import TerminationSignals
import UserNotificationCenter

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows notifications as they come, until it is stopped.",
        discussion: """
            A notification that is this desktop's to show is a popup of the notification daemon, one for each stack. A
            click answers it, and a popup is closed when its notification is gone. A centre or a daemon that is away is
            waited for.

            Example:
              notification-desktop show --folder ./center
            """
    )

    @OptionGroup var place: CenterPlace

    @Option(help: "What closing a popup means for its notification.")
    var closing = DaemonFacts.Dismissal.automatic

    @Flag(help: "Shows popups by the portal of a sandbox, as within a Flatpak without being asked.")
    var portal = false

    func run() async throws {
        let isSandboxed = PortalReport.Use(isAsked: portal) != .none
        let screen: any PopupScreen
        do { screen = try isSandboxed ? PortalClient() : DaemonClient() } catch {
            // A machine without a desktop: nothing is wrong, and a restart would change nothing.
            return Voice.sayNoPopup(since: "there is no session bus (\(error))")
        }
        let client = CenterClient(socket: place.http, hint: "start it: notification-center serve")
        let language = SummaryLanguage(acceptLanguage: CenterClient.language, owner: nil)
        // Nothing that a lock hides is said until the locks have answered.
        let opener = PageOpener()
        let since = SinceNotice(command: place.list, opensAddresses: opener != nil, offset: Self.offset)
        let player = SoundPlayer(client)
        // A sandbox has a folder of data of its own, which no desktop reads.
        let shelf = isSandboxed ? nil : DataFolders().own.map { DesktopFileShelf(in: $0, of: place.http) }
        let files = OwnDesktopFiles(center: place.http) { [place] in place.open($0) }
        let board = PopupBoard(
            language: language,
            since: since,
            dismissal: closing,
            hasPlayer: player != nil,
            isLocked: true,
            isInhibited: nil,
            hasOwnFiles: shelf != nil
        )
        let openings = OpeningDesk(opener, AppStarter(language: language.rawValue))
        let desk = DesktopFileDesk(client, files, in: shelf)
        let agent = DesktopAgent(client, at: place.http, screen, board, openings, player, desk)
        let end = Signal()
        let signals = TerminationSignals { end.raise() }
        ServiceReadiness.tell()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { try await agent.followDaemon() } catch is CancellationError {} catch {
                    Voice.say("the session bus has ended")
                }
            }
            group.addTask { await end.wait() }
            // These end with the first of the others.
            group.addTask { await agent.followCenter() }
            group.addTask { await agent.present() }
            group.addTask { await agent.openPages() }
            group.addTask { await agent.followInhibition() }
            group.addTask { await desk.run() }
            if let player { group.addTask { await player.run() } }
            for bus in BusConnection.Bus.allCases { group.addTask { await agent.followLocks(of: bus) } }
            await group.next()
            await agent.closeAll()
            group.cancelAll()
        }
        withExtendedLifetime(signals) {}
    }

    /// The seconds by which this machine's clock is ahead of UTC at a moment, in milliseconds since 1970.
    private static func offset(at moment: Int64) -> Int64 {
        var time = time_t(moment / 1000)
        var parts = tm()
        localtime_r(&time, &parts)
        return Int64(parts.tm_gmtoff)
    }
}

extension DaemonFacts.Dismissal: ExpressibleByArgument {}
