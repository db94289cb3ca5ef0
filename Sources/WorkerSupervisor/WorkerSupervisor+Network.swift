// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging

// What the proxy hears of workers: who has the grant, and when a request is open.
extension WorkerSupervisor {
    /// The worker was started: its listener goes to the proxy, which serves it until `closeNetwork`.
    func openNetwork(for worker: WorkerProcess) {
        guard let listener = worker.takeListener(), let network = configuration.network else { return }
        network.open(
            listener: listener.givenAway(),
            for: NetworkClient(worker: worker.serial, pid: worker.pid, app: worker.pool.configuration.app)
        )
    }

    func requestBegan(_ requestID: UInt64, of worker: WorkerProcess) {
        guard worker.hasNetwork else { return }
        configuration.network?.requestBegan(requestID, worker: worker.serial)
    }

    func requestEnded(_ requestID: UInt64, of worker: WorkerProcess) {
        guard worker.hasNetwork else { return }
        configuration.network?.requestEnded(requestID, worker: worker.serial)
    }

    func closeNetwork(of worker: WorkerProcess) {
        guard worker.hasNetwork else { return }
        configuration.network?.closed(worker: worker.serial)
    }
}

extension WorkerProcess {
    /// The profile and the filters in force, and what the bundle was to have and has not: "C1 no-network".
    func describedSandbox(of launcher: Launcher) -> String {
        sandbox(of: launcher) + (pool.configuration.grantsNetwork && !hasNetwork ? " no-network" : "")
    }
}
