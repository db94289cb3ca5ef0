// SPDX-License-Identifier: Apache-2.0

import AdminPort
import ArgumentParser
import Foundation
import HostRuntime
import Ingress
import Logging
import Store
import WorkerSupervisor

/// The daemon: ingress, queue, pipeline and sinks, started inwards and stopped outwards.
struct Service: HostWork {
    let configuration: HostConfiguration
    let host: HostComposition
    let socket: ListeningSocket?
    let systemd: SystemdSocket
    let logger: Logger
    let journal: Journal
    let registry: Registry
    let queue: PushQueue
    let admin: AdminService
    let remoteSinks: [PreparedSink]
    let stop = StopRequest()

    /// Opens the journal and the registry, which lie in the host's own folder.
    init(
        configuration: HostConfiguration,
        remoteSinks: [PreparedSink] = [],
        adminToken: AdminToken? = nil,
        host: HostComposition,
        socket: ListeningSocket?,
        systemd: SystemdSocket,
        logger: Logger
    ) throws(CommandError) {
        self.configuration = configuration
        self.remoteSinks = remoteSinks
        self.host = host
        self.socket = socket
        self.systemd = systemd
        self.logger = logger
        registry = try Registry(configuration, in: host.folder.path, logger: logger)
        do {
            journal = try Journal(folder: host.folder.path, isDurable: !host.folder.isTemporary, clock: host.clock)
        } catch {
            throw CommandError(error.message, hint: error.hint)
        }
        admin = try AdminService(configuration.admin, token: adminToken, host: host, logger: logger)
        queue = PushQueue(
            journal: journal,
            sinks: { topic in
                remoteSinks.filter { $0.description.takes(topic: topic) }.map(\.description.name)
            },
            clock: host.clock,
            deadlines: host.deadlines,
            metrics: admin.metrics,
            logger: logger
        )
        admin.watch(journal, queue, sinks: remoteSinks.map(\.description.name))
    }

