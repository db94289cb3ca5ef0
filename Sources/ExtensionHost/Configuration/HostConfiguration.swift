// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import WorkerSupervisor
import Yams

/// The configuration of `serve`, as host.yaml gives it; every path is absolute.
///
/// The rows of this type and of the types in it are the schema of host.yaml: reading, defaults, `config explain` and
/// docs/host.yaml.md come from them.
struct HostConfiguration: Equatable {
    typealias App = AppConfiguration
    typealias APNs = APNsListener
    typealias Socket = LineSocket
    typealias Admin = AdminAddress

    var apns: APNs?
    var webPush: WebPush?
    /// True if pushes come as lines on standard input.
    var readsStandardInput = false
    /// A Unix socket on which pushes come as lines.
    var socket: Socket?
    var apps: [App] = []
    var sinks = [ConfiguredSink(StandardOutput())]
    /// The folder of what outlives the host; `nil` means that nothing does.
    var stateFolder: String?
    /// The database that the host shares with others; `nil` means that it serves alone.
    var fleet: FleetConfiguration?
    /// `nil` means that nobody can ask how the host is doing.
    var admin: Admin?
    /// The document that was read; `nil` for a host without a file.
    var document: ConfigurationDocument?
    private(set) var listen = ListenConfiguration()
    private var sandbox = SandboxConfiguration()
}

extension HostConfiguration: ConfigurationMapping {
    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow("listen", .mapping(), \.listen, "Where pushes come in; at least one way in.", required: true)
        ConfigurationRow(
            "state",
            folderOrNone,
            \.stateFolder,
            "The folder of what outlives the host, its own (mode 0700, as root in profile C 0711): accepted pushes, device "
                + "tokens, what was opened, what extensions store and attach.",
            standard: "`none`: a private folder that goes with the host",
            example: "./state"
        )
        ConfigurationRow(
            "fleet",
            .mapping(),
            \.fleet,
            "A PostgreSQL database that several hosts share to act as one; it needs `state`.",
            standard: "none: the host serves alone"
        )
        ConfigurationRow(
            "apps",
            .mappings(atLeast: "a list of at least one app") { node, _ in AppConfiguration.name(of: node) },
            \.apps,
            "The apps whose pushes are taken.",
            standard: "those that `app add` has added, which needs `state`"
        )
        ConfigurationRow(
            "sinks",
            .sinks,
            \.sinks,
            "Where the records of pushes go: a list of \(SinkKinds.all.map { "`\($0.key)`" }.joined(separator: ", ")).",
            example: "[file: { path: records.ndjson }]"
        )
        ConfigurationRow(
            "sandbox",
            .mapping(),
            \.sandbox,
            "What the machine has to offer to extensions.",
            standard: "profile `C` or better"
        )
        ConfigurationRow(
            "admin",
            .mapping(),
            \.admin,
            "Where an operator asks how the host is doing: a `socket`, or a port with a token.",
            standard: "nobody can ask"
        )
    }

    mutating func judge(_ file: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        apns = listen.apns
        webPush = listen.webPush?.webPush
        readsStandardInput = listen.lines?.readsStandardInput ?? false
        socket = listen.lines?.socket
        var faults = ConfigurationFaults()
        // Commands may add all of them, where there is a folder to keep them.
        if apps.isEmpty, stateFolder == nil {
            faults.add(
                file.fault(\.apps, "must be a list of at least one app", hint: "docs/operate.md shows a host.yaml")
            )
        }
        if let twice = apps.firstTwice(\.topic) {
            faults.add(file.fault(\.apps, "name the topic \"\(twice)\" twice"))
        }
        if let (one, other) = apps.withOneToken {
            faults.add(
                file.fault(
                    \.apps,
                    "give \"\(one)\" and \"\(other)\" the same device token",
                    hint: "a token belongs to one app: pushes for the other one would be refused"
                )
            )
        }
        if let twice = sinks.firstTwice(\.name) {
            faults.add(file.fault(\.sinks, "name \"\(twice)\" twice", hint: "give each a name of its own"))
        }
        if apns == nil, webPush == nil, !readsStandardInput, socket == nil {
            faults.add(
                file.fault(\.listen, "names no ingress", hint: "name one in it, such as apns with a port")
            )
        }
        if webPush != nil, stateFolder == nil, let listen = try file.section(of: \.listen, as: ListenConfiguration.self)
        {
            faults.add(listen.subscriptionsWithoutFolder)
        }
        faults.add(fleetFaults(file))
        try faults.check()
        for index in apps.indices { apps[index].settle(environment) }
    }
}

