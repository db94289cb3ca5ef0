// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ExtensionBuild
import HostRuntime
import NotificationPayload
import SceneModel
import WorkerSupervisor

/// Views of one bundle that are opened, worked step by step, and closed, one after the other.
struct ViewSession: HostWork {
    let host: HostComposition
    let app: AppConfiguration
    /// The payloads with the paths under which they were given.
    let notifications: [(name: String, payload: Payload)]
    /// The files that each of the notifications has.
    let attachments: [ViewAttachment]
    let environment: ViewEnvironment
    let steps: [ViewStep]
    /// Steps that come while the view is open.
    let source: StepLines?
    let expectations: [ViewExpectation]
    let format: ViewFormat
    /// The file for the scene at the end.
    let file: ReportFile?
    let report: ReportFile?
    let extensionLog: ExtensionLog

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
        try report?.write(ViewJUnit(suite: app.topic, outcomes: outcomes).xml)
        guard outcomes.contains(where: { !$0.failures.isEmpty }) else { return }
        for outcome in outcomes {
            for failure in outcome.failures {
                let place = outcomes.count > 1 ? "\(outcome.name): " : ""
                Terminal.report(CommandError(place + failure.message, hint: failure.hint))
            }
        }
        throw ExitCode.refused
    }

    private func showAll() async throws -> [ViewOutcome] {
        var outcomes: [ViewOutcome] = []
        for (name, payload) in notifications {
            var run = ViewRun(self, payload, named: name)
            outcomes.append(try await run.run())
        }
        return outcomes
    }
}
