// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import NotificationPayload
import Store

/// Apps of a host beside those of its host.yaml.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "Adds, lists and removes apps beside those of host.yaml.",
        subcommands: [Add.self, List.self, Remove.self]
    )

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds an app, written as an element of \"apps\" in host.yaml is.",
            discussion: """
                The app runs from the next start of the host on: programs and keys are fixed while it runs. Its device
                tokens can be minted at once.

                Example:
                  extension-host app add --config host.yaml chat.yaml
                """
        )

        @OptionGroup var registry: RegistryOptions

        @Flag(help: "Put it in the place of one with the same topic, whose tokens stay.")
        var replace = false

        @Argument(
            help: "A YAML file: topic, keys, extension and so on; paths start in its folder.",
            completion: .file()
        )
        var file: String

        func run() throws {
            let path = URL(fileURLWithPath: file).standardizedFileURL.path
            guard let yaml = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw CommandError("\"\(file)\" is not readable", hint: "name a file with the keys of one app")
            }
            let topic = try AppConfiguration(yaml: yaml, file: path, environment: .development).topic
            let (configuration, registered) = try registry.open(leavingOut: topic)
            let app = try AppConfiguration(yaml: yaml, file: path, environment: configuration.environment)
            if configuration.apps.contains(where: { $0.topic == app.topic }) {
                throw CommandError(
                    "\(registry.config) has an app \"\(app.topic)\" already",
                    hint: "change it there, or delete it there first"
                )
            }
            if let (one, other) = (configuration.apps + [app]).withOneToken {
                throw CommandError(
                    "the apps \"\(one)\" and \"\(other)\" would have the same device token",
                    hint: "a token belongs to one app"
                )
            }
            let entry = RegisteredApp(topic: app.topic, yaml: yaml, file: path, added: Date())
            guard try registered.add(entry, replaces: replace) else {
                throw CommandError("app \"\(app.topic)\" was added before", hint: "--replace changes it")
            }
            registry.print(["added": .string(app.topic)], orText: "added \(app.topic)")
            Terminal.note("it runs when the host is started again; its device tokens can be minted now")
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists the apps of host.yaml and those that were added."
        )

        @OptionGroup var registry: RegistryOptions

        func run() throws {
            let (configuration, _) = try registry.open()
            for app in configuration.apps {
                let origin = app.isRegistered ? "added" : "configured"
                registry.print(
                    [
                        "topic": .string(app.topic), "environment": .string(app.environment.rawValue),
                        "origin": .string(origin),
                    ],
                    orText: "\(app.topic)  \(app.environment.rawValue)  \(origin)"
                )
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an app that was added, with its device tokens and subscriptions.",
            discussion:
                "Senders to its tokens hear 410 from the next second on; what is accepted already is still delivered."
        )

        @OptionGroup var registry: RegistryOptions

        @Argument(help: "The app's bundle identifier.")
        var topic: String

        func run() throws {
            let (configuration, file) = try registry.open(leavingOut: topic)
            guard !configuration.apps.contains(where: { $0.topic == topic }) else {
                throw CommandError("app \"\(topic)\" stands in \(registry.config)", hint: "delete it there")
            }
            guard let count = try file.removeApp(topic, at: Date()) else {
                throw HostConfiguration.noApp(withTopic: topic)
            }
            registry.print(
                ["removed": .string(topic), "tokens": .integer(Int64(count))],
                orText: "removed \(topic) and \(count) of its tokens and subscriptions"
            )
            guard configuration.fleet != nil else { return }
            Terminal.note("tokens of a fleet stay until \"token remove\" removes each: other hosts may have the app")
        }
    }
}