extension HostConfiguration {
    /// The keys that a host in a fleet has to have, and those that are of one host alone.
    private func fleetFaults(_ file: ConfigurationSection<Self>) -> ConfigurationFaults {
        var faults = ConfigurationFaults()
        guard fleet != nil else { return faults }
        if stateFolder == nil {
            faults.add(
                file.fault(
                    \.fleet,
                    "has no folder for what stays on this host",
                    hint: "add \"state: ./state\" to the file"
                )
            )
        }
        if webPush != nil {
            faults.add(
                file.fault(
                    \.fleet,
                    "takes no Web Push: its subscriptions are with one host",
                    hint: "leave out \"web-push\", or serve it from a host without \"fleet\""
                )
            )
        }
        if sinks.contains(where: { $0.description is ConfiguredCenter }) {
            faults.add(
                file.fault(
                    \.fleet,
                    "has no notification centre: a centre belongs to one host",
                    hint: "leave out the sink \"center\", or serve it from a host without \"fleet\""
                )
            )
        }
        return faults
    }

    /// Reads host.yaml and the bundles it names; what is wrong on the first line is the error, with file and line.
    init(file: String) throws(CommandError) {
        let (document, root) = try ConfigurationDocument.read(file)
        do throws(ConfigurationFaults) {
            self = try Self.section(root, of: file).read()
        } catch {
            throw CommandError(error)
        }
        self.document = document
    }

    /// The file as a whole, before anything of it is read.
    static func section(
        _ root: Node,
        of file: String,
        scope: ReadingScope = .start
    ) throws(ConfigurationFaults) -> ConfigurationSection<HostConfiguration> {
        try ConfigurationSection(root, file: file, name: "the file", scope: scope)
    }

    /// The environment of the tokens of an app that names none: the one that the APNs listener has.
    var environment: PushEnvironment { apns?.environment ?? .development }

    /// The weakest sandbox to start with; `nil` means that host.yaml does not say, and C is enough.
    var requiredProfile: SandboxProfile? { sandbox.required }
}

/// `sandbox` of host.yaml.
struct SandboxConfiguration: ConfigurationMapping {
    var required: SandboxProfile?

    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "require",
            .choice,
            \.required,
            "The weakest sandbox profile with which the host starts; D also takes `--insecure`, which lifts nothing that is written here.",
            standard: "`C`, or with `--insecure` D",
            example: "A"
        )
    }
}

extension HostConfiguration {
    /// The path of a folder, or the word `none`.
    private static var folderOrNone: ConfigurationType<String?> {
        ConfigurationType<String>.text.map("path, or `none`", text: { $0 ?? "none" }) {
            text,
            place throws(ConfigurationFaults) in
            text == "none" ? nil : place.absolute(text)
        }
    }
}

extension [AppConfiguration] {
    /// The topics of two apps that have the same device token, which no message names; `nil` if there are none.
    var withOneToken: (String, String)? {
        var topics: [String: String] = [:]
        for app in self {
            for token in app.deviceTokens {
                if let other = topics.updateValue(app.topic, forKey: token), other != app.topic {
                    return (other, app.topic)
                }
            }
        }
        return nil
    }
}

extension Sequence {
    /// The first name that two elements have.
    func firstTwice<Name: Hashable>(_ name: (Element) -> Name) -> Name? {
        var seen: Set<Name> = []
        for element in self where !seen.insert(name(element)).inserted { return name(element) }
        return nil
    }
}
