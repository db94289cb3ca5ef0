// SPDX-License-Identifier: Apache-2.0

import CenterLink
import CenterProtocol
import HostRuntime

/// A notification centre of host.yaml, which runs beside the host.
struct ConfiguredCenter: RemoteSinkDescription {
    static let key = "center"
    static let messageName = "a notification centre"
    static let sentence = "A notification centre on this machine, which keeps what was delivered and shows it."

    /// Records wait under this name while the centre is away.
    var name = "center"
    var socket = ""
    /// `nil` means all.
    var topics: [String]?
    var authorization = CenterApp.Authorization.ask

    /// Records go over one connection.
    var concurrency: Int { 1 }
    var connectionCount: Int { 1 }
    var removesTokens: Bool { false }

    func takes(topic: String) -> Bool { topics?.contains(topic) ?? true }

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "name",
            .sinkName,
            \.name,
            "The name under which records wait while the centre is away.",
            example: "desk"
        )
        ConfigurationRow(
            "socket",
            .path,
            \.socket,
            "The socket for hosts of a centre of the host's own user: `link.sock` in the folder of `--folder`.",
            required: true,
            example: "center/link.sock"
        )
        ConfigurationRow(
            "topics",
            .topics,
            \.topics,
            "The topics whose records are kept.",
            standard: "all",
            example: "[com.example.chat]"
        )
        ConfigurationRow(
            "authorization",
            .choice,
            \.authorization,
            "Whether an app shows nothing before its owner has allowed it (`ask`), or is allowed already (`granted`).",
            example: "granted"
        )
    }

    func prepare() throws(CommandError) -> RemoteSinkMaker {
        guard socket.utf8.count <= 107 else {
            throw CommandError(
                "\"\(socket)\", the \"socket\" of notification centre \"\(name)\", has more than 107 bytes",
                hint: "name a folder nearer to the root"
            )
        }
        return { site throws(CommandError) in
            let stream = CenterStream(
                name: name,
                path: socket,
                journal: site.journalName,
                registry: registry(of: site.apps),
                appFiles: site.apps.flatMap { app in app.center?.files(of: app.topic) ?? [] },
                tokens: site.tokens,
                gates: site.gates,
                calls: site.calls,
                files: site.files,
                views: site.views,
                clock: site.clock,
                logger: site.logger
            )
            return .stream(stream, CenterStream.limits)
        }
    }

    private func registry(of apps: [AppConfiguration]) -> LinkRegistry {
        LinkRegistry(
            owners: [CenterOwner(name: CenterOwner.only)],
            apps: apps.map { configured in
                var app = CenterApp(topic: configured.topic, name: configured.topic)
                app.authorization = authorization
                app.environment = CenterApp.Environment(rawValue: configured.environment.rawValue)
                app.allowsCriticalAlerts = configured.allowsCriticalAlerts
                app.content = configured.contentBundle?.content?.described
                configured.center?.describe(&app)
                return app
            }
        )
    }
}
