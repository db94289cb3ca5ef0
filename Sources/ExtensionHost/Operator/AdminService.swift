// SPDX-License-Identifier: Apache-2.0

import AdminPort
import HostRuntime
import Logging
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

    /// Has the gauges ask what keeps the pushes.
    func watch(_ keeping: any PushKeeping, sinks: [String]) {
        keeping.watch(metrics, sinks: sinks)
        for sink in sinks { metrics.outbox.inFlight.with(LabelValue(configured: sink)).set(0) }
        readiness.watch { keeping.obstacle }
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
