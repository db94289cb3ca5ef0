// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import Foundation
import NIOCore
import NIOHTTP1
import NotificationPayload

struct SendCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Adds a notification of an app: now, or after some seconds.",
        discussion: """
            The app must be allowed to notify: with --ask it asks for that first, and waits until somebody decides. A \
            notification of the same identifier is replaced.

            Example:
              notification-center send --folder ./center --ask com.example.backup "Backup done" --in 5
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

    @Flag(help: "Asks the owner first whether the app may notify, unless that is decided, and waits.")
    var ask = false

    /// The longest time for one answer to the question: the centre gives one after 30 s, decided or not.
    private static let patience = TimeAmount.seconds(40)

    func run() async throws {
        let client = CenterClient(folder)
        if ask { try await askOwner(client) }
        var alert: JSONObject = ["title": .string(title)]
        alert["body"] = body.map(JSON.string)
        var aps: JSONObject = ["alert": .object(alert)]
        aps["thread-id"] = thread.map(JSON.string)
        aps["category"] = category.map(JSON.string)
        var request: JSONObject = [
            "identifier": .string(id ?? UUID().uuidString.lowercased()), "payload": ["aps": .object(aps)],
        ]
        request["trigger"] = seconds.map { ["type": "interval", "seconds": .double($0), "repeats": false] }
        do {
            _ = try await client.call(["call": "add", "request": .object(request)], of: topic)
        } catch let failure as Failure where failure.reason == "notAllowed" {
            throw Failure(
                "\(failure.message): \"\(topic)\"",
                hint: "\"notification-center send --ask\" asks first, "
                    + "\"notification-center authorize\" allows an app that asked"
            )
        }
    }

    private func askOwner(_ client: CenterClient) async throws {
        let question: JSONObject = ["call": "authorize", "options": ["alert", "sound", "badge"]]
        let apps = try await client.ask(.GET, "/v1/apps")["apps"]?.array ?? []
        let known = apps.compactMap(\.object).first { $0["app"]?.string == topic }
        let isDecided = !["notDetermined", nil].contains(known?["status"]?.string)
        if !isDecided {
            Terminal.say("\(topic) may notify once \"notification-center authorize\" or the page allows it")
        }
        while true {
            let answer = try await client.call(question, of: topic, patience: Self.patience)
            // The owner is asked again while nothing is decided.
            guard let isGranted = answer["granted"]?.bool else { continue }
            guard !isGranted else { return }
            throw Failure(
                "the owner does not allow \"\(topic)\" to notify",
                hint: "\"notification-center authorize \(topic)\" allows it"
            )
        }
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
        let target = "/v1/notifications/\(id)/responses"
        do {
            _ = try await CenterClient(folder)
                .ask(.POST, target, body, about: "notification \(id)", listedBy: "list")
        } catch let failure as Failure where failure.reason == "unknownAction" {
            throw Failure(
                "notification \(id) has no action \"\(action)\"",
                hint: "\"notification-center show \(id)\" shows its actions; \"default\" is a click on the notification"
            )
        }
    }
}
