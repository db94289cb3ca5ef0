// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import WorkerSupervisor
import Yams

extension HostConfiguration {
    /// Reads host.yaml and the bundles it names; the first thing that is wrong is the error, with file and line.
    init(file: String) throws(CommandError) {
        let (document, root) = try ConfigurationDocument.read(file)
        let top = try Self.top(root, of: file)
        self.init(
            apps: [],
            sinks: try Self.sinks(top),
            stateFolder: try top.string("state") == "none" ? nil : try top.path("state")
        )
        self.document = document
        requiredProfile = try Self.requiredProfile(top)
        admin = try Self.admin(top)
        try readListeners(top)
        apps = try Self.apps(top, environment: environment)
    }

    /// Of an app that says nothing: it is where its senders are.
    var environment: PushEnvironment { apns?.environment ?? .development }

    /// Reads what host.yaml says of its listener for APNs, and nothing else.
    static func apns(of top: YAMLMapping) throws(CommandError) -> APNs? {
        guard let listen = try listeners(top) else { return nil }
        return try listen.node("apns").map { node throws(CommandError) in try apns(node, file: top.file) }
    }

    /// Reads what host.yaml says of Web Push, and nothing else.
    static func webPush(of top: YAMLMapping) throws(CommandError) -> WebPush? {
        guard let listen = try listeners(top) else { return nil }
        return try listen.node("web-push").map { node throws(CommandError) in try webPush(node, file: top.file) }
    }

    /// The keys of the file; one that nobody knows is an error.
    static func top(_ root: Node, of file: String) throws(CommandError) -> YAMLMapping {
        try YAMLMapping(root, file: file, name: "the file", keys: topKeys)
    }

    private static let topKeys = ["listen", "state", "apps", "sinks", "sandbox", "admin"]

    private static func requiredProfile(_ top: YAMLMapping) throws(CommandError) -> SandboxProfile? {
        guard let node = top.node("sandbox") else { return nil }
        let sandbox = try YAMLMapping(node, file: top.file, name: "sandbox", keys: ["require"])
        return try sandbox.choice("require", of: SandboxProfile.self)
    }

    // MARK: listen

    private static func listeners(_ top: YAMLMapping) throws(CommandError) -> YAMLMapping? {
        guard let node = top.node("listen") else { return nil }
        return try YAMLMapping(node, file: top.file, name: "listen", keys: ["apns", "web-push", "ndjson"])
    }

    private mutating func readListeners(_ top: YAMLMapping) throws(CommandError) {
        guard let listen = try Self.listeners(top) else { throw top.error("listen", "is missing") }
        if let node = listen.node("apns") { apns = try Self.apns(node, file: top.file) }
        if let node = listen.node("ndjson") {
            let ndjson = try YAMLMapping(node, file: top.file, name: "ndjson", keys: ["stdin", "socket", "users"])
            readsStandardInput = try ndjson.bool("stdin") ?? false
            socket = try Self.socket(ndjson)
        }
        if let node = listen.node("web-push") { webPush = try Self.webPush(node, file: top.file) }
        try checkWebPush(listen)
        guard apns != nil || webPush != nil || readsStandardInput || socket != nil else {
            throw top.error("listen", "names no ingress")
        }
    }

    // MARK: apps

    private static func apps(_ top: YAMLMapping, environment: PushEnvironment) throws(CommandError) -> [App] {
        // Commands may add all of them.
        if top.node("apps") == nil, let state = top.node("state"), state.string != "none" { return [] }
        guard let nodes = top.node("apps")?.sequence, !nodes.isEmpty else {
            throw top.error("apps", "must be a list of at least one app")
        }
        var apps: [App] = []
        var topics: Set<String> = []
        for node in nodes {
            let app = try app(node, file: top.file, environment: environment)
            guard topics.insert(app.topic).inserted else {
                throw top.error("apps", "name the topic \"\(app.topic)\" twice")
            }
            apps.append(app)
        }
        return apps
    }

    private static let appKeys = [
        "topic", "device-tokens", "extension", "keys", "accept", "senders", "require-sender", "keep-clear",
        "critical-alerts", "budget", "grace", "wait", "workers", "memory", "scratch", "storage", "isolation",
        "environment", "push-types", "view", "interpreter", "strings", "language", "web-push",
    ]

