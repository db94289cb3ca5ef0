// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime
import Locking
import Sinks
import WorkerSupervisor

/// Pushes through the pipeline, so many at once, and what is shown of them.
struct PushRun: HostWork {
    let pushes: [NamedPush]
    let parallel: Int
    let host: HostComposition
    let expectation: Expectation
    let format: RunFormat
    let report: ReportFile?
    let extensionLog: ExtensionLog
    let app: AppConfiguration

    func run() async throws {
        defer { host.folder.remove() }
        if let warning = SandboxChoice.warning(of: host.launcher) { Terminal.warning(warning) }
        for warning in host.grantWarnings { Terminal.warning(warning) }
        let results = try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask(executorPreference: host.supervisor.loop) { await host.deadlines.run() }
            do {
                try await host.start()
                let results = try await concludeAll()
                await host.end()
                return results
            } catch {
                await host.end()
                throw error
            }
        }
        if format == .human, results.count > 1 {
            try Output.write(RunSummary(results.map(\.record), expectation: expectation).text)
        }
        try report?.write(JUnitReport(suite: app.topic, results: results, expectation: expectation).xml)
        if results.contains(where: { $0.record.outcome == .original(.notMutable) }), expectation.text != "notMutable" {
            Terminal.note("the push does not run an extension: it needs \"mutable-content\": 1 and an alert in aps")
        }
        let missed = results.count { !expectation.isMet(by: $0.record) }
        guard missed > 0 else { return }
        if format == .json {
            Terminal.note("\(missed) of \(results.count) did not end with \(expectation.text), see the records")
        }
        throw ExitCode.refused
    }

    /// In the order of the pushes.
    private func concludeAll() async throws -> [RunResult] {
        try await withThrowingTaskGroup(of: (Int, RunResult?).self) { group in
            var next = 0
            var results: [RunResult?] = Array(repeating: nil, count: pushes.count)
            func begin() {
                guard next < pushes.count else { return }
                let (index, named) = (next, pushes[next])
                next += 1
                group.addTask {
                    // Without a fleet a push is nobody else's.
                    (index, await host.pipeline.conclude(named.push).map { RunResult(name: named.name, record: $0) })
                }
            }
            for _ in 0..<parallel { begin() }
            let sink = StdoutSink()
            while let (index, concluded) = try await group.next() {
                guard var result = concluded else { continue }
                let (lines, droppedCount) = extensionLog.take()
                result.lines = lines
                result.droppedLineCount = droppedCount
                switch format {
                case .json:
                    do { try await sink.deliver(result.record) } catch let error as SinkError
                        where error.code == .readerGone
                    { throw ExitCode.readerGone }
                case .human where pushes.count <= RunSummary.mostShownPushes:
                    try Output.write(NotificationView(result, app: app, expectation: expectation).text)
                case .human: break
                }
                results[index] = result
                begin()
            }
            return results.compactMap { $0 }
        }
    }
}

/// A push that was concluded, and what the extension said until then; of several at once, what any of them said.
struct RunResult: Sendable {
    let name: String
    let record: DeliveryRecord
    var lines: [ExtensionLog.Line] = []
    var droppedLineCount = 0

    init(name: String, record: DeliveryRecord) {
        self.name = name
        self.record = record
    }
}
