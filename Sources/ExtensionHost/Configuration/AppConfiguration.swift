// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import NotificationPayload
import WorkerSupervisor
import Yams

/// An app of host.yaml, or one that a command added: what its pushes may be, and how its extension runs.
///
/// A new key is a property with a row, and whoever makes use of it.
struct AppConfiguration: Equatable {
    var topic = ""
    /// Hex digits in lower case.
    var deviceTokens: [String] = []
    var extensionPath: String?
    var contentPath: String?
    /// Paths of key files, the current one first.
    var keys: [String] = []
    var accept = SealFormatName.defaults
    var senders: [Sender] = []
    var requiresSender = false
    var keepClear: [String] = []
    var allowsCriticalAlerts = false
    var budget = Duration.seconds(30)
    var grace = Duration.seconds(2)
    var wait = Duration.seconds(30)
    var workerLimit = 16
    var memoryLimitByteCount: UInt64 = 24 << 20
    var contentMemoryByteCount: UInt64 = 24 << 20
    /// The least memory of a worker, which it needs before its extension begins.
    static let leastMemoryByteCount: UInt64 = 1 << 20
    /// 0 means that the extension may write nothing.
    var scratchByteCount: UInt64 = 64 << 20
    var storageByteCount: UInt64 = 64 << 20
    var isolation = SupervisedExtension.Isolation.app
    var statedEnvironment: PushEnvironment?
    var pushTypes: Set<PushType> = [.alert, .background, .voip]
    var viewFolders: [String] = []
    var interpreter: String?
    var stringsFolder: String?
    var language: String?
    var webPush: WebPushWords?
    var center: CenterWords?

    // MARK: what follows from the keys

    /// The bundle that the key `extension` names.
    var bundle: ExtensionBundle?
    /// The bundle that the key `content` names.
    var contentBundle: ExtensionBundle?
    var environment = PushEnvironment.development
    var texts = LocalizedTexts()
    /// True if a command added the app, so that it stands in the registry and not in host.yaml.
    var isRegistered = false

    /// A sender whose sealed payloads are proven to come from it.
    struct Sender: Equatable {
        var publicKey = ""
        var name = ""
    }
}

