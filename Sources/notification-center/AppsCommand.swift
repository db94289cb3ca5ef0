// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Dispatch
import Foundation
import Glibc
import NIOHTTP1
import NotificationPayload

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "Lists the apps, or removes one for good.",
        discussion: """
            Example:
              notification-center apps --folder ./center
              notification-center apps remove --folder ./center com.example.chat
            """,
        subcommands: [ListAppsCommand.self, RemoveAppCommand.self],
        defaultSubcommand: ListAppsCommand.self
    )
}

struct ListAppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the apps: what each may do, and how many notifications it has in the list.",
        discussion: "On a terminal a line for each; elsewhere one JSON object for each."
    )

    @OptionGroup var folder: OwnerFolder

    func run() async throws {
        try Terminal.print(try await CenterClient(folder).ask(.GET, "/v1/apps")["apps"]) { app in
            let texts = [app["app"]?.string, app["status"]?.string, app["stored"]?.integer.map { "\($0)" }]
            return texts.map { Terminal.visible($0 ?? "") }.joined(separator: "\t")
        }
    }
}

struct RemoveAppCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes an app with all that is kept of it, for good.",
        discussion: """
            Its notifications, history, files, requests, categories, settings and badge go, and its device token is \
            good no longer. An app that host.yaml names, or that asks again, comes back as one that was never there.

            Example:
              notification-center apps remove --folder ./center com.example.chat
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The app's topic.")
    var topic: String

    @Flag(help: "Removes it without a question, which only a person at a terminal can answer.")
    var yes = false

    func run() async throws {
        let client = CenterClient(folder)
        let apps = try await client.ask(.GET, "/v1/apps")["apps"]?.array ?? []
        guard let app = apps.compactMap(\.object).first(where: { $0["app"]?.string == topic }) else {
            throw Failure("there is no app \"\(topic)\"", hint: "\"notification-center apps\" lists them")
        }
        if !yes { try await confirm(app) }
        _ = try await client.ask(.DELETE, "/v1/apps/\(CenterClient.segment(topic))")
    }

    private func confirm(_ app: JSONObject) async throws(Failure) {
        guard isatty(STDIN_FILENO) == 1 else {
            throw Failure("nobody is here to confirm that \"\(topic)\" is to be removed", hint: "add --yes")
        }
        let count = app["stored"]?.integer ?? 0
        let things = "\(count) \(count == 1 ? "notification" : "notifications") in the list"
        let question = "remove \"\(topic)\" for good, with \(things) and everything else that is kept of it? [y/N] "
        FileHandle.standardError.write(Data("notification-center: \(Terminal.visible(question))".utf8))
        // The thread that waits for a person is none of those that tasks share.
        let answer = await withCheckedContinuation { said in
            DispatchQueue.global().async { said.resume(returning: readLine() ?? "") }
        }
        guard ["y", "yes"].contains(answer.lowercased()) else { throw Failure("\"\(topic)\" was not removed") }
    }
}
