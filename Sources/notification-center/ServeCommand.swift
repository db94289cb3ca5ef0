// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterProtocol
import CenterServing
import CenterStore
import DatabaseFile
import Foundation
import HostConfinement
import Locking
import Logging
import PacketSockets
import TerminationSignals

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Keeps notifications and serves them until it is told to stop.",
        discussion: """
            A host with "sinks: [center: { socket: FOLDER/link.sock }]" hands its records over; each is kept before the
            host hears so. SIGTERM ends: what was handed over is stored and answered first.
            """
    )

    @OptionGroup var folder: CenterFolder

    @Option(help: "A port of this machine's own address for browsers and programs with tokens; 0 chooses one.")
    var http: UInt16?

    @Option(help: "A gpsd of this machine that says where the owner is, for requests with a region: HOST:PORT.")
    var gpsd: GpsdAddress?

    @Option(help: "Least level that is logged: trace, debug, info, notice, warning, error or critical.")
    var logLevel = "notice"

    func validate() throws {
        guard Logger.Level(rawValue: logLevel) != nil else {
            throw ValidationError("unknown log level \"\(logLevel)\"")
        }
    }

    /// Makes the centre on the process's only thread, since a process is confined thread by thread.
    func prepare() throws(Failure) -> CenterService {
        // It would hold opened notifications.
        var none = rlimit()
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        Self.raiseDescriptorLimit()
        try folder.prepare()
        var port: LoopbackPort?
        if let http { port = try LoopbackPort(http) }
        try confine()
        var logger = Logger(label: "notification-center") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        return try CenterService(folder, port: port, gpsd: gpsd, logger: logger)
    }

    /// Takes as many descriptors as the machine allows: each app and each watcher has one.
    private static func raiseDescriptorLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = min(limit.rlim_max, 65_536)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Confines the process, which then reads and writes its folder, executes nothing, takes no other port and connects
    /// to none but gpsd's.
    private func confine() throws(Failure) {
        guard HostConfinement.version > 0 else { return }
        do {
            try HostConfinement(
                writableFolders: Array(Set([folder.path, folder.sockets])),
                connections: gpsd.map { [$0.port] } ?? []
            ).enter(hiding: [])
        } catch {
            throw Failure("the process cannot be confined: \(error)")
        }
    }
}

extension GpsdAddress: ExpressibleByArgument {
    package init?(argument: String) {
        self.init(argument)
    }
}

/// A centre with everything that runs beside it.
struct CenterService {
    private let center: Center
    private let link: LinkServer
    private let apps: AppServer
    private let api: APIServer
    /// Connections at the port.
    private static let webLimit = 512
    /// `nil` means that the centre listens on no port.
    private let web: APIServer?
    private let port: LoopbackPort?
    /// `nil` means that no receiver says where the owner is.
    private let gpsd: GpsdSource?
    private let folder: CenterFolder

    init(_ folder: CenterFolder, port: LoopbackPort?, gpsd: GpsdAddress?, logger: Logger) throws(Failure) {
        self.folder = folder
        self.port = port
        let store: CenterStore
        do { store = try CenterStore(folder: folder.path) } catch { throw Failure(error.message, hint: error.hint) }
        center = Center(store, clock: .system, logger: logger)
        guard let owner = OwnerName(CenterOwner.only) else { preconditionFailure("a constant is a name") }
        self.gpsd = gpsd.map { GpsdSource($0, owner: owner, clock: ContinuousClock(), logger: logger) }
        link = LinkServer(center, listener: try Self.listen(at: folder.link))
        apps = AppServer(center, owner: owner, listener: try Self.listen(at: folder.app))
        let apis = OwnerAPIs(center, clock: ContinuousClock())
        api = APIServer(apis, owner: owner, path: folder.http, clock: ContinuousClock())
        web = port.map { [center] in
            APIServer(apis, port: Int($0.number), sockets: $0.sockets, WebGate(center), clock: ContinuousClock())
        }
    }

    private static func listen(at path: String) throws(Failure) -> PacketListener {
        do { return try PacketListener(path: path) } catch { throw Failure("cannot listen on \"\(path)\": \(error)") }
    }

    /// Serves until SIGTERM or SIGINT, or until the API cannot be served.
    func run() async throws {
        // Strangers may come to the port, and must leave descriptors for everybody else.
        let (connections, webConnections) = (APIConnections(), APIConnections(limit: Self.webLimit))
        let signals = TerminationSignals { [link, apps] in
            connections.close()
            webConnections.close()
            link.stop()
            apps.stop()
        }
        defer { withExtendedLifetime(signals) {} }
        try await makeOwner()
        let failure = await withTaskGroup(of: Void.self) { upkeep in
            upkeep.addTask { [center] in await center.maintain(ContinuousClock()) }
            upkeep.addTask { [center] in await center.sweepFiles() }
            upkeep.addTask { [center] in await Scheduler(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await OwnerHours(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await ForegroundPresenter(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await RegionWatch(center).run(ContinuousClock()) }
            if let gpsd { upkeep.addTask { [center] in await RegionWatch(center).follow(gpsd) } }
            let failure = await serve(connections, webConnections)
            upkeep.cancelAll()
            return failure
        }
        do { try await center.close() } catch { throw Failure("the store was not closed well: \(error)") }
        if let failure { throw failure }
    }

    /// Serves until the API ends, which a signal brings; hosts and apps have answers to what was read of them then.
    private func serve(_ connections: APIConnections, _ webConnections: APIConnections) async -> Failure? {
        let failures = Locked<[Failure]>([])
        let isServing = Signal()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [link] in await link.run(ContinuousClock()) }
            group.addTask { [apps] in await apps.run(ContinuousClock()) }
            // Both or none: whoever asked for a port is told that there is none.
            await withTaskGroup(of: Void.self) { doors in
                doors.addTask {
                    do {
                        try await api.run(connections) { _ in
                            Terminal.say("serving \"\(folder.path)\"")
                            isServing.raise()
                        }
                    } catch {
                        failures.withLock { $0.append(Failure("cannot listen on \"\(folder.http)\": \(error)")) }
                    }
                    webConnections.close()
                    isServing.raise()
                }
                if let web {
                    doors.addTask {
                        await isServing.wait()
                        do {
                            try await web.run(webConnections) { Terminal.say("on \($0)") }
                        } catch {
                            let failure = Failure("cannot listen on port \(port?.number ?? 0): \(error)")
                            failures.withLock { $0.append(failure) }
                        }
                        connections.close()
                    }
                }
            }
            link.stop()
            apps.stop()
            await group.waitForAll()
        }
        return failures.withLock { $0.first }
    }

    private func makeOwner() async throws(Failure) {
        do {
            try await center.adopt(owner: CenterOwner.only)
            try await center.takeUp()
        } catch {
            throw Failure("the store cannot be written: \(error)")
        }
    }
}
