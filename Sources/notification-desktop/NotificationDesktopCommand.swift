// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import CenterAsking
import Glibc

/// The desktop agent: a notification centre's client on the session bus.
@main
struct NotificationDesktopCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-desktop",
        abstract: "Shows the notifications of a centre as popups of the desktop.",
        discussion: """
            The popups are those of the notification daemon that the desktop has. Of the owner's surfaces one shows a
            banner: while a page has the focus, it is the page.

            Example:
              notification-desktop doctor
              notification-desktop
            """,
        version: "notification-desktop \(NESTBOX_VERSION)",
        subcommands: [ShowCommand.self, DoctorCommand.self, OpenCommand.self],
        defaultSubcommand: ShowCommand.self
    )

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            Voice.report(failure)
            Self.exit(withError: ExitCode(1))
        } catch  where Self.exitCode(for: error) == .validationFailure {
            Voice.report(
                Failure(Self.message(for: error), hint: "\"notification-desktop --help\" lists the commands")
            )
            Self.exit(withError: ExitCode(2))
        } catch {
            Self.exit(withError: error)
        }
    }
}
