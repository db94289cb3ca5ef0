// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import CenterServing
import CenterStore
import DatabaseFile
import Locking
import Logging
import PacketSockets
import TerminationSignals

/// A centre with everything that runs beside it.
struct CenterService {
    /// Owners of one centre: they share the threads that wait for apps.
    static let ownerLimit = 16
    /// Connections at the sockets of all owners.
    static let socketLimit = 12_288
    /// Connections at the port: strangers may come to it, and must leave descriptors for everybody else.
    static let webLimit = 12_288
    /// Connections at the socket for metrics; one more takes the place of the oldest.
    private static let metricsLimit = 16

    /// An owner whom the centre serves.
    struct Owner {
        let name: OwnerName
        let user: SocketUser
        /// `nil` means that the centre makes the sockets.
        var doors: HandedDoors?
    }

    /// A socket with its server, and the places there.
    private struct Door {
        let path: String
        let api: APIServer
        let connections: APIConnections
    }

    private let center: Center
    private let link: LinkServer
    /// The servers of apps, one for each owner.
    private let apps: [AppServer]
    /// The owners' sockets of the API, and the one for metrics.
    private let doors: [Door]
    private let owners: [Owner]
    /// `nil` means that the centre listens on no port.
    private let web: APIServer?
    private let openWeb: OpenWeb?
    private let descriptors: Int
    /// `nil` means that no receiver says where the owner is.
    private let gpsd: GpsdSource?
    private let folder: CenterFolder
    /// Hears when all doors are open.
    private let manager: SystemdSocket
    /// Ends with standard input, as on SIGTERM.
    private let endsWithInput: Bool

    /// `gpsd` says where the first owner is; without a key nothing is sealed.
    init(
        _ folder: CenterFolder,
        _ owners: [Owner],
        _ key: StoreKey?,
        web openWeb: OpenWeb?,
        descriptors: Int,
        gpsd: GpsdAddress?,
        manager: SystemdSocket,
        endsWithInput: Bool,
        logger: Logger
    ) throws(Failure) {
        self.endsWithInput = endsWithInput
        self.manager = manager
        self.folder = folder
        self.owners = owners
        self.openWeb = openWeb
        self.descriptors = descriptors
        let store: CenterStore
        do { store = try CenterStore(folder: folder.path, key: key) } catch {
            throw Failure(error.message, hint: error.hint)
        }
        if store.sealedCount > 0 { Terminal.say("sealed what lay open before: texts \(store.sealedCount)") }
        center = Center(store, clock: .system, logger: logger)
        self.gpsd = gpsd.flatMap { gpsd in
            owners.first.map { GpsdSource(gpsd, owner: $0.name, clock: ContinuousClock(), logger: logger) }
        }
        link = LinkServer(center, listener: try Self.listen(at: folder.link))
        apps = try owners.map { [center] owner throws(Failure) in
            let listener = try Self.listen(for: owner, in: folder)
            return AppServer(center, owner: owner.name, listener: listener, ownerCount: owners.count)
        }
        let apis = OwnerAPIs(center, clock: ContinuousClock())
        doors = Self.doors(of: owners, in: folder, apis)
        web = openWeb.map { [center] web in
            let gate = WebGate(center, owners: Set(owners.map(\.name)), origin: web.origin)
            let port = web.port
            return APIServer(
                apis,
                port: Int(port.number),
                sockets: port.sockets,
                gate,
                tls: web.tls,
                clock: ContinuousClock()
            )
        }
    }

    private static func doors(of owners: [Owner], in folder: CenterFolder, _ apis: OwnerAPIs) -> [Door] {
        let own = owners.map { owner in
            let connections = APIConnections(limit: socketLimit / owners.count)
            if let http = owner.doors?.http {
                let api = APIServer(apis, owner: owner.name, http, clock: ContinuousClock())
                return Door(path: http.path, api: api, connections: connections)
            }
            let path = folder.http(of: owner.name)
            let api = APIServer(apis, owner: owner.name, path: path, user: owner.user, clock: ContinuousClock())
            return Door(path: path, api: api, connections: connections)
        }
        let metrics = APIServer(apis, metricsAt: folder.metrics, clock: ContinuousClock())
        let places = APIConnections(limit: metricsLimit, strangers: metricsLimit)
        return own + [Door(path: folder.metrics, api: metrics, connections: places)]
    }

