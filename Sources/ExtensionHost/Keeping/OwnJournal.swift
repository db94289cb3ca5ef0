// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Logging
import Store
import WorkerSupervisor

/// The journal of a host that serves alone, in the folder it writes to.
struct OwnJournal: PushKeeping {
    let queue: PushQueue
    private let stored: Journal
    private let registry: Registry
    private let folder: HostFolder

    /// Opens the journal, which nobody else may have open.
    init(
        _ host: HostComposition,
        registry: Registry,
        outbox: any Outbox,
        metrics: HostMetrics,
        logger: Logger
    ) throws(CommandError) {
        folder = host.folder
        self.registry = registry
        do {
            stored = try Journal(folder: folder.path, isDurable: !folder.isTemporary, clock: host.clock)
        } catch {
            throw CommandError(error.message, hint: error.hint)
        }
        queue = PushQueue(
            .journal(stored),
            outbox: outbox,
            clock: host.clock,
            deadlines: host.deadlines,
            metrics: metrics,
            logger: logger
        )
    }

    var tokens: any DeviceTokens { registry }
    var records: any OutboxReading { stored }
    var journal: (any PushJournal)? { stored }
    var othersWrote: Signal? { stored.othersWrote }
    var envelopes: (any EnvelopeMemory)? { nil }
    var place: String { folder.isTemporary ? "until the host ends" : "on the disk until they are delivered" }

    /// Takes up the pushes that a former host accepted and did not conclude; they come first, under their old numbers.
    func begin(nextOpening: Int64) async throws(CommandError) {
        do throws(JournalError) {
            // An opener that remembers more than the journal does knows larger numbers than it.
            try stored.raise(to: nextOpening)
            let unfinished = try stored.unfinished()
            queue.takeUp(unfinished)
            let count = unfinished.count
            if count > 0 { Terminal.note("\(count) accepted pushes of a former run are taken up again") }
        } catch {
            throw error.commandError(in: folder.path)
        }
    }

    func run() async { await SpareMemory(cameToRest: stored.cameToRest).run() }

    func onRecordsStored(_ action: @escaping @Sendable () -> Void) { queue.onRecordsStored(action) }

    /// Nobody else can work on any of it.
    func leave() {}
    func hasLeft() async {}

    var obstacle: Readiness.State? { queue.isStoring ? nil : .journalFailing }

    func removeToken(_ token: String) async throws { _ = try await registry.removeToken(token) }

    func watch(_ metrics: HostMetrics, sinks: [String]) {
        metrics.journal.bytes.compute { [stored] in
            let statistics = stored.statistics
            return statistics.fileByteCount + statistics.logByteCount + statistics.keyFileByteCount
        }
        metrics.journal.keyBytes.compute { [stored] in stored.statistics.keyMemoryByteCount }
        metrics.journal.synchronous.compute { [stored] in stored.statistics.synchronous }
        metrics.journal.checkpointSeconds.compute { [stored] in
            let statistics = stored.statistics
            return (statistics.checkpoints, statistics.checkpointTime.nanoseconds)
        }
        metrics.pushes.backlog.compute { [stored] in stored.statistics.pushes }
        metrics.pushes.backlogBytes.compute { [stored] in stored.statistics.byteCount }
        metrics.pushes.backlogOldest.compute { [stored] in stored.statistics.oldestAge?.nanoseconds ?? 0 }
        metrics.ingress.duplicates.with("id").compute { [stored] in stored.statistics.repeatedByIdentity }
        metrics.ingress.duplicates.with("body").compute { [stored] in stored.statistics.repeatedByContent }
        for sink in sinks {
            let label = LabelValue(configured: sink)
            metrics.outbox.records.with(label).compute { [stored] in stored.statistics.sinks[sink]?.waiting ?? 0 }
            metrics.outbox.deadLetters.with(label).compute { [stored] in stored.statistics.sinks[sink]?.dead ?? 0 }
        }
    }

    func close() throws(CommandError) {
        do {
            try stored.close()
        } catch {
            throw error.commandError(in: folder.path)
        }
    }
}
