// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// Tells the proxy of processes with the network grant; of others it says nothing.
struct WorkerNetwork {
    private let network: (any NetworkGranting)?

    init(_ equipment: Equipment) {
        network = equipment.configuration.network
    }

    /// The listener of a process goes to the proxy, which serves it until the process is let go.
    func open(for process: SandboxedProcess, of app: OwnedApp) {
        guard let listener = process.takeListener(), let network else { return }
        let client = NetworkClient(worker: process.serial, pid: process.pid, app: app.topic, owner: app.owner)
        network.open(listener: listener.givenAway(), for: client)
    }

    /// Before the process can read the request, or the opening of its view.
    func began(_ request: UInt64, with process: SandboxedProcess) {
        if process.hasNetwork { network?.requestBegan(request, worker: process.serial) }
    }

    func ended(_ request: UInt64, with process: SandboxedProcess) {
        if process.hasNetwork { network?.requestEnded(request, worker: process.serial) }
    }

    /// The process is let go.
    func closed(_ process: SandboxedProcess) {
        if process.hasNetwork { network?.closed(worker: process.serial) }
    }
}
