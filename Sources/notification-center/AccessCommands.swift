// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterAsking
import NIOHTTP1
import NotificationPayload

struct SignInCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-in",
        abstract: "Prints a link that signs a browser in, once and within five minutes."
    )

    @OptionGroup var folder: OwnerFolder

    @Flag(help: "The browser becomes a lock view: it hides what apps' previews hide, and may answer and dismiss.")
    var lock = false

    func run() async throws {
        let code = try await CenterClient(folder).ask(.POST, "/v1/codes", lock ? ["surface": "lock"] : [:])
        try Terminal.print(code["link"]?.string ?? "")
    }
}

struct TokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Makes, lists and removes the tokens by which programs are known.",
        discussion: """
            A token is printed once. Its scopes are read, respond, settings, position, admin, app:TOPIC and
            surface:lock.

            Example:
              notification-center token --folder ./center --new display --scope read
              notification-center token --folder ./center
              notification-center token --folder ./center --remove 9f3c0b5d2e617a48
            """
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "Makes a token for the program of this name.")
    var new: String?

    @Option(help: "With --new: what the program may do; repeatable.")
    var scope: [String] = []

    @Option(help: "With --new: the days after which the token ends; without it it is good until it is removed.")
    var days: UInt16?

    @Option(help: "Removes the token of this id at once.")
    var remove: String?

    func validate() throws {
        guard new == nil || remove == nil else { throw ValidationError("--new and --remove exclude each other") }
        guard (new != nil) == !scope.isEmpty else { throw ValidationError("--new and --scope go together") }
        guard days == nil || new != nil else { throw ValidationError("--days goes with --new") }
    }

    func run() async throws {
        let client = CenterClient(folder)
        if let new {
            var wish: JSONObject = ["name": .string(new), "scopes": .array(scope.map(JSON.string))]
            wish["days"] = days.map { .integer(Int64($0)) }
            return try Terminal.print(try await client.ask(.POST, "/v1/tokens", wish)["token"]?.string ?? "")
        }
        if let remove {
            _ = try await client.ask(.DELETE, "/v1/tokens/\(CenterClient.segment(remove))")
            return
        }
        try Terminal.print(try await client.ask(.GET, "/v1/tokens")["items"]) { CredentialLine($0).text }
    }
}

struct SessionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Lists and ends the sessions of browsers that have signed in."
    )

    @OptionGroup var folder: OwnerFolder

    @Option(help: "Ends the session of this id at once.")
    var end: String?

    func run() async throws {
        let client = CenterClient(folder)
        if let end {
            _ = try await client.ask(.DELETE, "/v1/sessions/\(CenterClient.segment(end))")
            return
        }
        try Terminal.print(try await client.ask(.GET, "/v1/sessions")["items"]) { CredentialLine($0).text }
    }
}

/// A credential as a terminal shows it: id, name, scopes and last use.
private struct CredentialLine {
    let text: String

    init(_ credential: JSONObject) {
        let scopes = credential["scopes"]?.array?.compactMap(\.string).joined(separator: " ") ?? ""
        let (id, name) = (credential["id"]?.string ?? "", credential["name"]?.string ?? "")
        text = [id, name, scopes, credential["used"]?.string ?? "never"].map(Terminal.visible).joined(separator: "\t")
    }
}
