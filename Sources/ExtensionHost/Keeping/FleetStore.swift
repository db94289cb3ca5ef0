// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import HostRuntime
import Locking
import Logging
import Store
import WorkerSupervisor

/// The database of a fleet, into which this host puts what it accepts, and in which it works on its share.
final class FleetStore: PushKeeping {
    private struct State {
        var hasBegun = false
        var isLeaving = false
    }

    private let settings: FleetConfiguration
    private let fleet: FleetHost
    private let registry: FleetRegistry
    private let apps: [HostedTokens]
    private let clock: HostClock
    private let state = Locked(State())
    private let mayJoin = Signal()
    private let left = Signal()
    let tokens: any DeviceTokens

    /// Connects to nothing yet.
    ///
    /// - Throws: an error if the host's folder has pushes or records of a time without a fleet, which nobody would
    ///   deliver any more.
    init(
        _ settings: FleetConfiguration,
        keys: FleetKeys,
        apps: [HostedTokens],
        host: HostComposition,
        outbox: any Outbox,
        metrics: HostMetrics,
        logger: Logger
    ) throws(CommandError) {
        try Self.checkNothingIsLeft(in: host.folder, host.clock)
        try Self.checkTokensAreKnown(in: host.folder)
        self.settings = settings
        self.apps = apps
        clock = host.clock
        let servers = FleetServers(settings.database)
        let connect: @Sendable () throws(FleetError) -> FleetDatabase = { () throws(FleetError) in
            try servers.connect()
        }
        registry = FleetRegistry(connect: connect)
        fleet = FleetHost(
            FleetHost.Settings(member: settings.member, keys: keys),
            outbox: outbox,
            clock: host.clock,
            deadlines: host.deadlines,
            metrics: metrics,
            logger: logger,
            connect: connect
        )
        tokens = FleetDeviceTokens(apps)
        // A session that is over leaves its partitions to others, who do not wait for an extension here.
        queue.onCutOff { [supervisor = host.supervisor] in await supervisor.cutOff() }
    }

    var queue: PushQueue { fleet.queue }
    var records: any OutboxReading { fleet.outbox }
    var journal: (any PushJournal)? { nil }
    var othersWrote: Signal? { nil }
    var envelopes: (any EnvelopeMemory)? { fleet.openings }
    var place: String { "in the fleet's database until they are delivered" }

    var obstacle: Readiness.State? {
        if !queue.isStoring { return .journalFailing }
        return fleet.session == nil ? .joining : nil
    }

    /// Looks whether the server keeps what senders are promised, and tells it the device tokens of host.yaml.
    func begin(nextOpening: Int64) async throws(CommandError) {
        let facts: FleetFacts
        do throws(FleetError) { facts = try await registry.facts() } catch { throw CommandError(error) }
        try settings.judge(facts, now: Date())
        do throws(FleetError) {
            let tokens = apps.fleetTokens
            let verdicts = try await registry.configure(tokens)
            for warning in TokenVerdict.warnings(of: tokens, verdicts) { Terminal.warning(warning) }
        } catch {
            throw CommandError(error)
        }
        let mayJoin = state.withLock { state in
            state.hasBegun = !state.isLeaving
            return state.hasBegun
        }
        if mayJoin { self.mayJoin.raise() }
    }

    func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [registry, clock] in await registry.keepUp(clock: clock) }
            await mayJoin.wait()
            if !Task.isCancelled { await fleet.run() }
            left.raise()
            group.cancelAll()
        }
    }

    func onRecordsStored(_ action: @escaping @Sendable () -> Void) { fleet.onRecordsStored(action) }

    func leave() {
        let hasBegun = state.withLock { state in
            state.isLeaving = true
            return state.hasBegun
        }
        hasBegun ? fleet.drain() : left.raise()
    }

    func hasLeft() async { await left.wait() }

    func removeToken(_ token: String) async throws { _ = try await registry.remove(token) }

    func watch(_ metrics: HostMetrics, sinks: [String]) {
        metrics.pushes.backlog.compute { [fleet] in fleet.waiting.count }
        metrics.pushes.backlogBytes.compute { [fleet] in fleet.waiting.byteCount }
        metrics.pushes.backlogOldest.compute { [fleet] in
            let age = fleet.waiting.oldest.map { Date().timeIntervalSince($0) } ?? 0
            return Int(1e9 * min(max(0, age), 2 * IncomingPush.maximumLifetime))
        }
        metrics.fleet.partitions.compute { [fleet] in fleet.holding.count }
        metrics.fleet.member.compute { [fleet] in fleet.session == nil ? 0 : 1 }
        for sink in sinks {
            let label = LabelValue(configured: sink)
            metrics.outbox.records.with(label).compute { [fleet] in fleet.recordCount(for: sink) }
            metrics.outbox.deadLetters.with(label).compute { [registry] in registry.deadCount(of: sink) }
        }
    }

    func close() {
        fleet.close()
        registry.close()
    }

    private static func checkNothingIsLeft(in folder: HostFolder, _ clock: HostClock) throws(CommandError) {
        guard FileManager.default.fileExists(atPath: folder.path + "/" + JournalFile.name) else { return }
        let journal: Journal
        do {
            journal = try Journal(folder: folder.path, isDurable: true, clock: clock)
        } catch {
            throw CommandError(error.message, hint: error.hint)
        }
        let pushes: Int
        do throws(JournalError) {
            pushes = try journal.unfinished().count
            try journal.close()
        } catch {
            throw error.commandError(in: folder.path)
        }
        let records = journal.statistics.sinks.values.reduce(0) { $0 + $1.waiting }
        guard pushes + records > 0 else { return }
        throw CommandError(
            "state \"\(folder.path)\" has \(pushes) accepted pushes and \(records) records of a time without \"fleet\"",
            hint: "move them with \"\(Terminal.program) fleet import\", or give the fleet's host another folder"
        )
    }

    /// Refuses a folder with tokens that commands made for a host alone: their senders would hear that they are bad,
    /// for which many drop a device for good.
    private static func checkTokensAreKnown(in folder: HostFolder) throws(CommandError) {
        let count: Int
        do throws(StoreError) {
            let tokens = try RegistryFile(folder: folder.path).tokens(now: Date())
            count = tokens.count { $0.removed == nil && $0.origin == .minted }
        } catch {
            throw CommandError(error)
        }
        guard count > 0 else { return }
        throw CommandError(
            "state \"\(folder.path)\" has \(count) device tokens of a time without \"fleet\", which the fleet does not know",
            hint: "move them with \"\(Terminal.program) fleet import\", or give the fleet's host another folder"
        )
    }
}
