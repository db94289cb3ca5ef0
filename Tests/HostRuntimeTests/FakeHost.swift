// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import Logging
import NotificationPayload
import TestClock

/// A host without processes, disk and network: a queue, the course of its pushes, and fakes that note what they do.
final class FakeHost: Sendable {
    struct Full: Error {}

    private struct State {
        var records: [DeliveryRecord] = []
        var whenWritten: @Sendable (FakeHost, DeliveryRecord) throws -> Void = { _, _ in }
        var nextHostTakesOver = false
        var leave: @Sendable () -> Void = {}
    }

    let journal: MemoryJournal
    private let log: Notes
    private let opens: OpenResult
    private let extends: ExtensionResult.Conclusion
    private let route: @Sendable (String) -> [String]
    private let metrics = HostMetrics()
    private let state = Locked(State())

    /// `former` left its journal behind.
    init(
        after former: FakeHost? = nil,
        opens: OpenResult = .opened(PushPipelineTests.openedPayload),
        extends: ExtensionResult.Conclusion = .content(PushPipelineTests.worked, late: false),
        route: @escaping @Sendable (String) -> [String] = { _ in ["hook", "archive"] }
    ) {
        let log = Notes()
        self.log = log
        self.opens = opens
        self.extends = extends
        self.route = route
        let left = former?.journal.change { $0.waiting } ?? []
        journal = MemoryJournal(former: left) { work, arrivals in
            for case .stored(let number) in arrivals { log.add("journal: stored \(number)") }
            for conclusion in work.conclusions {
                let sinks = conclusion.sinks.isEmpty ? "" : ", record for " + conclusion.sinks.joined(separator: ", ")
                log.add("journal: forgot \(conclusion.number)\(sinks)")
            }
        }
    }

    /// Is called when the first local sink has the record of a push; the sink throws what it throws.
    var whenWritten: @Sendable (FakeHost, DeliveryRecord) throws -> Void {
        get { state.withLock { $0.whenWritten } }
        set { state.withLock { $0.whenWritten = newValue } }
    }

    var nextHostTakesOver: Bool {
        get { state.withLock { $0.nextHostTakesOver } }
        set { state.withLock { $0.nextHostTakesOver = newValue } }
    }

    /// Starts nothing any more; while `serve` runs.
    func leave() { state.withLock { $0.leave }() }
    func records() -> [DeliveryRecord] { state.withLock { $0.records } }
    func notes() -> [String] { log.all }

    /// The notes behind one and before another.
    func between(_ first: String, _ last: String) -> [String] {
        Array(notes().drop { $0 != first }.dropFirst().prefix { $0 != last })
    }

    /// The samples of a metric, without what explains it.
    func counted(_ name: String) -> [String] {
        var text = MetricsText()
        metrics.write(to: &text)
        return text.text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(name) }
    }

    // MARK: Serving

    /// Takes up what a former host left, accepts `pushes`, and returns when all have ended; with `leaves`, when those
    /// at work have.
    func serve(_ pushes: [IncomingPush], leaves: Bool = false) async -> [Acceptance] {
        await withQueue(journal: journal) { queue in
            state.withLock { $0.leave = { queue.leave() } }
            queue.onRecordsStored { [log] in log.add("outbox: records stored") }
            _ = try? queue.takeUp(from: journal)
            let answers = await queue.verdicts(pushes) { [log] in log.add("sender: \($0)") }
            let course = course()
            queue.drain()
            await queue.run { push in
                if leaves { queue.leave() }
                return await course.run(push)
            }
            return answers
        }
    }

    func course() -> PushCourse {
        PushCourse(
            pipeline: pipeline(),
            localSinks: Delivery(
                to: [NotingSink(name: "stdout", host: self, isFirst: true), NotingSink(name: "file", host: self)],
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
            ),
            outbox: FakeRoutes { [log, route] topic in
                log.add("outbox: routes \(topic)")
                return route(topic)
            },
            nextHost: NotingNextHost(host: self),
            metrics: metrics
        ) { [self] failure in
            log.add("host: stops, \(failure)")
            leave()
        }
    }

    private func pipeline() -> PushPipeline {
        PushPipeline(
            apps: [.sample()],
            opener: NotingOpener(host: self),
            runner: FakeRunner.answering { [log, extends] request in
                log.add("extension: \(request.push.id)")
                return ExtensionResult(extends, worker: nil)
            },
            clock: HostClock(ManualClock()),
            wallTime: { IncomingPush.received }
        )
    }

    // MARK: What notes

    private final class Notes: Sendable {
        private let lines = Locked<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private struct NotingOpener: PayloadOpening {
        let host: FakeHost

        func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult {
            host.log.add("opener: \(request.push.id)")
            return host.opens
        }
    }

    private struct NotingSink: Sink {
        let name: String
        let host: FakeHost
        var isFirst = false

        func deliver(_ record: DeliveryRecord) async throws {
            host.log.add("\(name): \(record.outcome.name) \(record.delivery ?? "without a name")")
            guard isFirst else { return }
            host.state.withLock { $0.records.append(record) }
            try host.whenWritten(host, record)
        }
    }

    private struct NotingNextHost: NextHost {
        let host: FakeHost

        func takesOver() async -> Bool {
            host.log.add("next host: asked")
            return host.nextHostTakesOver
        }
    }
}

extension PushPipeline {
    /// The record of a push, as a host without a fleet makes one of each.
    func record(of push: IncomingPush) async -> DeliveryRecord {
        guard let record = await conclude(push) else { fatalError("the push is said to be another host's") }
        return record
    }
}