    private static func listen(for owner: Owner, in folder: CenterFolder) throws(Failure) -> PacketListener {
        guard let app = owner.doors?.app else { return try listen(at: folder.app(of: owner.name), owner.user) }
        do { return try PacketListener(app) } catch { throw Failure("cannot serve \"\(app.path)\": \(error)") }
    }

    private static func listen(at path: String, _ user: SocketUser = .own) throws(Failure) -> PacketListener {
        do { return try PacketListener(path: path, user: user) } catch {
            throw Failure("cannot listen on \"\(path)\": \(error)")
        }
    }

    /// Serves until SIGTERM or SIGINT, until the input ends where that counts, or until the API cannot be served.
    func run() async throws {
        let webConnections = APIConnections(limit: min(Self.webLimit, descriptors / 2))
        let stop: @Sendable () -> Void = { [link, apps, doors, manager] in
            manager.say(.stopping)
            Self.close(doors, webConnections)
            link.stop()
            for app in apps { app.stop() }
        }
        let signals = TerminationSignals(stop: stop)
        defer { withExtendedLifetime(signals) {} }
        if endsWithInput { InputEnd.whenReached(stop) }
        let renewal: RenewalSignal? =
            if let openWeb, openWeb.tls != nil { RenewalSignal { openWeb.renew() } } else { nil }
        defer { withExtendedLifetime(renewal) {} }
        try await makeOwners()
        let failure = await withTaskGroup(of: Void.self) { upkeep in
            upkeep.addTask { [center] in await center.maintain(ContinuousClock()) }
            upkeep.addTask { [center] in await center.sweepFiles() }
            upkeep.addTask { [center] in await center.breakSilence(ContinuousClock()) }
            upkeep.addTask { [center] in await Scheduler(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await OwnerHours(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await ForegroundPresenter(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await RegionWatch(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await center.views.run(ContinuousClock(), of: center) }
            if let gpsd { upkeep.addTask { [center] in await RegionWatch(center).follow(gpsd) } }
            let failure = await serve(webConnections)
            upkeep.cancelAll()
            return failure
        }
        do { try await center.close() } catch { throw Failure("the store was not closed well: \(error)") }
        if let failure { throw failure }
    }

    /// Serves until one of the APIs ends, which a signal brings; hosts and apps have answers to what was read of them
    /// then.
    private func serve(_ webConnections: APIConnections) async -> Failure? {
        let failures = Locked<[Failure]>([])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [link] in await link.run(ContinuousClock()) }
            for app in apps { group.addTask { await app.run(ContinuousClock()) } }
            await open(webConnections) { failure in failures.withLock { $0.append(failure) } }
            link.stop()
            for app in apps { app.stop() }
            await group.waitForAll()
        }
        return failures.withLock { $0.first }
    }

    /// Opens the sockets and then the port: all or none, so that whoever asked for one is told that there is none.
    private func open(
        _ webConnections: APIConnections,
        _ report: @escaping @Sendable (Failure) -> Void
    ) async {
        let closed = Locked(doors.count)
        let isServing = Signal()
        await withTaskGroup(of: Void.self) { group in
            for door in doors {
                group.addTask {
                    do {
                        try await door.api.run(door.connections) { _ in
                            let isLast = closed.withLock { closed in
                                closed -= 1
                                return closed == 0
                            }
                            guard isLast else { return }
                            Terminal.say("serving \"\(folder.path)\"")
                            if web == nil { manager.say(.ready) }
                            isServing.raise()
                        }
                    } catch {
                        report(Failure("cannot listen on \"\(door.path)\": \(error)"))
                    }
                    Self.close(doors, webConnections)
                    isServing.raise()
                }
            }
            if let web {
                group.addTask {
                    await isServing.wait()
                    do {
                        try await web.run(webConnections) { address in
                            Terminal.say("on \(address)")
                            manager.say(.ready)
                        }
                    } catch {
                        report(Failure("cannot listen on port \(openWeb?.port.number ?? 0): \(error)"))
                    }
                    Self.close(doors, webConnections)
                }
            }
        }
    }

    private static func close(_ doors: [Door], _ webConnections: APIConnections) {
        for door in doors { door.connections.close() }
        webConnections.close()
    }

    private func makeOwners() async throws(Failure) {
        do {
            for owner in owners { try await center.adopt(owner: owner.name.text) }
            try await center.takeUp()
        } catch {
            throw Failure("the store cannot be written: \(error)")
        }
    }
}
