// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import HostRuntime
import NotificationPayload
import WorkerSupervisor

/// Views of one bundle that are opened, worked step by step, and closed, one after the other.
struct ViewSession: HostWork {
    let host: HostComposition
    let app: AppConfiguration
    /// The payloads with the paths under which they were given.
    let notifications: [(name: String, payload: Payload)]
    /// The files that each of the notifications has.
    let attachments: [ViewAttachment]
    let plan: ViewPlan
    let report: ReportFile?

    func run() async throws {
        defer { host.folder.remove() }
        if let warning = SandboxChoice.warning(of: host.launcher) { Terminal.warning(warning) }
        for warning in host.grantWarnings { Terminal.warning(warning) }
        let outcomes = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            do {
                try await host.start()
                let outcomes = try await showAll()
                await host.end()
                return outcomes
            } catch {
                await host.end()
                throw error
            }
        }
        try report?.write(JUnitReport(suite: app.topic, outcomes: outcomes).xml)
        if outcomes.contains(where: { !$0.failures.isEmpty }) { throw ExitCode.refused }
    }

    private func showAll() async throws -> [ViewOutcome] {
        let views = SupervisedViews(host: host, topic: app.topic, attachments: attachments)
        var outcomes: [ViewOutcome] = []
        for (name, payload) in notifications {
            let output = ViewOutput(plan.format, name: notifications.count > 1 ? name : nil)
            var run = ViewRun(plan, views, payload, named: name, output)
            outcomes.append(try await run.run())
        }
        return outcomes
    }
}
