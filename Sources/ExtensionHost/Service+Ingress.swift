// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import PacketSockets
import Store
import WorkerSupervisor

// Where pushes come from.
extension Service {
    func acceptUntilStopped() async throws {
        let listeners = HTTPListeners(
            configuration,
            tokens: keeping.tokens,
            subscriptions: registry,
            acceptor: queue,
            connections: host.descriptors.connections,
            metrics: admin.metrics,
            logger: logger
        )
        try await listeners.start()
        noteSurroundings()
        admin.readiness.become(.ready)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await listeners.reload() }
            if configuration.readsStandardInput { group.addTask { await readStandardInput() } }
            if let socket { group.addTask { await serve(socket) } }
            if stop.reason == nil { systemd.say(.ready) }
            await stop.wait()
            systemd.say(.stopping)
            admin.readiness.become(.draining)
            keeping.leave()
            group.cancelAll()
            // Beside the lines: a slow reader of their answers holds up no connection's goodbye.
            await listeners.drain()
        }
    }

    /// Says what a started host has around it, and what it lacks.
    private func noteSurroundings() {
        Terminal.note("accepted pushes are kept \(keeping.place); sandbox profile \(host.launcher.profile)")
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
    }

    /// Stops the host at the end of the input.
    private func readStandardInput() async {
        let lines = NDJSONIngress(
            tokens: keeping.tokens,
            firstToken: { [registry] in registry.firstToken(of: $0) },
            acceptor: queue,
            metrics: admin.metrics,
            logger: logger
        )
        do {
            stop.request(try await lines.run() > 0 ? .refused : .drained)
        } catch {
            stop.request(.failed(CommandError(error)))
        }
    }

    private func serve(_ socket: ListeningSocket) async {
        let lines = NDJSONSocketIngress(
            socket: socket,
            tokens: keeping.tokens,
            firstToken: { [registry] in registry.firstToken(of: $0) },
            acceptor: queue,
            metrics: admin.metrics,
            logger: logger
        )
        Terminal.note("listening for lines on \(socket.path)")
        do {
            try await lines.run()
        } catch {
            stop.request(.failed(CommandError(error)))
        }
    }
}
