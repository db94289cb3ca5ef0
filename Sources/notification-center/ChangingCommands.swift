// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Foundation
import NIOHTTP1
import NotificationPayload

struct RemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Dismisses notifications: some, a stack, those of an app, or all.",
        discussion: """
            What is dismissed lies in the history for a day, from which "history --restore" brings it back. With
            --up-to what came after that id stays.

            Example:
              notification-center remove --folder ./center 4711
              notification-center remove --folder ./center --stack 9f3c0b5d2e617a48
              notification-center remove --folder ./center --all --app com.example.chat
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The ids, as \"list\" shows them.")
    var ids: [UInt64] = []

    @Option(help: "The id of a stack, as \"list\" shows it in a pipe.")
    var stack: String?

    @Flag(help: "Everything in the list.")
    var all = false

    @Option(help: "With --all: only what is of this app.")
    var app: String?

    @Option(help: "With --stack or --all: the last id that is dismissed.")
    var upTo: UInt64?

    func validate() throws {
        guard [!ids.isEmpty, stack != nil, all].count(where: \.self) == 1 else {
            throw ValidationError("name ids, a --stack, or --all")
        }
        guard app == nil || all else { throw ValidationError("--app goes with --all") }
        guard upTo == nil || ids.isEmpty else { throw ValidationError("--up-to goes with --stack or --all") }
    }

    func run() async throws {
        let client = CenterClient(folder)
        for id in ids {
            let target = "/v1/notifications/\(id)"
            _ = try await client.ask(.DELETE, target, about: "notification \(id)", listedBy: "list")
        }
        let end = upTo.map { ["upTo=\($0)"] } ?? []
        if let stack {
            let query = Self.query(end)
            let target = "/v1/stacks/\(CenterClient.segment(stack))" + query
            _ = try await client.ask(.DELETE, target, about: "stack \"\(stack)\"", listedBy: "list")
        }
        if all {
            let query = Self.query((app.map { ["app=" + CenterClient.segment($0)] } ?? []) + end)
            _ = try await client.ask(.DELETE, "/v1/notifications" + query)
        }
    }

    private static func query(_ pairs: [String]) -> String {
        pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&")
    }
}

struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
        abstract: "Shows what was dismissed or answered within a day, brings it back, or forgets it.",
        discussion: "On a terminal a line for each; elsewhere one JSON object for each."
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "Brings the notification of this id back into the list, and prints its new id.")
    var restore: UInt64?

    @Flag(help: "Deletes everything in the history for good.")
    var clear = false

    @Option(help: "With --clear: the last id that is deleted.")
    var upTo: UInt64?

    @Option(help: "The number of notifications, 1 to 200.")
    var limit = 50

    func validate() throws {
        guard restore == nil || !clear else { throw ValidationError("--restore and --clear exclude each other") }
        guard upTo == nil || clear else { throw ValidationError("--up-to goes with --clear") }
    }

    func run() async throws {
        let client = CenterClient(folder)
        if let restore {
            let target = "/v1/history/\(restore)/restore"
            let what = "notification \(restore) in the history"
            let restored = try await client.ask(.POST, target, [:], about: what, listedBy: "history")
            return try Terminal.print(restored["id"]?.string ?? "")
        }
        if clear {
            _ = try await client.ask(.DELETE, "/v1/history" + (upTo.map { "?upTo=\($0)" } ?? ""))
            return
        }
        let items = try await client.ask(.GET, "/v1/history?limit=\(limit)")["items"]
        try Terminal.print(items) { NotificationLine($0).text }
    }
}

struct AuthorizeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize",
        abstract: "Allows an app to notify, or stops it.",
        discussion: "Without a topic: lists the apps and what they may do."
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The app's topic.")
    var topic: String?

    @Flag(help: "Nothing of the app is shown from now on.")
    var deny = false

    func run() async throws {
        let client = CenterClient(folder)
        guard let topic else {
            try Terminal.print(try await client.ask(.GET, "/v1/apps")["apps"]) { app in
                [app["app"]?.string ?? "", app["status"]?.string ?? ""].map(Terminal.visible).joined(separator: "\t")
            }
            return
        }
        let decision: JSONObject = ["decision": .string(deny ? "deny" : "allow")]
        let target = "/v1/apps/\(CenterClient.segment(topic))/authorization"
        let what = "app \"\(topic)\" that has asked, or that a host knows"
        let answer = try await client.ask(.POST, target, decision, about: what, listedBy: "authorize")
        try Terminal.print(answer["status"]?.string ?? "")
    }
}