    func run() async throws {
        defer { host.folder.remove() }
        let signals = TerminationSignals { [stop] in stop.request(.terminated) }
        let failure = await withTaskGroup(of: Void.self) { group -> (any Error)? in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            group.addTask {
                await host.supervisor.launcherLost.wait()
                guard !Task.isCancelled else { return }
                // What waits is for a host that can start an extension.
                queue.leave()
                stop.request(.launcherLost)
            }
            group.addTask(executorPreference: host.supervisor.loop) { await systemd.keepInformed() }
            group.addTask { await activity.run() }
            group.addTask { await queue.maintain() }
            group.addTask { await SpareMemory(cameToRest: journal.cameToRest, clock: host.clock).run() }
            group.addTask { await registry.run(clock: HostClock(ContinuousClock())) }
            group.addTask { await admin.run { [stop] in stop.request(.failed($0)) } }
            do {
                try await host.start()
                try await takeUp()
                for warning in host.grantWarnings { Terminal.warning(warning) }
                try await deliverUntilStopped()
                await activity.tell(at: .info)
                await host.end()
                try close()
                return nil
            } catch {
                queue.leave()
                await host.end()
                await queue.end()
                try? close()
                return error
            }
        }
        withExtendedLifetime(signals) {}
        if let failure = failure as? IngressError { throw CommandError(failure.message, hint: failure.hint) }
        if let failure { throw failure }
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

    /// What a former host accepted and did not conclude comes first, under its old numbers.
    private func takeUp() async throws {
        // An opener that remembers more than the journal does knows larger numbers than it.
        let next = await host.supervisor.nextOpening
        do throws(JournalError) {
            try journal.raise(to: next)
            let count = try queue.takeUp()
            if count > 0 { Terminal.note("\(count) accepted pushes of a former run are taken up again") }
        } catch {
            throw CommandError(error, in: host.folder.path)
        }
    }

    private func close() throws(CommandError) {
        do {
            try journal.close()
        } catch {
            throw CommandError(error, in: host.folder.path)
        }
    }

    private func deliverUntilStopped() async throws {
        let delivery = Delivery(
            to: try configuration.localSinks.map { sink in
                try sink.makeSink(clock: HostClock(ContinuousClock()), logger: logger)
            },
            logger: logger
        )
        let remote = try RemoteDelivery(
            remoteSinks,
            queue: queue,
            othersWrote: journal.othersWrote,
            targetGone: { [registry, logger] token in
                do {
                    _ = try await registry.removeToken(token)
                } catch {
                    logger.error("device token of a target that is gone not removed", metadata: ["error": "\(error)"])
                }
            },
            clock: host.clock,
            metrics: admin.metrics,
            logger: logger
        )
        queue.onRecordsStored { remote.wake() }
        async let sent: Void = remote.run()
        let pipeline = host.pipeline
        let supervisor = host.supervisor
        let isDurable = !host.folder.isTemporary
        // On the supervisor's loop a push changes threads where it comes in, and where it leaves for a slow reader.
        async let concluded: Void = withTaskExecutorPreference(host.supervisor.loop) {
            await queue.run { [queue, stop, pushes = admin.metrics.pushes] push in
                pushes.laneWaitSeconds.observe(push.age)
                var record = await pipeline.conclude(push)
                if record.outcome.isForNextHost, isDurable, await supervisor.hasLostLauncher() { return nil }
                record.delivery = push.number.map { "\(queue.journal.name)-\($0)" }
                guard let failure = await delivery.deliver(record) else {
                    pushes.concluded(record.outcome, after: push.age)
                    return remote.conclusion(of: push, record)
                }
                // Senders hear 503 from here on; what has no record stays in the journal.
                queue.leave()
                stop.request(.failed(CommandError("\(failure)", hint: "start the host with a reader of its records")))
                return nil
            }
        }
        do {
            try await acceptUntilStopped()
        } catch {
            queue.leave()
            await concluded
            remote.drain(within: .zero)
            await sent
            await queue.end()
            throw error
        }
        queue.drain()
        host.deadlines.schedule(at: host.clock.now + Self.drainLimit) { delivery.stopWaiting() }
        // During a drain that something else began, too.
        stop.onTerminated { [queue, deadlines = host.deadlines, clock = host.clock] in
            deadlines.schedule(at: clock.now + Self.drainLimit) {
                // A disk that takes no end of a push takes none later.
                if isDurable || !queue.isStoring { queue.leave() }
            }
        }
        await concluded
        // What is due and not sent by then waits for the next host; without a state folder it is the last chance.
        remote.drain(within: Self.drainLimit)
        await sent
        await queue.end()
    }

    /// How long a host that is told to stop goes on starting what it has accepted; the rest waits for the next one.
    private static let drainLimit: Duration = .seconds(5)

    private func acceptUntilStopped() async throws {
        let listeners = HTTPListeners(
            configuration,
            tokens: registry,
            subscriptions: registry,
            acceptor: queue,
            connections: host.descriptors.connections,
            metrics: admin.metrics,
            logger: logger
        )
        try await listeners.start()
        let keeping = host.folder.isTemporary ? "until the host ends" : "on the disk until they are delivered"
        Terminal.note("accepted pushes are kept \(keeping); sandbox profile \(host.launcher.profile)")
        if let warning = SandboxChoice.warning(of: host.launcher) { Terminal.warning(warning) }
        switch host.groups {
        case .none: break
        case .given(let path, let limitsMemory):
            let limit = limitsMemory ? ", which the kernel keeps below its memory limit" : ""
            Terminal.note("each process has a group in cgroup \"\(path)\"\(limit)")
        case .refused(let reason): Terminal.warning(reason)
        }
        if configuration.stateFolder == nil, !configuration.keyFiles.isEmpty {
            Terminal.note("what was opened is forgotten when the opener ends; \"state: FOLDER\" keeps it")
        }
        admin.readiness.become(.ready)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await listeners.reload() }
            if configuration.readsStandardInput { group.addTask { await readStandardInput() } }
            if let socket { group.addTask { await serve(socket) } }
            if stop.reason == nil { systemd.say(.ready) }
            await stop.wait()
            systemd.say(.stopping)
            admin.readiness.become(.draining)
            group.cancelAll()
            // Beside the lines: a slow reader of their answers holds up no connection's goodbye.
            await listeners.drain()
        }
    }

    /// Stops the host at the end of the input.
    private func readStandardInput() async {
        let lines = NDJSONIngress(
            tokens: registry,
            firstToken: { [registry] in registry.firstToken(of: $0) },
            acceptor: queue,
            metrics: admin.metrics,
            logger: logger
        )
        do {
            stop.request(try await lines.run() > 0 ? .refused : .drained)
        } catch {
            stop.request(.failed(CommandError(error.message, hint: error.hint)))
        }
    }

    private func serve(_ socket: ListeningSocket) async {
        let lines = NDJSONSocketIngress(
            socket: socket,
            tokens: registry,
            firstToken: { [registry] in registry.firstToken(of: $0) },
            acceptor: queue,
            metrics: admin.metrics,
            logger: logger
        )
        Terminal.note("listening for lines on \(socket.path)")
        do {
            try await lines.run()
        } catch {
            stop.request(.failed(CommandError(error.message, hint: error.hint)))
        }
    }
}

extension IncomingPush {
    /// By the clock on the wall, which alone goes on between two hosts.
    fileprivate var age: Duration { .seconds(max(0, -receivedAt.timeIntervalSinceNow)) }
}

extension Outcome {
    /// Without a launcher nothing could be done about the push; a host that has one can.
    fileprivate var isForNextHost: Bool {
        switch self {
        case .original(.openerUnavailable), .original(.failed(.launchFailed)): true
        default: false
        }
    }
}
