// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CenterProtocol
import CenterServing
import CenterStore
import DatabaseFile
import Foundation
import HostConfinement
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
        try folder.prepare()
        try confine()
        var logger = Logger(label: "notification-center") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
        return try CenterService(folder, logger: logger)
    }

    /// Confines the process, which then reads and writes its folder, executes nothing and listens on no port.
    private func confine() throws(Failure) {
        guard HostConfinement.version > 0 else { return }
        do {
            try HostConfinement(writableFolders: [folder.path]).enter(hiding: [])
        } catch {
            throw Failure("the process cannot be confined: \(error)")
        }
    }
}

/// A centre with everything that runs beside it.
struct CenterService {
    private let center: Center
    private let link: LinkServer
    private let apps: AppServer
    private let api: APIServer
    private let folder: CenterFolder

    init(_ folder: CenterFolder, logger: Logger) throws(Failure) {
        self.folder = folder
        let store: CenterStore
        do { store = try CenterStore(folder: folder.path) } catch { throw Failure(error.message, hint: error.hint) }
        center = Center(store, clock: .system, logger: logger)
        guard let owner = OwnerName(CenterOwner.only) else { preconditionFailure("a constant is a name") }
        link = LinkServer(center, listener: try Self.listen(at: folder.link))
        apps = AppServer(center, owner: owner, listener: try Self.listen(at: folder.app))
        api = APIServer(center, owner: owner, path: folder.http, clock: ContinuousClock(), logger: logger)
    }

    private static func listen(at path: String) throws(Failure) -> PacketListener {
        do { return try PacketListener(path: path) } catch { throw Failure("cannot listen on \"\(path)\": \(error)") }
    }

    /// Serves until SIGTERM or SIGINT, or until the API cannot be served.
    func run() async throws {
        let connections = APIConnections()
        let signals = TerminationSignals { [link, apps] in
            connections.close()
            link.stop()
            apps.stop()
        }
        defer { withExtendedLifetime(signals) {} }
        try await makeOwner()
        let failure = await withTaskGroup(of: Void.self) { upkeep in
            upkeep.addTask { [center] in await center.maintain(ContinuousClock()) }
            upkeep.addTask { [center] in await Scheduler(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await OwnerHours(center).run(ContinuousClock()) }
            upkeep.addTask { [center] in await ForegroundPresenter(center).run(ContinuousClock()) }
            let failure = await serve(connections)
            upkeep.cancelAll()
            return failure
        }
        do { try await center.close() } catch { throw Failure("the store was not closed well: \(error)") }
        if let failure { throw Failure("cannot listen on \"\(folder.http)\": \(failure)") }
    }

    /// Serves until the API ends, which a signal brings; hosts and apps have answers to what was read of them then.
    private func serve(_ connections: APIConnections) async -> (any Error)? {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [link] in await link.run(ContinuousClock()) }
            group.addTask { [apps] in await apps.run(ContinuousClock()) }
            var failure: (any Error)?
            do {
                try await api.run(connections) { Terminal.say("serving \"\(folder.path)\"") }
            } catch {
                failure = error
            }
            link.stop()
            apps.stop()
            await group.waitForAll()
            return failure
        }
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
