// SPDX-License-Identifier: Apache-2.0

import AdminPort
import ArgumentParser
import Foundation
import NotificationPayload

struct StatusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells how a running host is doing.",
        discussion: """
            Asks the admin port that the configuration names. Exit status 1 when the host is not ready, or not there.

            Example:
              extension-host status --config host.yaml
            """
    )

    @Option(help: "The configuration of the running host.")
    var config: String

    @Flag(help: "One JSON object, as /status answers it.")
    var json = false

    func run() throws {
        guard let admin = try HostConfiguration(file: config).admin else {
            throw CommandError(
                "\"\(config)\" names no admin port",
                hint: "add \"admin: { socket: ./state/admin.sock }\""
            )
        }
        let client = try admin.client()
        let answer: AdminClient.Answer
        do { answer = try client.get("/status") } catch { throw CommandError(error) }
        guard answer.status == 200, let object = try? JSONObject(parsing: Array(answer.body.utf8).span) else {
            let reason = answer.status == 401 ? "it knows another token" : "it answered with status \(answer.status)"
            throw CommandError("the host tells nothing: \(reason)", hint: "is it this configuration's")
        }
        print(json ? answer.body : StatusText(object).text, terminator: "")
        if object["state"]?.string != "ready" { throw ExitCode.refused }
    }
}

/// A host's status for people.
struct StatusText {
    private let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// Lines, each with its end.
    var text: String {
        var rows = [("host", host), ("backlog", backlog), ("journal", journal)]
        for outbox in (object["outboxes"]?.array ?? []).compactMap(\.object) {
            rows.append(("outbox \(outbox["sink"]?.string ?? "")", Self.outbox(outbox)))
        }
        rows.append(("connections", Self.list(object["connections"]?.object)))
        rows.append(("workers", Self.list(object["workers"]?.object)))
        for app in object["apps"]?.object?.members ?? [] {
            rows.append(("app \(app.key)", Self.list(app.value.object)))
        }
        let width = rows.map(\.0.count).max() ?? 0
        return rows.map { name, detail in
            "\(name.padding(toLength: width, withPad: " ", startingAt: 0))  \(detail)\n"
        }.joined()
    }

    private var host: String {
        let kept = object["keepsState"]?.bool == true ? "" : ", nothing outlives the process"
        return "\(object["state"]?.string ?? "unknown"), up \(number(object["uptimeSeconds"])) s\(kept)"
    }

    private var backlog: String {
        let backlog = object["backlog"]?.object
        let oldest = Double(number(backlog?["oldestMilliseconds"])) / 1000
        return "pushes \(number(backlog?["pushes"])), bytes \(number(backlog?["bytes"])), oldest \(oldest) s"
    }

    private var journal: String {
        let journal = object["journal"]?.object
        return "bytes \(number(journal?["bytes"])), synchronous \(number(journal?["synchronous"]))"
    }

    private static func outbox(_ outbox: JSONObject) -> String {
        let numbers = ["records": "records", "inFlight": "under way", "deadLetters": "dead letters"]
        return ["records", "inFlight", "deadLetters"].map { key in
            "\(numbers[key] ?? key) \(outbox[key]?.integer ?? 0)"
        }.joined(separator: ", ")
    }

    private static func list(_ object: JSONObject?) -> String {
        let amounts = (object?.members ?? []).map { "\($0.key) \($0.value.integer ?? 0)" }
        return amounts.isEmpty ? "none" : amounts.joined(separator: ", ")
    }

    private func number(_ json: JSON?) -> Int64 { json?.integer ?? 0 }
}
