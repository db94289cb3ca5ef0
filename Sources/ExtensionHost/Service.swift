// SPDX-License-Identifier: Apache-2.0

import AdminPort
import ArgumentParser
import Fleet
import Foundation
import HostRuntime
import Ingress
import Locking
import Logging
import PacketSockets
import Store
import TerminationSignals
import WorkerSupervisor

/// The daemon: ingress, queue, course of a push and sinks.
///
/// `startAndStop`, `deliverUntilStopped` and `acceptUntilStopped` are the list of what starts, in its order: each
/// starts its part, has the next one run inside, and stops its part when the next one has returned.
struct Service: HostWork {
    let configuration: HostConfiguration
    let host: HostComposition
    let socket: ListeningSocket?
    let systemd: SystemdSocket
    let logger: Logger
    let keeping: any PushKeeping
    let registry: Registry
    let gates: AlertGates
    let admin: AdminService
    let remoteSinks: [PreparedSink]
    let outbox: PreparedOutbox
    let stop = StopRequest()

    /// Opens the registry and what keeps the pushes; `fleetKeys` are there if the host is in a fleet.
    init(
        configuration: HostConfiguration,
        remoteSinks: [PreparedSink] = [],
        adminToken: AdminToken? = nil,
        fleetKeys: FleetKeys? = nil,
        host: HostComposition,
        socket: ListeningSocket?,
        systemd: SystemdSocket,
        logger: Logger
    ) throws(CommandError) {
        self.configuration = configuration
        self.remoteSinks = remoteSinks
        outbox = PreparedOutbox(descriptions: remoteSinks.map(\.description))
        self.host = host
        self.socket = socket
        self.systemd = systemd
        self.logger = logger
        registry = try Registry(configuration, in: host.folder.path, logger: logger)
        gates = AlertGates(shelf: registry)
        admin = try AdminService(configuration.admin, token: adminToken, host: host, logger: logger)
        if let fleet = configuration.fleet, let fleetKeys {
            keeping = try FleetStore(
                fleet,
                keys: fleetKeys,
                apps: configuration.hostedTokens,
                host: host,
                outbox: outbox,
                metrics: admin.metrics,
                logger: logger
            )
        } else {
            keeping = try OwnJournal(
                host,
                registry: registry,
                outbox: outbox,
                metrics: admin.metrics,
                logger: logger
            )
        }
        admin.watch(keeping, sinks: remoteSinks.map(\.description.name))
    }

    func run() async throws {
        defer { host.folder.remove() }
        let signals = TerminationSignals { [stop] in stop.request(.terminated) }
        // libdispatch opens its descriptors at the first sleep, and ends a process that has none left for them.
        try? await Task.sleep(for: .milliseconds(1))
        let failure = await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            accompany(&group)
            return await startAndStop()
        }
        withExtendedLifetime(signals) {}
        if let failure = failure as? any CommandFailure { throw failure.commandError }
        if let failure { throw failure }
        try checkReason()
    }

    /// Starts what runs beside the pushes until the group is cancelled.
    private func accompany(_ group: inout TaskGroup<Void>) {
        group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
        group.addTask {
            await host.supervisor.launcherLost.wait()
            guard !Task.isCancelled else { return }
            // What waits, and what still comes where it is kept, is for a host that can start an extension.
            isDurable ? queue.startNoMore() : queue.leave()
            stop.request(.launcherLost)
        }
        group.addTask(executorPreference: host.supervisor.loop) { await systemd.keepInformed() }
        group.addTask { await activity.run() }
        group.addTask(executorPreference: host.supervisor.loop) { await queue.maintain() }
        group.addTask { await keeping.run() }
        group.addTask(executorPreference: host.supervisor.loop) { await registry.run(clock: host.clock) }
        group.addTask { await admin.run { [stop] in stop.request(.failed($0)) } }
    }

    /// Serves from the first process to the last; returns what kept the host from starting, or from closing its
    /// journal.
    private func startAndStop() async -> (any Error)? {
        do {
            try await host.start(firstOwners: registry.firstOwners)
            // Before a fleet knows of the host: what cannot be made ends it here.
            let (local, remote) = (try localDelivery(), try remoteDelivery())
            do {
                try await keeping.begin(nextOpening: await host.supervisor.nextOpening)
            } catch {
                await remote.close()
                throw error
            }
            for warning in host.grantWarnings { Terminal.warning(warning) }
            try await deliverUntilStopped(local, remote)
            await activity.tell(at: .info)
            await host.end()
            try keeping.close()
            return nil
        } catch {
            queue.leave()
            await host.end()
            await queue.end()
            try? keeping.close()
            return error
        }
    }

    /// Turns the reason of the stop into the program's exit.
    private func checkReason() throws {
        switch stop.reason {
        case .drained?, .terminated?, nil: break
        case .refused?: throw ExitCode.refused
        case .failed(let error)?: throw error
        case .launcherLost?:
            throw CommandError("worker-launcher is gone: nothing can be started any more", hint: "start the host again")
        }
    }

    private var activity: ActivityReport {
        ActivityReport(source: host.supervisor, stateFolder: configuration.stateFolder, logger: logger)
    }

    var queue: PushQueue { keeping.queue }
}
