// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import NotificationPayload
import Store

/// The options of the commands that look into a host's registry, or change it.
struct RegistryOptions: ParsableArguments {
    @Option(help: "The configuration of the host, host.yaml: its \"state\" has the registry.", completion: .file())
    var config: String

    @Flag(help: "Print JSON, one object a line.")
    var json = false

    /// The configuration with the apps that were added, and the registry it names.
    ///
    /// `topic` is that of an added app which the command replaces or removes: it is left out, and need not be good.
    func open(leavingOut topic: String? = nil) throws -> (configuration: HostConfiguration, file: RegistryFile) {
        var configuration = try HostConfiguration(file: config)
        guard let folder = configuration.stateFolder else {
            throw CommandError(
                "\(config) names no folder for \"state\", so there is no registry",
                hint: "write \"state: ./state\" into it, and start the host again"
            )
        }
        let file = try RegistryFile(folder: folder)
        try configuration.add(try file.apps().filter { $0.topic != topic })
        return (configuration, file)
    }

    /// The same for commands about device tokens, which are in the database of a fleet if the host is in one.
    func openTokens() throws -> (configuration: HostConfiguration, shelf: any TokenShelf) {
        let (configuration, file) = try open()
        guard let fleet = configuration.fleet else { return (configuration, RegistryShelf(file: file)) }
        return (configuration, try FleetShelf(fleet))
    }

    /// The result, which goes to standard output.
    func print(_ object: JSONObject, orText text: String) {
        Swift.print(json ? String(decoding: object.serialized, as: UTF8.self) : text)
    }
}

extension StoreError: CommandFailure {
    package var commandError: CommandError { CommandError(message, hint: hint) }
}

extension Date {
    /// The moment for JSON: milliseconds since 1970.
    var json: JSON { .integer(Int64((timeIntervalSince1970 * 1000).rounded())) }

    /// The moment for people: UTC, to the second.
    var text: String { formatted(.iso8601) }
}
