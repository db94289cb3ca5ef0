// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import NIOHTTP1
import NotificationPayload

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Dismisses notifications."
    )

    @OptionGroup var folder: CenterFolder

    @Argument(help: "The ids, as \"list\" shows them.")
    var ids: [UInt64]

    func run() async throws {
        for id in ids { _ = try await CenterClient(folder).ask(.DELETE, "/v1/notifications/\(id)") }
    }
}

struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize",
        abstract: "Allows an app to notify, or stops it.",
        discussion: "Without a topic: lists the apps and what they may do."
    )

    @OptionGroup var folder: CenterFolder

    @Argument(help: "The app's topic.")
    var topic: String?

    @Flag(help: "Nothing of the app is shown from now on.")
    var deny = false

    func run() async throws {
        let client = CenterClient(folder)
        guard let topic else {
            for app in try await client.ask(.GET, "/v1/apps")["apps"]?.array ?? [] {
                guard let app = app.object else { continue }
                let line = [app["app"]?.string ?? "", app["status"]?.string ?? ""].map(Terminal.visible)
                try Terminal.print(
                    Terminal.isInteractive
                        ? line.joined(separator: "\t") : String(decoding: app.serialized, as: UTF8.self)
                )
            }
            return
        }
        let segment = topic.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? topic
        let decision: JSONObject = ["decision": .string(deny ? "deny" : "allow")]
        let answer = try await client.ask(.POST, "/v1/apps/\(segment)/authorization", decision)
        try Terminal.print(answer["status"]?.string ?? "")
    }
}
