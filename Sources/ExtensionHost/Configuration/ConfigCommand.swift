// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The command that explains the keys of host.yaml, and checks a file.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Explains the keys of host.yaml, and checks a file.",
        subcommands: [Explain.self, Check.self]
    )

    struct Explain: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "explain",
            abstract: "Tells what a key of host.yaml means, its default, and whether SIGHUP takes it.",
            discussion: """
                Without a key it lists all of them. A key is named as in the file, or with its place.

                Example:
                  extension-host config explain budget
                  extension-host config explain listen.apns.port
                """
        )

        @Option(help: "text, markdown (the page docs/host.yaml.md) or json (one object a line).")
        var format = ReferenceFormat.text

        @Argument(help: "A key, such as budget or listen.apns.port.")
        var key: String?

        func run() throws {
            let keys = try key.map(Self.keys) ?? HostSchema.keys
            switch format {
            case .text: print(key == nil ? ConfigurationReference.list(keys) : ConfigurationReference.text(keys))
            case .markdown: print(ConfigurationReference.page, terminator: "")
            case .json: for key in keys { print(ConfigurationReference.json(key)) }
            }
        }

        private static func keys(named text: String) throws(CommandError) -> [HostSchema.Key] {
            let keys = HostSchema.keys(named: text)
            guard keys.isEmpty else { return keys }
            let all = HostSchema.keys
            let guess =
                NearestName.of(text, among: all.map(\.path))
                ?? NearestName.of(text, among: all.map(\.description.name))
            throw CommandError(
                "host.yaml has no key \"\(text)\"",
                hint: guess.map { "did you mean \"\($0)\"?" }
                    ?? "\"\(Terminal.program) config explain\" lists all of them"
            )
        }
    }

    struct Check: HostingCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Reads a host.yaml and judges it as serve would, without starting a host.",
            discussion: """
                Says every error it can find, and looks at bundles, certificates, keys, secrets, the state folder and what
                this machine offers, so run it as the host's user. Exit status 1 when there is one.

                Example:
                  extension-host config check host.yaml
                """
        )

        @Argument(help: "The configuration, host.yaml.", completion: .file())
        var file: String

        func prepare() throws -> KeyCheck {
            signal(SIGPIPE, SIG_IGN)
            let configuration: HostConfiguration
            do throws(ConfigurationCheck.Refusal) {
                configuration = try ConfigurationCheck.configuration(of: file)
            } catch {
                for error in error.errors { Terminal.report(error) }
                throw ExitCode.refused
            }
            return try KeyCheck(configuration, file: file)
        }
    }
}

/// The output format of `config explain`.
enum ReferenceFormat: String, ExpressibleByArgument, CaseIterable {
    case text, markdown, json
}
