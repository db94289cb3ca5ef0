// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import NotificationPayload
import WorkerProtocol
import WorkerSupervisor

// An app as the parts of a host know it.
extension AppConfiguration {
    var hosted: HostedApp {
        HostedApp(
            topic: topic,
            sealedFields: keys.isEmpty ? [] : SealedField.fields(of: accept),
            extension: bundle.map { bundle in
                HostedExtension(
                    filtersNotifications: bundle.filtersNotifications,
                    seesSealedFiles: bundle.seesSealedFiles && scratchByteCount > 0
                )
            },
            budget: budget,
            grace: grace,
            wait: wait,
            allowsCriticalAlerts: allowsCriticalAlerts,
            texts: texts
        )
    }

    /// The extension that has the app's user and folder: the service extension, or without one the content extension.
    var supervisedExtension: SupervisedExtension? {
        guard let bundle else { return supervisedContent }
        return supervised(bundle, memoryLimitByteCount: memoryLimitByteCount)
    }

    /// The content extension; beside a service extension it shares that one's user and folder.
    var supervisedContent: SupervisedExtension? {
        contentBundle.map { supervised($0, memoryLimitByteCount: contentMemoryByteCount) }
    }

    private func supervised(_ bundle: ExtensionBundle, memoryLimitByteCount: UInt64) -> SupervisedExtension {
        var supervised = SupervisedExtension(
            app: topic,
            bundleIdentifier: bundle.bundleIdentifier,
            bundlePath: bundle.path,
            executable: bundle.executable,
            maxConcurrentRequests: bundle.maxConcurrentRequests,
            workerLimit: workerLimit,
            memoryLimitByteCount: memoryLimitByteCount,
            storageLimit: StorageLimit(byteCount: storageByteCount),
            isolation: isolation,
            budget: budget,
            viewFolders: viewFolders,
            interpreter: interpreter,
            scratchByteCount: scratchByteCount,
            grantsNetwork: !networkHosts.isEmpty
        )
        supervised.role = bundle.content == nil ? .service : .content
        return supervised
    }

    /// The bundles of both extensions.
    var bundles: [ExtensionBundle] { [bundle, contentBundle].compactMap { $0 } }

    /// The hosts that one of the app's extensions lists: both reach them.
    var networkHosts: [NetworkHost] {
        bundles.flatMap(\.networkHosts).reduce(into: []) { hosts, host in
            if !hosts.contains(host) { hosts.append(host) }
        }
    }

    /// Returns the opener's policy for the app, with `descriptors` in place of the paths of key files.
    func openerPolicy(_ descriptors: [String: Int32]) -> OpenerPolicy {
        var policy = OpenerPolicy(app: topic, keys: keys.compactMap { descriptors[$0] })
        policy.accept = accept.map(\.rawValue)
        policy.senders = senders.map { .init(publicKey: $0.publicKey, name: $0.name) }
        policy.requiresSender = requiresSender
        policy.keepClear = keepClear
        policy.allowsCriticalAlerts = allowsCriticalAlerts
        return policy
    }

    /// The alert in place of a Web Push message that cannot be opened; `nil` means the topic and a few words.
    var webPushAlert: WebPushAlert? { webPush?.alert(topic: topic) }

    // MARK: what an operator should know

    /// Returns the warnings for an operator: on grants that the extension does not get, and on its language.
    func grantWarnings(_ launcher: Launcher.Capabilities) -> [String] {
        [networkWarning(launcher), sealedFilesWarning, languageWarning].compactMap { $0 }
    }

    /// A warning, with the reason, that the hosts in the bundle's list are not granted; `nil` for no warning.
    ///
    /// A worker without a network of its own is not confined: nothing would keep it from going past the host's proxy.
    private func networkWarning(_ launcher: Launcher.Capabilities) -> String? {
        guard !networkHosts.isEmpty else { return nil }
        let start = "the network hosts of \"\(topic)\" are not granted: "
        if scratchByteCount == 0 { return start + "there is no network without a scratch folder" }
        if launcher.hasOwnRoot { return nil }
        return start + "sandbox profile \(launcher.profile) does not confine a network"
    }

    /// A warning that the extension does not see sealed files although its bundle asks for them; `nil` for no warning.
    private var sealedFilesWarning: String? {
        guard let bundle, bundle.seesSealedFiles, scratchByteCount == 0 else { return nil }
        return
            "the extension of \"\(topic)\" does not see sealed files: there is no place for them without a scratch folder"
    }

    /// A warning that the extension looks its own texts up in another language than its pushes'; `nil` for no warning.
    ///
    /// On Linux Foundation goes by the bundle's Info.plist alone.
    var languageWarning: String? {
        guard let language, let bundle, let tables = try? StringTables(folder: bundle.path),
            let pushed = tables.language(preferred: language, region: nil),
            let own = tables.language(preferred: nil, region: nil), pushed != own
        else { return nil }
        return
            "the extension of \"\(topic)\" looks up its own texts in \"\(own)\", the language it was built for, not in "
            + "\"\(pushed)\": \"build --language \(pushed)\" changes that"
    }
}

extension [AppConfiguration] {
    /// Every key file once; its place tells its descriptor in the opener.
    var keyFiles: [String] {
        var seen: Set<String> = []
        return flatMap(\.keys).filter { seen.insert($0).inserted }
    }
}
