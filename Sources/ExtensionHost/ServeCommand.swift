// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import Ingress
import Logging
import Sinks
import WorkerSupervisor

struct ServeCommand: HostingCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Takes pushes from a gateway and delivers them until it is told to stop.",
        discussion: """
            Records go to standard output, one JSON object a line. SIGTERM drains: what was accepted is delivered,
            then the exit status is 0. A second SIGTERM ends at once. SIGUSR1 logs what the extensions did. SIGHUP
            reads certificate and key of the listener again, and who may send. Accepted pushes are kept in memory only; what was opened is remembered in the folder that "state" names.
            """
    )

    @Option(help: "The configuration, host.yaml.")
    var config: String

    @OptionGroup var sandbox: SandboxOptions

    @OptionGroup var log: LogOptions

    func prepare() throws -> Service {
        signal(SIGPIPE, SIG_IGN)
        // Before anybody may send it: it asks for a report, once there is one to give.
        signal(SIGUSR1, SIG_IGN)
        signal(SIGHUP, SIG_IGN)
        try StandardDescriptors.check()
        let configuration = try HostConfiguration(file: config)
        let logger = log.makeLogger()
        let host = try HostComposition(
            apps: configuration.apps,
            stateFolder: configuration.stateFolder,
            listening: configuration.apns,
            sandbox: SandboxChoice(sandbox, required: configuration.requiredProfile),
            logger: logger
        )
        return Service(configuration: configuration, host: host, logger: logger)
    }
}

/// The daemon: ingress, queue, pipeline and sinks, started inwards and stopped outwards.
struct Service: HostWork {
    let configuration: HostConfiguration
    let host: HostComposition
    let logger: Logger
    private let queue = PushQueue()
    private let stop = StopRequest()

    init(configuration: HostConfiguration, host: HostComposition, logger: Logger) {
        self.configuration = configuration
        self.host = host
        self.logger = logger
    }

    func run() async throws {
        defer { host.folder.remove() }
        let signals = TerminationSignals { [stop] in stop.request(.drained) }
        let failure = await withTaskGroup(of: Void.self) { group -> (any Error)? in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            group.addTask {
                await host.supervisor.launcherLost.wait()
                if !Task.isCancelled { stop.request(.launcherLost) }
            }
            group.addTask { await activity.run() }
            do {
                try await host.start()
                for warning in host.grantWarnings { Terminal.warning(warning) }
                try await deliverUntilStopped()
                await activity.tell(at: .info)
                await host.end()
                return nil
            } catch {
                await host.end()
                return error
            }
        }
        withExtendedLifetime(signals) {}
        if let failure = failure as? IngressError { throw CommandError(failure.message, hint: failure.hint) }
        if let failure { throw failure }
        switch stop.reason {
        case .drained?, nil: break
        case .refused?: throw ExitCode.refused
        case .failed(let error)?: throw error
        case .launcherLost?:
            throw CommandError("worker-launcher is gone: nothing can be started any more", hint: "start the host again")
        }
    }

    private var activity: ActivityReport {
        ActivityReport(source: host.supervisor, stateFolder: configuration.stateFolder, logger: logger)
    }

    private func deliverUntilStopped() async throws {
        let delivery = Delivery(to: configuration.sinks.map { _ in StdoutSink() }, logger: logger)
        let pipeline = host.pipeline
        // On the supervisor's loop a push changes threads where it comes in, and where it leaves for a slow reader.
        async let concluded: Void = withTaskExecutorPreference(host.supervisor.loop) {
            await queue.run { [queue, stop] push in
                guard let failure = await delivery.deliver(await pipeline.conclude(push)) else { return }
                // Senders hear 503 from here on; what is accepted still concludes.
                queue.drain()
                stop.request(.failed(CommandError("\(failure)", hint: "start the host with a reader of its records")))
            }
        }
        do {
            try await acceptUntilStopped()
        } catch {
            queue.drain()
            await concluded
            throw error
        }
        queue.drain()
        await concluded
    }

    private func acceptUntilStopped() async throws {
        let ingress = configuration.apns.map { apns in
            HTTPIngress(
                configuration: apns.ingress,
                tokens: configuration.tokens,
                acceptor: queue,
                logger: logger
            )
        }
        if let ingress, let apns = configuration.apns {
            let address = try await ingress.start()
            let security = apns.security == .plaintext ? "plaintext" : "TLS"
            Terminal.note("listening for APNs requests on \(address.host):\(address.port), \(security)")
        }
        Terminal.note("accepted pushes are kept in memory only; sandbox profile \(host.launcher.profile)")
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
        await withTaskGroup(of: Void.self) { group in
            if let ingress, let file = configuration.apns?.files.first {
                let reload = ListenerReload(file: file, ingress: ingress, logger: logger)
                group.addTask { await reload.run() }
            }
            if configuration.readsStandardInput { group.addTask { await readStandardInput() } }
            await stop.wait()
            group.cancelAll()
        }
        await ingress?.drain()
    }

    /// Stops the host at the end of the input.
    private func readStandardInput() async {
        let lines = NDJSONIngress(
            tokens: configuration.tokens,
            firstTokens: configuration.firstTokens,
            acceptor: queue,
            logger: logger
        )
        do {
            stop.request(try await lines.run() > 0 ? .refused : .drained)
        } catch {
            stop.request(.failed(CommandError(error.message, hint: error.hint)))
        }
    }
}

extension HostConfiguration {
    var tokens: DeviceTokenTable {
        var table = DeviceTokenTable()
        for app in apps {
            table.register(
                .init(topic: app.topic, environment: app.environment, pushTypes: app.pushTypes),
                tokens: app.deviceTokens
            )
        }
        return table
    }
}

extension HostConfiguration {
    /// The token of a payload that names only its app.
    fileprivate var firstTokens: [String: String] {
        apps.reduce(into: [:]) { tokens, app in tokens[app.topic] = app.deviceTokens.first }
    }
}
