// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Logging
import Sinks
import Yams

extension HostConfiguration {
    enum SinkKind: Equatable {
        case stdout
        case file(RecordFile)
        case webhook(Webhook)
    }

    struct RecordFile: Equatable {
        var name: String
        var path: String
        var synchronises: Bool
    }

    struct Webhook: Equatable {
        /// Records wait under it across restarts.
        var name: String
        var url: String
        var secretFile: String
        /// Nil: all.
        var topics: [String]?
        var timeout: Duration
        var concurrency: Int
        var authoritiesFile: String?
        /// Its 410 speaks of a device, not of this sink alone.
        var removesTokens: Bool

        func takes(topic: String) -> Bool {
            topics?.contains(topic) ?? true
        }
    }

    var webhooks: [Webhook] {
        sinks.compactMap { if case .webhook(let webhook) = $0 { webhook } else { nil } }
    }

    // MARK: making them

    /// Reads the webhooks' secrets and certificates: call it before the host is confined.
    func webhookConfigurations() throws(CommandError) -> [WebhookConfiguration] {
        var configurations: [WebhookConfiguration] = []
        for webhook in webhooks {
            let secret: WebhookSecret
            do { secret = try WebhookSecret(file: webhook.secretFile) } catch {
                throw CommandError(secretOf: webhook, error)
            }
            configurations.append(
                WebhookConfiguration(
                    name: webhook.name,
                    url: webhook.url,
                    secret: secret,
                    timeout: webhook.timeout,
                    concurrency: webhook.concurrency,
                    authorities: try webhook.authorities()
                )
            )
        }
        return configurations
    }

    /// The sinks that have a record before its push is concluded; call it once the host is confined.
    func localSinks(clock: HostClock, logger: Logger) throws(CommandError) -> [any Sink] {
        var local: [any Sink] = []
        for sink in sinks {
            switch sink {
            case .stdout: local.append(StdoutSink())
            case .file(let file):
                do {
                    local.append(
                        try FileSink(
                            name: file.name,
                            path: file.path,
                            synchronises: file.synchronises,
                            clock: clock,
                            logger: logger
                        )
                    )
                } catch {
                    throw CommandError("\(error.message): \"\(file.path)\"", hint: "its folder must be there")
                }
            case .webhook: break
            }
        }
        return local
    }

    // MARK: reading

    static func sinks(_ top: YAMLMapping) throws(CommandError) -> [SinkKind] {
        guard let node = top.node("sinks") else { return [.stdout] }
        guard let nodes = node.sequence, !nodes.isEmpty else {
            throw top.error("sinks", "must be a list of at least one sink")
        }
        var sinks: [SinkKind] = []
        for node in nodes {
            let sink = try sink(node, of: top)
            guard !sinks.contains(where: { $0.name == sink.name }) else {
                throw top.error("sinks", "name \"\(sink.name)\" twice", hint: "give each a name of its own")
            }
            sinks.append(sink)
        }
        return sinks
    }

    private static func sink(_ node: Node, of top: YAMLMapping) throws(CommandError) -> SinkKind {
        if let name = node.scalar?.string {
            guard name == "stdout" else {
                throw top.error(
                    "sinks",
                    "name the unknown sink \"\(name)\"",
                    hint: "known sinks are stdout, file: { path: … } and webhook: { name: …, url: …, secret-file: … }"
                )
            }
            return .stdout
        }
        let sink = try YAMLMapping(node, file: top.file, name: "a sink", keys: ["file", "webhook"])
        switch (sink.node("file"), sink.node("webhook")) {
        case (let file?, nil): return .file(try recordFile(file, top.file))
        case (nil, let webhook?): return .webhook(try Self.webhook(webhook, top.file))
        default: throw top.error("sinks", "want one kind for each", hint: "begin each with a dash")
        }
    }

