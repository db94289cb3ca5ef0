// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Store

extension HostConfiguration {
    /// Appends the apps that commands have added; where host.yaml has the same one, that one counts.
    ///
    /// They are read as they were added, but for what this file's listener says of them all.
    mutating func add(_ registered: [RegisteredApp]) throws(CommandError) {
        for entry in registered where !apps.contains(where: { $0.topic == entry.topic }) {
            var app: App
            do {
                app = try App(yaml: entry.yaml, file: entry.file, environment: environment)
            } catch {
                throw CommandError(
                    error.message + ", as it was added",
                    hint: "\"\(Terminal.program) app add --replace\" changes it"
                )
            }
            app.isRegistered = true
            apps.append(app)
        }
        guard let (one, other) = apps.withOneToken else { return }
        throw CommandError(
            "the apps \"\(one)\" and \"\(other)\" have the same device token",
            hint: "\"\(Terminal.program) app add --replace\" changes the one that was added"
        )
    }

    /// With the apps of the registry, if this configuration has one; at least one app.
    ///
    /// Starts no thread.
    func withRegisteredApps() throws(CommandError) -> HostConfiguration {
        var configuration = self
        if let stateFolder {
            let registered: [RegisteredApp]
            do {
                registered = try EarlyRegistry.apps(inFolder: stateFolder)
            } catch {
                throw CommandError(error)
            }
            try configuration.add(registered)
        }
        guard !configuration.apps.isEmpty else {
            throw CommandError(
                "there is no app: the configuration has no \"apps\", and none was added",
                hint: "\"\(Terminal.program) app add\" adds one"
            )
        }
        return configuration
    }

    /// The app with this topic, from the file or added since.
    func app(_ topic: String) throws(CommandError) -> App {
        guard let app = apps.first(where: { $0.topic == topic }) else { throw Self.noApp(withTopic: topic) }
        return app
    }

    /// The error for a topic that is nobody's.
    static func noApp(withTopic topic: String) -> CommandError {
        CommandError(
            "no app has the topic \"\(topic)\"",
            hint: "\"\(Terminal.program) app list\" tells which there are"
        )
    }

    /// The registrations and device tokens of the apps that run, for the registry.
    var hostedTokens: [HostedTokens] {
        apps.map { app in
            HostedTokens(
                registration: .init(topic: app.topic, environment: app.environment, pushTypes: app.pushTypes),
                tokens: app.deviceTokens,
                hasExtension: !app.bundles.isEmpty
            )
        }
    }
}

extension AppConfiguration {
    /// Reads the mapping of one app, as host.yaml has it; relative paths start in the folder of `file`.
    ///
    /// `environment` is what holds where it says none.
    init(yaml: String, file: String, environment: PushEnvironment) throws(CommandError) {
        guard let node = try ConfigurationDocument.root(of: yaml, in: file) else {
            throw CommandError("\(file): the file is empty")
        }
        do throws(ConfigurationFaults) {
            self = try ConfigurationSection<AppConfiguration>(node, file: file, name: Self.name(of: node)).read()
        } catch {
            throw CommandError(error)
        }
        settle(environment)
    }
}
