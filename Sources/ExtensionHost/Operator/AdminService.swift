// SPDX-License-Identifier: Apache-2.0

import AdminPort
import HostRuntime
import Logging
import Store
import WorkerSupervisor

/// The admin port of a host, if the configuration names one, and what can only be counted when somebody asks.
struct AdminService {
    let metrics = HostMetrics()
    let readiness: Readiness
    private let port: AdminPort?
    private let place: String

    /// The token is read before the host is confined.
    init(
        _ admin: AdminAddress?,
        token: AdminToken?,
        host: HostComposition,
        logger: Logger
    ) throws(CommandError) {
        readiness = Readiness(keepsState: !host.folder.isTemporary)
        place =
            switch admin?.address {
            case .tcp(let address, _): "http://\(address.contains(":") ? "[\(address)]" : address)"
            case .socket(let path): "\"\(path)\""
            case nil: ""
            }
        let status = HostStatus(metrics: metrics, readiness: readiness, activity: host.supervisor, clock: host.clock)
        do {
            port = try admin.map { admin throws(AdminPortError) in
                try AdminPort(address: admin.address, token: token, status: status, logger: logger)
            }
        } catch {
            throw CommandError(error)
        }
    }

    /// Has the gauges ask the journal and the queue.
    func watch(_ journal: Journal, _ queue: PushQueue, sinks: [String]) {
        metrics.journal.bytes.compute {
            let statistics = journal.statistics
            return statistics.fileByteCount + statistics.logByteCount + statistics.keyFileByteCount
        }
        metrics.journal.keyBytes.compute { journal.statistics.keyMemoryByteCount }
        metrics.journal.synchronous.compute { journal.statistics.synchronous }
        metrics.journal.checkpointSeconds.compute {
            let statistics = journal.statistics
            return (statistics.checkpoints, statistics.checkpointTime.nanoseconds)
        }
        metrics.pushes.backlog.compute { journal.statistics.pushes }
        metrics.pushes.backlogBytes.compute { journal.statistics.byteCount }
        metrics.pushes.backlogOldest.compute { journal.statistics.oldestAge?.nanoseconds ?? 0 }
        metrics.ingress.duplicates.with("id").compute { journal.statistics.repeatedByIdentity }
        metrics.ingress.duplicates.with("body").compute { journal.statistics.repeatedByContent }
        for sink in sinks {
            let label = LabelValue(configured: sink)
            metrics.outbox.records.with(label).compute { journal.statistics.sinks[sink]?.waiting ?? 0 }
            metrics.outbox.deadLetters.with(label).compute { journal.statistics.sinks[sink]?.dead ?? 0 }
            metrics.outbox.inFlight.with(label).set(0)
        }
        readiness.watch { queue.isStoring }
    }

    /// Answers until the task is cancelled; a port that cannot be had ends the host.
    func run(failed: @escaping @Sendable (CommandError) -> Void) async {
        guard let port else { return }
        do {
            try await port.run { [place] number in
                Terminal.note("admin port on \(place)\(number.map { ":\($0)" } ?? "")")
            }
        } catch {
            failed(CommandError(error))
        }
    }
}