    /// Reads one app; `environment` is what holds where it says none.
    static func app(_ node: Node, file: String, environment: PushEnvironment) throws(CommandError) -> App {
        let topic = node.mapping?["topic"]?.scalar?.string
        let name = topic.map { "app \"\($0)\"" } ?? "an app"
        let mapping = try YAMLMapping(node, file: file, name: name, keys: appKeys)
        var app = App(topic: try mapping.requiredString("topic"))
        guard (1...255).contains(app.topic.utf8.count) else { throw mapping.error("topic", "must have 1 to 255 bytes") }
        app.deviceTokens = try deviceTokens(mapping)
        if let path = try mapping.path("extension") {
            do {
                app.bundle = try ExtensionBundle(path: path, app: app.topic)
                try WritersOfBundle.own.check(path)
            } catch {
                throw mapping.error("extension", "is not usable: \(error.message)", hint: error.hint)
            }
        }
        app.keys = try mapping.paths("keys") ?? []
        app.accept = try mapping.strings("accept") ?? App.defaultFormats
        for format in app.accept where !App.knownFormats.contains(format) {
            throw mapping.error(
                "accept",
                "names the unknown format \"\(format)\"",
                hint: "known formats are \(App.knownFormats.joined(separator: ", "))"
            )
        }
        app.senders = try senders(mapping)
        app.requiresSender = try mapping.bool("require-sender") ?? false
        if app.requiresSender, app.senders.isEmpty { throw mapping.error("require-sender", "needs a list of senders") }
        app.keepClear = try mapping.strings("keep-clear") ?? []
        app.allowsCriticalAlerts = try mapping.bool("critical-alerts") ?? false
        try readLimits(of: &app, from: mapping)
        app.environment = try mapping.choice("environment", of: PushEnvironment.self) ?? environment
        app.pushTypes = try pushTypes(mapping) ?? app.pushTypes
        app.viewFolders = try mapping.paths("view") ?? []
        app.interpreter = try mapping.path("interpreter")
        if let refusal = app.scriptRefusal(hint: "name the program that runs it: \"interpreter: /usr/bin/python3\"") {
            throw mapping.error("extension", "is not usable: \(refusal.message)", hint: refusal.hint)
        }
        try readTexts(of: &app, from: mapping)
        app.webPushAlert = try webPushAlert(mapping, topic: app.topic)
        return app
    }

    private static func readTexts(of app: inout App, from mapping: YAMLMapping) throws(CommandError) {
        app.language = try mapping.string("language")
        let folder = try mapping.path("strings")
        do {
            try app.readTexts(of: folder)
        } catch {
            let key = folder == nil ? "extension" : "strings"
            throw mapping.error(key, "is not usable: \(error.message)", hint: error.hint)
        }
    }

    private static func readLimits(of app: inout App, from mapping: YAMLMapping) throws(CommandError) {
        app.budget = try mapping.duration("budget") ?? app.budget
        app.grace = try mapping.duration("grace") ?? min(app.grace, app.budget / 2)
        guard app.grace < app.budget else {
            throw mapping.error("grace", "must be shorter than the budget of \(app.budget.formatted())")
        }
        app.wait = try mapping.duration("wait") ?? app.wait
        app.workerLimit = try mapping.integer("workers", in: 1...512) ?? app.workerLimit
        app.memoryLimitByteCount = try mapping.byteCount("memory") ?? app.memoryLimitByteCount
        guard app.memoryLimitByteCount <= 1 << 40 else { throw mapping.error("memory", "is more than 1 TB") }
        app.scratchByteCount = try mapping.string("scratch") == "0" ? 0 : mapping.byteCount("scratch") ?? 64 << 20
        app.storageByteCount = try mapping.byteCount("storage") ?? app.storageByteCount
        app.isolation = try mapping.choice("isolation", of: SupervisedExtension.Isolation.self) ?? .app
    }

    private static func deviceTokens(_ mapping: YAMLMapping) throws(CommandError) -> [String] {
        let tokens = try mapping.strings("device-tokens") ?? []
        for token in tokens
        where !(2...200).contains(token.count) || token.count % 2 != 0 || !token.allSatisfy(\.isHexDigit) {
            throw mapping.error(
                "device-tokens",
                "holds a token that is not 2 to 200 hex digits",
                hint: "write tokens in quotes: YAML reads bare digits as a number"
            )
        }
        return tokens.map { $0.lowercased() }
    }

    private static func senders(_ mapping: YAMLMapping) throws(CommandError) -> [Sender] {
        guard let node = mapping.node("senders") else { return [] }
        guard let nodes = node.sequence else { throw mapping.error("senders", "must be a list") }
        var senders: [Sender] = []
        for node in nodes {
            let name = "a sender of \(mapping.name)"
            let sender = try YAMLMapping(node, file: mapping.file, name: name, keys: ["public-key", "name"])
            let publicKey = try sender.requiredString("public-key")
            senders.append(Sender(publicKey: publicKey, name: try sender.string("name") ?? publicKey))
        }
        return senders
    }

    private static func pushTypes(_ mapping: YAMLMapping) throws(CommandError) -> Set<PushType>? {
        guard let names = try mapping.strings("push-types") else { return nil }
        var types: Set<PushType> = []
        for name in names {
            guard let type = PushType(rawValue: name) else {
                throw mapping.error("push-types", "names the unknown type \"\(name)\"")
            }
            types.insert(type)
        }
        return types
    }
}

extension YamlError {
    /// Where and what, without the text around it.
    var clause: String {
        switch self {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            "line \(mark.line): \(problem)"
        default: "not YAML"
        }
    }
}
