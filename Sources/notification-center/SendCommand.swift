// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Foundation
import NIOHTTP1
import NotificationPayload

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Adds a notification of an app: now, or after some seconds.",
        discussion: """
            The app must be allowed to notify. A notification of the same identifier is replaced.

            Example:
              notification-center send --folder ./center com.example.backup "Backup done" --in 5
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The app's topic.")
    var topic: String

    @Argument(help: "The title.")
    var title: String

    @Argument(help: "The text below it.")
    var body: String?

    @Option(help: "The identifier by which a later one replaces it.")
    var id: String?

    @Option(help: "The thread that groups it.")
    var thread: String?

    @Option(help: "The category that names its actions.")
    var category: String?

    @Option(name: .customLong("in"), help: "Seconds until it is shown.")
    var seconds: Double?

    func run() async throws {
        var alert: JSONObject = ["title": .string(title)]
        alert["body"] = body.map(JSON.string)
        var aps: JSONObject = ["alert": .object(alert)]
        aps["thread-id"] = thread.map(JSON.string)
        aps["category"] = category.map(JSON.string)
        var request: JSONObject = [
            "identifier": .string(id ?? UUID().uuidString.lowercased()), "payload": ["aps": .object(aps)],
        ]
        request["trigger"] = seconds.map { ["type": "interval", "seconds": .double($0), "repeats": false] }
        _ = try await CenterClient(folder).call(["call": "add", "request": .object(request)], of: topic)
    }
}

struct RespondCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "respond",
        abstract: "Answers a notification with one of its actions, which closes it; its app hears of it.",
        discussion: "The action is the app's identifier, or \"default\" for a click on the notification itself."
    )

    @OptionGroup var folder: OwnerFolder

    @Argument(help: "The notification's id, as \"list\" shows it.")
    var id: UInt64

    @Argument(help: "The action.")
    var action = "default"

    @Argument(help: "The text of an action that asks for one.")
    var text: String?

    func run() async throws {
        var body: JSONObject = ["action": .string(action)]
        body["text"] = text.map(JSON.string)
        _ = try await CenterClient(folder).ask(.POST, "/v1/notifications/\(id)/responses", body)
    }
}
