// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CLinux
import Foundation
import Store

/// A command that runs extensions: it prepares while the process has one thread, and works with as many as it likes.
protocol HostingCommand: ParsableCommand {
    associatedtype Work: HostWork

    /// Does everything up to the host's own confinement, which binds only threads that do not exist yet.
    func prepare() throws -> Work
}

/// The part of a hosting command that runs once the process is confined.
protocol HostWork {
    func run() async throws
}

extension HostingCommand {
    func run() throws { preconditionFailure("a hosting command is prepared, then its work is run") }
}

@main
struct ExtensionHostCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Terminal.program,
        abstract:
            "Runs notification service extensions: opens sealed pushes, extends them in a sandbox, delivers them.",
        discussion: """
            Exit status: 0 done, 1 refused or failed, 2 usage.

            Example:
              extension-host build NotificationService/ --identifier com.example.chat.service -o Chat.appex
              extension-host run Chat.appex payload.json
            """,
        version: "\(Terminal.program) \(NESTBOX_VERSION)",
        subcommands: [
            BuildCommand.self, RunCommand.self, ViewCommand.self, ServeCommand.self, DoctorCommand.self,
            StatusCommand.self, DeadLettersCommand.self, AppCommand.self, TokenCommand.self, SubscriptionCommand.self,
            SendCommand.self, ConfigCommand.self, TapCommand.self, FleetCommand.self,
        ]
    )

    /// Gives usage errors the project's exit status and every error the project's voice.
    static func main() async {
        do {
            defer { LogOptions.stream.flush() }
            var command = try parseAsRoot()
            // Nothing may suspend before `prepare` has returned: with the first suspension come threads.
            if let command = command as? any HostingCommand {
                try await command.prepare().run()
            } else {
                try command.run()
            }
        } catch let error as CommandError {
            Terminal.report(error)
            Self.exit(withError: ExitCode.refused)
        } catch let error as StoreError {
            Terminal.report(CommandError(error))
            Self.exit(withError: ExitCode.refused)
        } catch let code as ExitCode {
            Self.exit(withError: code)
        } catch  where Self.exitCode(for: error) == .validationFailure {
            // The library tells the command alone in its own voice.
            let help = Self.fullMessage(for: error).firstMatch(of: /See '(.+)' for more/)?.1 ?? "extension-host --help"
            Terminal.report(CommandError(Self.message(for: error), hint: "\"\(help)\" tells what is possible"))
            Self.exit(withError: ExitCode.usage)
        } catch {
            Self.exit(withError: error)
        }
    }
}
