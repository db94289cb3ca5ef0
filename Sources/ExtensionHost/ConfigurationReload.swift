// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Ingress
import Logging
import Yams

/// Reads host.yaml again when SIGHUP says so: its listeners take certificates and senders, and what nobody takes is
/// named in the log.
struct ConfigurationReload: Sendable {
    /// The file as the host was started with it.
    let running: ConfigurationDocument
    let listeners: [ListenerReload]
    let logger: Logger

    /// The largest number of keys that a line of the log names.
    private static let namedCount = 20

    /// Reloads at each SIGHUP, which must be ignored already, until the task is cancelled.
    func run() async {
        let (requests, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let signals = DispatchSource.makeSignalSource(signal: SIGHUP)
        signals.setEventHandler { continuation.yield() }
        signals.resume()
        defer { signals.cancel() }
        for await _ in requests { await reload() }
    }

    /// A file that no host would start with is an error, and nobody takes anything of it: all of it is judged, and
    /// every listener has read its files, before the first takes them.
    func reload() async {
        do throws(CommandError) {
            let (document, root) = try ConfigurationDocument.read(running.file)
            let configuration = try configuration(document, root)
            var renewals: [HTTPIngress.Renewal] = []
            for listener in listeners {
                if let renewal = try await listener.renewal(configuration) { renewals.append(renewal) }
            }
            for renewal in renewals { await renewal.take() }
            report(document)
        } catch {
            logger.refuseReload(error)
        }
    }

    /// Reads the file by the rules of the start, apart from what the host's confinement hides by now.
    private func configuration(
        _ document: ConfigurationDocument,
        _ root: Node
    ) throws(CommandError) -> HostConfiguration {
        do throws(ConfigurationFaults) {
            let file = try HostConfiguration.section(root, of: running.file, scope: .reload)
            try checkApps(of: document, file)
            var configuration = try file.read()
            configuration.document = document
            return configuration
        } catch {
            throw CommandError(error)
        }
    }

    /// A file that lost its apps is half a file: hardly anybody means to end all of them by it.
    private func checkApps(
        of document: ConfigurationDocument,
        _ file: ConfigurationSection<HostConfiguration>
    ) throws(ConfigurationFaults) {
        // A misspelt key says more than the apps that are missing for it.
        try file.checkKeys()
        guard document.appCount == 0, running.appCount > 0 else { return }
        throw file.fault(
            \.apps,
            "is missing, and the host was started with \(running.appCount)",
            hint: "write them back; to end them all, start the host again"
        )
    }

    /// Names what the file says otherwise than the host was started with.
    private func report(_ document: ConfigurationDocument) {
        let keys = Self.untaken(running.content, document.content, taken: listeners.flatMap(\.taken))
        guard !keys.isEmpty else { return }
        let named = keys.prefix(Self.namedCount).joined(separator: ", ")
        let rest = keys.count > Self.namedCount ? " and \(keys.count - Self.namedCount) more" : ""
        logger.warning(
            "host.yaml has changes that count from the next start on",
            metadata: ["configuration.file": "\(running.file)", "configuration.keys": "\(named)\(rest)"]
        )
    }

    /// The keys that differ, but for the `taken` ones and what is in them.
    static func untaken(
        _ running: ConfigurationValue,
        _ file: ConfigurationValue,
        taken: [String]
    ) -> [String] {
        ConfigurationValue.differences(running, file).filter { key in
            !taken.contains { key == $0 || key.hasPrefix($0 + ".") }
        }
    }
}

extension Logger {
    func refuseReload(_ error: CommandError) {
        var metadata: Logger.Metadata = ["error": "\(error.message)"]
        if let hint = error.hint { metadata["hint"] = "\(hint)" }
        self.error("certificate and senders not read again", metadata: metadata)
    }
}
