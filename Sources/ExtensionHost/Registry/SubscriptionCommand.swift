// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Crypto
import Foundation
import HostRuntime
import Ingress
import NotificationPayload
import Store

/// Endpoints of Web Push, made and removed while a host runs.
struct SubscriptionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscription",
        abstract: "Makes, lists and removes endpoints of Web Push.",
        subcommands: [New.self, List.self, Remove.self]
    )

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Makes an endpoint and prints it, once: only its hash is kept.",
            discussion: """
                A sender needs p256dh and auth besides, which "seal-payload keygen --format web-push" told of the app's
                key. A running host takes pushes to the endpoint at once.

                Example:
                  extension-host subscription new --config host.yaml --topic com.example.chat
                """
        )

        @OptionGroup var registry: RegistryOptions

        @Option(help: "The app's bundle identifier.")
        var topic: String

        @Option(help: ArgumentHelp("The one sender that may push, by its public key.", valueName: "base64url"))
        var vapidKey: String?

        @Option(help: ArgumentHelp("Where senders reach the host; by default as host.yaml says.", valueName: "url"))
        var origin: String?

        func run() throws {
            let (configuration, file) = try registry.open()
            let app = try configuration.app(topic)
            guard app.accept.contains(.webPush) else {
                throw CommandError(
                    "app \"\(topic)\" takes no Web Push",
                    hint: "write \"accept: [web-push]\" and a key of that format"
                )
            }
            let senderKey = try vapidKey.map { text throws(CommandError) in try Self.senderKey(text) }
            let origin = try namedOrigin ?? configuration.webPush?.origin
            guard let origin else {
                throw CommandError(
                    "\(registry.config) has no \"web-push\" to listen for, so nobody could send to an endpoint",
                    hint: "write \"web-push: { public-origin: https://push.example.com }\" under \"listen\""
                )
            }
            let capability = Capability()
            try file.add(
                RegisteredSubscription(
                    token: capability.hash,
                    subscription: WebPushSubscription(topic: topic, senderKey: senderKey),
                    added: Date()
                )
            )
            let endpoint = origin.endpoint(for: capability.text)
            registry.print(
                [
                    "endpoint": .string(endpoint), "topic": .string(topic),
                    "name": .string(String(capability.hash.prefix(8))),
                ],
                orText: endpoint
            )
        }

        private var namedOrigin: WebPushOrigin? {
            get throws {
                guard let origin else { return nil }
                guard let named = WebPushOrigin(origin) else {
                    throw CommandError(
                        "\"\(origin)\" is no origin",
                        hint: "write what senders reach, without a path: https://push.example.com"
                    )
                }
                return named
            }
        }

        /// An uncompressed point of P-256, as browsers take it for `applicationServerKey`.
        private static func senderKey(_ text: String) throws(CommandError) -> [UInt8] {
            // Tools write it in either alphabet, with as much padding as they like.
            let digits = text.utf8.filter { $0 != UInt8(ascii: "=") }
            guard let bytes = Base64.lenient.ignoringTrailingBits.decode(digits), bytes.count == 65, bytes.first == 4,
                (try? P256.Signing.PublicKey(x963Representation: bytes)) != nil
            else { throw CommandError("the VAPID key is no point of P-256: 65 bytes in base64url, 87 characters") }
            return bytes
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Lists endpoints by 8 digits of their hash, removed ones too."
        )

        @OptionGroup var registry: RegistryOptions

        @Option(help: "Of one app only.")
        var topic: String?

        func run() throws {
            let (_, file) = try registry.open()
            for entry in try file.subscriptions(of: topic, now: Date()) {
                var object: JSONObject = ["name": .string(entry.shortName), "topic": .string(entry.subscription.topic)]
                object["vapid"] = .bool(entry.subscription.senderKey != nil)
                object["added"] = entry.added.json
                object["removed"] = entry.removed?.json
                let state = entry.removed.map { "removed \($0.text)" } ?? "active"
                let sender = entry.subscription.senderKey == nil ? "any sender" : "one sender"
                registry.print(
                    object,
                    orText: "\(entry.shortName)  \(entry.subscription.topic)  \(sender)  \(entry.added.text)  \(state)"
                )
            }
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Removes an endpoint: its senders hear 410 from the next second on."
        )

        @OptionGroup var registry: RegistryOptions

        @Argument(help: "The endpoint, or at least 8 digits of its hash, as \"subscription list\" shows them.")
        var subscription: String

        func run() throws {
            let (_, file) = try registry.open()
            let last = subscription.split(separator: "/").last.map { String($0) } ?? ""
            let name = last.utf8.count == Capability.length ? Capability(text: last).hash : last.lowercased()
            let found =
                name.utf8.count < 8 ? [] : try file.subscriptions(now: Date()).filter { $0.token.hasPrefix(name) }
            guard let entry = found.first else {
                throw CommandError(
                    "no such subscription is known",
                    hint: "\"\(Terminal.program) subscription list\" shows those that are"
                )
            }
            guard found.count == 1 else {
                throw CommandError("more than one subscription begins like that", hint: "write more digits")
            }
            guard try file.removeSubscription(entry.token, at: Date()) else {
                throw CommandError("subscription \(entry.shortName) is removed already")
            }
            registry.print(["removed": .string(entry.shortName)], orText: "removed \(entry.shortName)")
        }
    }
}

/// The end of an endpoint, which nobody can guess: 20 random bytes in base64url.
struct Capability {
    static let length = 27

    let text: String

    init() {
        text = SymmetricKey(size: .init(bitCount: 160)).withUnsafeBytes { Base64.url.encode($0) }
    }

    init(text: String) {
        self.text = text
    }

    /// SHA-256 of the text, in hex: all that is kept of it.
    var hash: String { Hexadecimal.encode(SHA256.hash(data: Data(text.utf8))) }
}

extension RegisteredSubscription {
    var shortName: String { String(token.prefix(8)) }
}
