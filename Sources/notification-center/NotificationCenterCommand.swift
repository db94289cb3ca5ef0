// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import CenterAsking
import Glibc

/// The notification centre, and the commands of those who look into it.
@main
struct NotificationCenterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification-center",
        abstract: "Keeps delivered notifications, and shows them.",
        discussion: """
            A centre has a folder of its own (mode 0700): its database, the socket "link.sock" by which an
            extension-host hands it records, and the socket "http.sock" of its API. Whoever may open the folder is
            the owner of what lies in it.

            Example:
              notification-center serve &
              notification-center list
            """,
        version: "notification-center \(NESTBOX_VERSION)",
        subcommands: [
            ServeCommand.self, ListCommand.self, ShowCommand.self, WatchCommand.self, StatusCommand.self,
            RemoveCommand.self, HistoryCommand.self, RespondCommand.self, SendCommand.self, AuthorizeCommand.self,
            SettingsCommand.self, AppsCommand.self,
            SignInCommand.self, TokenCommand.self, SessionsCommand.self, DoctorCommand.self,
            RepairCommand.self,
        ]
    )

    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            // Nothing may suspend before `prepare` has returned: with the first suspension come threads.
            if let command = command as? ServeCommand {
                try await command.prepare().run()
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            Terminal.report(failure)
            Self.exit(withError: ExitCode(1))
        } catch  where Self.exitCode(for: error) == .validationFailure {
            // The library tells the command alone in its own voice.
            let help = Self.fullMessage(for: error).firstMatch(of: /See '(.+)' for more/)?.1
            Terminal.report(
                Failure(
                    Self.message(for: error),
                    hint: "\"\(help ?? "notification-center --help")\" tells what is possible"
                )
            )
            Self.exit(withError: ExitCode(2))
        } catch {
            Self.exit(withError: error)
        }
    }
}
