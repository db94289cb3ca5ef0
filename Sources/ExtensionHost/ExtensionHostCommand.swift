// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

@main
struct ExtensionHostCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: Terminal.program,
        abstract:
            "Runs notification service extensions: opens sealed pushes, extends them in a sandbox, delivers them.",
        discussion: """
            Exit status: 0 done, 1 refused or failed, 2 usage.

            Example:
              extension-host run Chat.appex payload.json
            """,
        subcommands: [ServeCommand.self, RunCommand.self, DoctorCommand.self]
    )

    /// Gives usage errors the project's exit status and every error the project's voice.
    static func main() async {
        do {
            defer { LogOptions.stream.flush() }
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as CommandError {
            Terminal.report(error)
            Self.exit(withError: ExitCode.refused)
        } catch let code as ExitCode {
            Self.exit(withError: code)
        } catch  where Self.exitCode(for: error) == .validationFailure {
            Terminal.report(
                CommandError(Self.message(for: error), hint: "\"\(Terminal.program) --help\" lists the commands")
            )
            Self.exit(withError: ExitCode.usage)
        } catch {
            Self.exit(withError: error)
        }
    }
}
