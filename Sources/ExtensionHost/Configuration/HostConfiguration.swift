// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import WorkerSupervisor

/// What `serve` runs, as host.yaml says it; every path is absolute.
struct HostConfiguration: Equatable {
    var apns: APNs?
    var webPush: WebPush?
    /// Pushes as lines on standard input.
    var readsStandardInput = false
    /// Pushes as lines on a Unix socket.
    var socket: Socket?
    var apps: [App]
    var sinks: [SinkKind]
    /// The folder of what outlives the host; nil: nothing does.
    var stateFolder: String?
    /// Nil: nobody can ask.
    var admin: Admin?
    /// Nil: not said, which means C.
    var requiredProfile: SandboxProfile?
    /// What was read; nil for a host without a file.
    var document: ConfigurationDocument?

    struct App: Equatable {
        var topic: String
        var deviceTokens: [String] = []
        var bundle: ExtensionBundle?
        /// Paths of key files, the current one first.
        var keys: [String] = []
        var accept = [String](Self.defaultFormats)
        var senders: [Sender] = []
        var requiresSender = false
        var keepClear: [String] = []
        var allowsCriticalAlerts = false
        var budget = Duration.seconds(30)
        var grace = Duration.seconds(2)
        /// How long a push waits for a worker.
        var wait = Duration.seconds(30)
        /// How many workers may serve at once.
        var workerLimit = 16
        var memoryLimitByteCount: UInt64 = 24 << 20
        /// Of an extension's own files in memory, and of a single one; 0: it may write nothing.
        var scratchByteCount: UInt64 = 64 << 20
        /// Of what an extension stores for later.
        var storageByteCount: UInt64 = 64 << 20
        var isolation = SupervisedExtension.Isolation.app
        var environment = PushEnvironment.development
        var pushTypes: Set<PushType> = [.alert, .background, .voip]
        /// Folders the extension sees beside its bundle.
        var viewFolders: [String] = []
        /// Of texts that a push names by key; nil: the one that its bundle names.
        var language: String?
        var texts = LocalizedTexts()
        /// What runs the bundle's executable when that is no program.
        var interpreter: String?
        /// A command added it: it stands in the registry, not in host.yaml.
        var isRegistered = false
        /// What is shown in place of a Web Push message that cannot be opened; nil: the topic and a few words.
        var webPushAlert: WebPushAlert?

        static let defaultFormats = ["v1", "sealed-box"]
        static let knownFormats =
            defaultFormats + ["box", "web-push", "home-assistant", "bark-gcm", "bark-cbc"]
    }

    struct Sender: Equatable {
        var publicKey: String
        var name: String
    }

    /// Every key file once; its place tells its descriptor in the opener.
    var keyFiles: [String] {
        var seen: Set<String> = []
        return apps.flatMap(\.keys).filter { seen.insert($0).inserted }
    }
}

extension HostConfiguration.App {
    /// A script starts only through an interpreter that the operator names: it would otherwise choose for itself.
    func scriptRefusal(hint: String) -> CommandError? {
        guard let bundle, bundle.isScript, interpreter == nil else { return nil }
        return CommandError("\"\(bundle.executable)\" is a script, and a worker starts no interpreter", hint: hint)
    }
}
