// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import HostRuntime
import Logging
import WorkerSupervisor

/// The last part of `config check`: a host without workers, whose opener reads the keys and policies of all apps.
///
/// The opener alone may read a key file, and the confinement alone tells which files stay in reach; so both are started
/// as `serve` starts them, in a folder that goes with the process.
struct KeyCheck: HostWork {
    let file: String
    let host: HostComposition

    init(_ configuration: HostConfiguration, file: String) throws(CommandError) {
        self.file = file
        var apps = configuration.apps
        for index in apps.indices { (apps[index].bundle, apps[index].contentBundle) = (nil, nil) }
        host = try HostComposition(
            apps: apps,
            listening: configuration.listening,
            demand: configuration.descriptorDemand,
            reach: configuration.reach,
            sandbox: SandboxChoice(required: configuration.requiredProfile),
            logger: Logger(label: Terminal.program) { _ in SwiftLogNoOpLogHandler() }
        )
    }

    func run() async throws {
        defer { host.folder.remove() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            do {
                try await host.start()
                await host.end()
            } catch {
                await host.end()
                throw error
            }
        }
        Terminal.note("\(file) has no errors")
    }
}