extension AppConfiguration: ConfigurationMapping {
    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "topic",
            .topic,
            \.topic,
            "The app's bundle identifier.",
            required: true,
            example: "com.example.chat"
        )
        ConfigurationRow(
            "device-tokens",
            .deviceTokens,
            \.deviceTokens,
            "Device tokens of the app, in hex and in quotes; `token new` makes further ones.",
            example: "[\"00112233\"]"
        )
        ConfigurationRow(
            "extension",
            .path,
            \.extensionPath,
            "The bundle of the app's extension, a folder `X.appex`.",
            example: "Chat.appex"
        )
        ConfigurationRow(
            "content",
            .path,
            \.contentPath,
            "The bundle of the app's content extension, whose view is shown with its notifications in a centre's page.",
            example: "Photo.appex"
        )
        ConfigurationRow(
            "keys",
            .paths,
            \.keys,
            "The files with the keys that open the app's payloads, the current one first.",
            example: "[chat.key]"
        )
        ConfigurationRow(
            "accept",
            .formats,
            \.accept,
            "The formats of sealed payloads that the app takes.",
            example: "[v1, web-push]"
        )
        ConfigurationRow(
            "senders",
            .senders,
            \.senders,
            "Senders whose sealed payloads are proven to be theirs."
        )
        ConfigurationRow(
            "require-sender",
            .flag,
            \.requiresSender,
            "Whether only payloads of `senders` are opened."
        )
        ConfigurationRow(
            "keep-clear",
            .texts,
            \.keepClear,
            "Keys outside the seal that survive opening, unproven.",
            example: "[badge]"
        )
        ConfigurationRow(
            "critical-alerts",
            .flag,
            \.allowsCriticalAlerts,
            "Whether a critical alert stays critical."
        )
        ConfigurationRow(
            "budget",
            .duration,
            \.budget,
            "How long the extension has for one push, from when a worker takes it."
        )
        ConfigurationRow(
            "grace",
            .duration,
            \.grace,
            "How long before the end of the budget the extension gets its last call.",
            standard: "`\(AppConfiguration().grace.amount)`, at most half of `budget`",
            example: "5s"
        )
        ConfigurationRow("wait", .duration, \.wait, "How long a push waits for a worker.")
        ConfigurationRow(
            "workers",
            .integer(1...512),
            \.workerLimit,
            "How many workers serve the app at once; with several owners one more for each of the others.",
            example: "4"
        )
        ConfigurationRow(
            "memory",
            .memory,
            \.memoryLimitByteCount,
            "How much memory each worker may have; 1 MB at least."
        )
        ConfigurationRow(
            "content-memory",
            .memory,
            \.contentMemoryByteCount,
            "How much memory each view of the content extension may have; 1 MB at least."
        )
        ConfigurationRow(
            "scratch",
            .byteCountOrNone,
            \.scratchByteCount,
            "The size of the extension's `tmp`, and of each file it writes; with `0` it writes nothing and has no network."
        )
        ConfigurationRow(
            "storage",
            .byteCount,
            \.storageByteCount,
            "How much the extension may store for later, in `home` and `groups`."
        )
        ConfigurationRow(
            "isolation",
            .choice,
            \.isolation,
            "Whether pushes meet warm processes of the app (`app`), or each a fresh one (`notification`)."
        )
        ConfigurationRow(
            "environment",
            .choice,
            \.statedEnvironment,
            "The APNs environment to which the app's device tokens belong.",
            standard: "the listener's"
        )
        ConfigurationRow(
            "push-types",
            .pushTypes,
            \.pushTypes,
            "The push types that the app takes.",
            example: "[alert, location]"
        )
        ConfigurationRow(
            "view",
            .paths,
            \.viewFolders,
            "Further folders that the extension sees, read-only.",
            example: "[/usr/share/fonts]"
        )
        ConfigurationRow(
            "interpreter",
            .path,
            \.interpreter,
            "The program that runs the bundles' executables, if they are scripts.",
            example: "/usr/bin/python3"
        )
        ConfigurationRow(
            "strings",
            .path,
            \.stringsFolder,
            "The app's bundle, or a folder of its localized texts.",
            standard: "the extension's bundle",
            example: "Chat.app"
        )
        ConfigurationRow(
            "language",
            .text,
            \.language,
            "The language of texts that a push names by key.",
            standard: "the development region of the bundle",
            example: "de-AT"
        )
        ConfigurationRow(
            "web-push",
            .mapping { node, place in "web-push of \(place.mapping)" },
            \.webPush,
            "What is shown for a Web Push message that cannot be opened."
        )
        ConfigurationRow(
            "center",
            .mapping { node, place in "center of \(place.mapping)" },
            \.center,
            "How notification centres show the app, and how they start it."
        )
    }

    /// Returns the name of an app in messages, taken from the mapping that describes the app.
    static func name(of node: Node) -> String {
        node.mapping?["topic"]?.scalar.map { "app \"\($0.string)\"" } ?? "an app"
    }
}

extension AppConfiguration.Sender: ConfigurationMapping {
    static var rows: [ConfigurationRow<Self>] {
        ConfigurationRow(
            "public-key",
            .text,
            \.publicKey,
            "The sender's public key, as `seal-payload keygen` prints it.",
            required: true,
            example: "nse1…"
        )
        ConfigurationRow(
            "name",
            .text,
            \.name,
            "The name of the sender in errors about its key; records have the id of the key.",
            standard: "the public key",
            example: "chat-server"
        )
    }

    mutating func judge(_ sender: ConfigurationSection<Self>) throws(ConfigurationFaults) {
        if !sender.has(\.name) { name = publicKey }
    }
}
