// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import HostRuntime
import NotificationPayload
import Store

/// Device tokens of a host, minted and removed while it runs.
struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Mints, lists and removes device tokens.",
        subcommands: [New.self, List.self, Remove.self]
    )

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Makes a device token: what an app calls registering for pushes.",
            discussion: """
                Prints the token and, on a second line, the public key that the app's payloads are sealed to, if it has
                one. A running host takes the token at once.

                Example:
                  extension-host token new --config host.yaml --topic com.example.chat
                  extension-host token new --config host.yaml --topic com.example.chat --owner maria
                """
        )

        @OptionGroup var registry: RegistryOptions

        @Option(help: "The app's bundle identifier.")
        var topic: String

        @Option(help: "development or production; the app's own by default.")
        var environment: PushEnvironment?

        @Option(help: "The owner whose notifications come by the token, as a notification centre serves it.")
        var owner = OwnedApp.onlyOwner

        @Option(help: ArgumentHelp("Register this token in place of a new one.", valueName: "hex"))
        var token: String?

        func validate() throws {
            guard OwnedApp.isOwner(owner) else {
                throw ValidationError(
                    "--owner takes up to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first one a letter or a digit"
                )
            }
        }

        func run() throws {
            let (configuration, shelf) = try registry.openTokens()
            let app = try configuration.app(topic)
            let token = try self.token.map { given throws(CommandError) in try TokenText(given).digits } ?? newToken()
            let publicKey = try app.publicKey()
            try shelf.add(
                RegisteredToken(
                    token: token,
                    topic: topic,
                    environment: environment ?? app.environment,
                    origin: .minted,
                    owner: owner,
                    added: Date()
                )
            )
            var object: JSONObject = ["token": .string(token), "topic": .string(topic)]
            object["environment"] = .string((environment ?? app.environment).rawValue)
            object["owner"] = .string(owner)
            object["public-key"] = publicKey.map(JSON.string)
            registry.print(object, orText: ([token] + [publicKey].compactMap(\.self)).joined(separator: "\n"))
        }

        /// 32 bytes from the kernel.
        private func newToken() -> String {
            SymmetricKey(size: .bits256).withUnsafeBytes { Hexadecimal.encode($0) }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists device tokens, removed ones too: their senders hear of it for 90 days.",
            discussion: """
                A token is named as in the logs, by 8 digits of its SHA-256. Tokens of host.yaml are listed once a host
                has started with them.
                """
        )

        @OptionGroup var registry: RegistryOptions

        @Option(help: "Of one app only.")
        var topic: String?

        @Flag(help: "Show the tokens themselves.")
        var reveal = false

        func run() throws {
            let (_, shelf) = try registry.openTokens()
            try shelf.forEach(of: topic) { token in
                registry.print(token.json(reveal: reveal), orText: token.row(reveal: reveal))
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes a device token: its senders hear 410 from the next second on."
        )

        @OptionGroup var registry: RegistryOptions

        @Argument(help: "The token, or at least 8 digits of its SHA-256, as \"token list\" shows them.")
        var token: String

        func run() throws {
            let (configuration, shelf) = try registry.openTokens()
            let found = try find(on: shelf)
            if !shelf.removesConfigured,
                let app = configuration.apps.first(where: { $0.deviceTokens.contains(found.token) })
            {
                throw CommandError(
                    "token \(found.shortName) stands among the device-tokens of \"\(app.topic)\"",
                    hint: "delete it there, and start the host again"
                )
            }
            guard try shelf.remove(found.token) else {
                throw CommandError("token \(found.shortName) is removed already")
            }
            registry.print(["removed": .string(found.shortName)], orText: "removed \(found.shortName)")
        }

        private func find(on shelf: any TokenShelf) throws(CommandError) -> RegisteredToken {
            let found = try shelf.find(token.lowercased())
            guard found.count < 2 else {
                throw CommandError("more than one token begins like that", hint: "write more digits, or the token")
            }
            guard let found = found.first else {
                throw CommandError(
                    "no such token is known",
                    hint: "\"\(Terminal.program) token list\" shows those that are"
                )
            }
            return found
        }
    }
}

/// A device token as a person writes it.
struct TokenText {
    /// In lower case.
    let digits: String

    init(_ text: String) throws(CommandError) {
        guard (2...200).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2),
            text.utf8.allSatisfy(\.isHexadecimalDigit)
        else { throw CommandError("a device token is 2 to 200 hex digits, an even number of them") }
        digits = text.lowercased()
    }
}

extension RegisteredToken {
    /// SHA-256 in hex, of the digits.
    var hash: String { Hexadecimal.encode(SHA256.hash(data: Data(token.utf8))) }

    /// The token's name in logs.
    var shortName: String { String(hash.prefix(8)) }

    func json(reveal: Bool) -> JSONObject {
        var object: JSONObject = ["name": .string(shortName)]
        if reveal { object["token"] = .string(token) }
        object["topic"] = .string(topic)
        object["environment"] = .string(environment.rawValue)
        object["origin"] = .string("\(origin)")
        object["owner"] = .string(owner)
        object["added"] = added.json
        object["removed"] = removed?.json
        return object
    }

    func row(reveal: Bool) -> String {
        let state = removed.map { "removed \($0.text)" } ?? "active"
        let name = reveal ? "\(shortName)  \(token)" : shortName
        let whose = owner == OwnedApp.onlyOwner ? "" : "  of \(owner)"
        return "\(name)  \(topic)  \(environment.rawValue)  \(origin) \(added.text)  \(state)\(whose)"
    }
}

extension PushEnvironment: ExpressibleByArgument {}

extension AppConfiguration {
    /// Returns the public key that the app's payloads are sealed to, `nse1…`; nil: the app has no key of that kind.
    ///
    /// `seal-payload` derives it from the file of the first key, so that this program reads no private key.
    func publicKey() throws(CommandError) -> String? {
        guard let key = keys.first else { return nil }
        return try SealPayload.run(["keygen", "-y", key]).split(separator: "\n").first.map { String($0) }
    }
}
