// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import NIOHTTP1
import NotificationPayload

struct ListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Shows the stacks of notifications, the newest first.",
        discussion: "On a terminal a line for each stack; elsewhere one JSON object for each."
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "The number of stacks, 1 to 200.")
    var limit = 50

    @Option(help: "The topic of an app; without it the stacks are those of all.")
    var app: String?

    func run() async throws {
        let topic = app.map { "&app=" + CenterClient.segment($0) } ?? ""
        let front = try await CenterClient(folder).ask(.GET, "/v1/front?limit=\(limit)\(topic)")
        for stack in front["stacks"]?.array ?? [] {
            guard let stack = stack.object else { continue }
            if Terminal.isInteractive {
                for line in StackLines(stack).lines { try Terminal.print(line) }
            } else {
                try Terminal.print(String(decoding: stack.serialized, as: UTF8.self))
            }
        }
    }
}

struct ShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Shows one notification whole, as JSON."
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The notification's id, as \"list\" shows it.")
    var id: UInt64

    func run() async throws {
        let notification = try await CenterClient(folder).ask(
            .GET,
            "/v1/notifications/\(id)",
            about: "notification \(id)",
            listedBy: "list"
        )
        try Terminal.print(notification)
    }
}
