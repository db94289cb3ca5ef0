// SPDX-License-Identifier: Apache-2.0

import AdminPort
import Fleet
import Foundation
import Ingress

// What a configuration needs of the machine, to be had before the host confines itself.
extension HostConfiguration {
    /// The ports and files that the host's confinement has to leave to its listeners.
    struct Listening: Equatable {
        /// Ports; the kernel chooses one in place of 0.
        var ports: [UInt16] = []
        /// Files that are read again while the host runs.
        var files: [String] = []
    }

    var listening: Listening {
        let files = (apns?.files ?? []) + (webPush?.listener?.files ?? []) + (fleet?.files ?? [])
        return Listening(
            ports: [apns?.port, webPush?.listener?.port].compactMap { $0.map { UInt16($0) } },
            files: (document.map { files.contains($0.file) ? [] : [$0.file] } ?? []) + files
        )
    }

    /// The ports and folders that the services of the host reach beside its own folder.
    var reach: HostReach {
        var reach = HostReach()
        reach.writableFolders = localSinks.flatMap(\.writableFolders)
        reach.readable = apps.compactMap(\.center).flatMap(\.readable) + (fleet?.readable ?? [])
        switch admin?.address {
        case .tcp(_, let port): reach.ports.append(UInt16(port))
        case .socket(let path): reach.writableFolders.append(folder(of: path))
        case nil: break
        }
        return reach
    }

    private func folder(of path: String) -> String {
        URL(fileURLWithPath: path).deletingLastPathComponent().path
    }

    /// The demand for descriptors of `serve` with this configuration, except for the parts that follow from its apps.
    var descriptorDemand: DescriptorBudget.Demand {
        var demand = DescriptorBudget.Demand()
        demand.listeners = (apns == nil ? 0 : 1) + (webPush?.listener == nil ? 0 : 1)
        demand.lineClients = socket == nil ? 0 : NDJSONSocketIngress.clientLimit
        demand.adminConnections = admin == nil ? 0 : AdminPort.connectionLimit
        demand.webhookConnections = remoteSinks.reduce(0) { $0 + $1.connectionCount }
        demand.fileSinks = sinks.count
        demand.databaseConnections = fleet == nil ? 0 : FleetHost.connectionCount + 1
        return demand
    }

    // MARK: sinks

    /// The sinks that have a record before its push is concluded.
    var localSinks: [any LocalSinkDescription] {
        sinks.compactMap { if case .local(let sink) = $0.description.role { sink } else { nil } }
    }

    /// The sinks that take records from the journal.
    var remoteSinks: [any RemoteSinkDescription] {
        sinks.compactMap { if case .remote(let sink) = $0.description.role { sink } else { nil } }
    }

    /// Reads what the remote sinks need: call it before the host is confined.
    func prepareRemoteSinks() throws(CommandError) -> [PreparedSink] {
        try remoteSinks.map { sink throws(CommandError) in PreparedSink(description: sink, make: try sink.prepare()) }
    }

    /// The alerts in place of messages that cannot be opened, by topic.
    var webPushAlerts: [String: WebPushAlert] {
        apps.reduce(into: [:]) { $0[$1.topic] = $1.webPushAlert ?? WebPushAlert(title: $1.topic) }
    }

    /// Every key file once.
    var keyFiles: [String] { apps.keyFiles }

    /// Refuses a key file, the fleet's too, that lies in a folder which an extension can read.
    func checkNoKeyIsSeen() throws(CommandError) {
        try HostComposition.checkNoneIsSeen(of: keyFiles + (fleet?.allKeyFiles ?? []), by: apps)
    }
}
