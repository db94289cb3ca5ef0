// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Sinks

/// A webhook of host.yaml.
struct ConfiguredWebhook: RemoteSinkDescription {
    static let key = "webhook"
    static let messageName = "a webhook"
    static let sentence = "An address to which signed records are sent in the background, at least once."

    /// Records wait under this name across restarts.
    var name = ""
    var url = ""
    var secretFile = ""
    /// `nil` means all.
    var topics: [String]?
    var timeout = Duration.seconds(10)
    var concurrency = 8
    var authoritiesFile: String?
    /// True if an answer 410 removes the device token for every sink; otherwise it concerns this sink alone.
    var removesTokens = true

    /// Each request has a connection; two more may be on their way to be closed.
    var connectionCount: Int { concurrency + 2 }

    func takes(topic: String) -> Bool {
        topics?.contains(topic) ?? true
    }

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "name",
            .sinkName,
            \.name,
            "The name under which records wait across restarts.",
            required: true,
            example: "matrix"
        )
        ConfigurationRow(
            "url",
            address,
            \.url,
            "The address that takes records, `https:`; `http:` goes to this machine alone.",
            required: true,
            example: "https://bot.example.com/records"
        )
        ConfigurationRow(
            "secret-file",
            .path,
            \.secretFile,
            "The file with the secret that signs records: 16 bytes or more, mode 0600.",
            required: true,
            missing: "openssl rand -hex 32 > hook.secret; chmod 600 hook.secret",
            example: "hook.secret"
        )
        ConfigurationRow(
            "topics",
            .topics,
            \.topics,
            "The topics whose records are sent.",
            standard: "all",
            example: "[com.example.chat]"
        )
        ConfigurationRow(
            "timeout",
            .duration.checked("duration, at most `2m`") { timeout, place throws(ConfigurationFaults) in
                guard timeout <= .seconds(120) else { throw place.fault("must be two minutes or less") }
            },
            \.timeout,
            "How long one request may take."
        )
        ConfigurationRow(
            "concurrency",
            .integer(1...64),
            \.concurrency,
            "How many requests are under way at once.",
            example: "16"
        )
        ConfigurationRow(
            "ca",
            .path,
            \.authoritiesFile,
            "The authorities that may vouch for the address, in PEM.",
            standard: "the system's",
            example: "bot-ca.pem"
        )
        ConfigurationRow(
            "removes-tokens",
            .flag,
            \.removesTokens,
            "Whether an answer 410 removes the device token, for every sink.",
            example: "false"
        )
    }

    func prepare() throws(CommandError) -> RemoteSinkMaker {
        let configuration = try configuration()
        return { site throws(CommandError) in
            do throws(SinkError) {
                return .sink(try WebhookSink(configuration))
            } catch {
                throw CommandError(error.message)
            }
        }
    }

    private func configuration() throws(CommandError) -> WebhookConfiguration {
        let secret: WebhookSecret
        do { secret = try WebhookSecret(file: secretFile) } catch { throw error.commandError(on: self) }
        return WebhookConfiguration(
            name: name,
            url: url,
            secret: secret,
            timeout: timeout,
            concurrency: concurrency,
            authorities: try authorities()
        )
    }

    private func authorities() throws(CommandError) -> [UInt8]? {
        guard let authoritiesFile else { return nil }
        guard let data = FileManager.default.contents(atPath: authoritiesFile) else {
            throw CommandError("\"\(authoritiesFile)\", the \"ca\" of webhook \"\(name)\", is not readable")
        }
        return Array(data)
    }
}

extension ConfiguredWebhook {
    /// A record holds what was sealed: it leaves this machine encrypted or not at all.
    private static var address: ConfigurationType<String> {
        .text.checked("address") { text, place throws(ConfigurationFaults) in
            guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.fragment == nil,
                url.user == nil, url.password == nil, url.scheme == "https" || url.scheme == "http"
            else { throw place.fault("is no https: address", hint: "write https://host/path, without a user") }
            guard url.scheme == "https" || ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host) else {
                throw place.fault(
                    "is not encrypted",
                    hint: "records hold opened texts: write https:, or a loopback address"
                )
            }
        }
    }
}

extension WebhookSecret.Refusal {
    fileprivate func commandError(on webhook: ConfiguredWebhook) -> CommandError {
        let file = "secret file \"\(webhook.secretFile)\" of webhook \"\(webhook.name)\""
        return switch self {
        case .unreadable(let code): CommandError("\(file) is not readable: \(String(cString: strerror(code)))")
        case .notAFile: CommandError("\(file) is no regular file")
        case .openToOthers: CommandError("\(file) is open to other users", hint: "chmod 600 \(webhook.secretFile)")
        case .foreignOwner: CommandError("\(file) belongs to another user", hint: "chown it to the user of the host")
        case .wrongSize(let count):
            CommandError(
                "\(file) holds \(count) bytes, expected 16 to 1024",
                hint: "openssl rand -hex 32 > \(webhook.secretFile)"
            )
        }
    }
}