    private static func recordFile(_ node: Node, _ file: String) throws(CommandError) -> RecordFile {
        let mapping = try YAMLMapping(node, file: file, name: "a file sink", keys: ["name", "path", "sync"])
        guard let path = try mapping.path("path") else { throw mapping.error("path", "is missing") }
        return RecordFile(
            name: try mapping.sinkName() ?? "file",
            path: path,
            synchronises: try mapping.bool("sync") ?? true
        )
    }

    private static func webhook(_ node: Node, _ file: String) throws(CommandError) -> Webhook {
        let keys = ["name", "url", "secret-file", "topics", "timeout", "concurrency", "ca", "removes-tokens"]
        let mapping = try YAMLMapping(node, file: file, name: "a webhook", keys: keys)
        guard let name = try mapping.sinkName() else { throw mapping.error("name", "is missing") }
        guard let secret = try mapping.path("secret-file") else {
            throw mapping.error(
                "secret-file",
                "is missing",
                hint: "openssl rand -hex 32 > hook.secret; chmod 600 hook.secret"
            )
        }
        let timeout = try mapping.duration("timeout") ?? .seconds(10)
        guard timeout <= .seconds(120) else { throw mapping.error("timeout", "must be two minutes or less") }
        return Webhook(
            name: name,
            url: try mapping.webhookURL(),
            secretFile: secret,
            topics: try mapping.strings("topics"),
            timeout: timeout,
            concurrency: try mapping.integer("concurrency", in: 1...64) ?? 8,
            authoritiesFile: try mapping.path("ca"),
            removesTokens: try mapping.bool("removes-tokens") ?? true
        )
    }
}

extension HostConfiguration.SinkKind {
    var name: String {
        switch self {
        case .stdout: "stdout"
        case .file(let file): file.name
        case .webhook(let webhook): webhook.name
        }
    }
}

extension HostConfiguration.Webhook {
    fileprivate func authorities() throws(CommandError) -> [UInt8]? {
        guard let authoritiesFile else { return nil }
        guard let data = FileManager.default.contents(atPath: authoritiesFile) else {
            throw CommandError("\"\(authoritiesFile)\", the \"ca\" of webhook \"\(name)\", is not readable")
        }
        return Array(data)
    }
}

extension YAMLMapping {
    /// What labels, logs and tables can carry.
    fileprivate func sinkName() throws(CommandError) -> String? {
        guard let name = try string("name") else { return nil }
        let known = Set("abcdefghijklmnopqrstuvwxyz0123456789-")
        guard name.count <= 64, name.allSatisfy(known.contains) else {
            throw error("name", "must be at most 64 of a-z, 0-9 and -")
        }
        return name
    }

    /// A record holds what was sealed: it leaves this machine encrypted or not at all.
    fileprivate func webhookURL() throws(CommandError) -> String {
        let text = try requiredString("url")
        guard let url = URLComponents(string: text), let host = url.host, !host.isEmpty, url.fragment == nil,
            url.user == nil, url.password == nil, url.scheme == "https" || url.scheme == "http"
        else { throw error("url", "is no https: address", hint: "write https://host/path, without a user") }
        guard url.scheme == "https" || ["127.0.0.1", "[::1]", "::1", "localhost"].contains(host) else {
            throw error(
                "url",
                "is not encrypted",
                hint: "records hold opened texts: write https:, or a loopback address"
            )
        }
        return text
    }
}

extension CommandError {
    fileprivate init(secretOf webhook: HostConfiguration.Webhook, _ refusal: WebhookSecret.Refusal) {
        let file = "secret file \"\(webhook.secretFile)\" of webhook \"\(webhook.name)\""
        switch refusal {
        case .unreadable(let code): self.init("\(file) is not readable: \(String(cString: strerror(code)))")
        case .notAFile: self.init("\(file) is no regular file")
        case .openToOthers: self.init("\(file) is open to other users", hint: "chmod 600 \(webhook.secretFile)")
        case .foreignOwner: self.init("\(file) belongs to another user", hint: "chown it to the user of the host")
        case .wrongSize(let count):
            self.init(
                "\(file) holds \(count) bytes, expected 16 to 1024",
                hint: "openssl rand -hex 32 > \(webhook.secretFile)"
            )
        }
    }
}
