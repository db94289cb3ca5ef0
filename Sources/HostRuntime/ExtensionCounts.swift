// SPDX-License-Identifier: Apache-2.0

/// The counts of what the extensions of one app did since the host started.
package struct ExtensionCounts: Sendable, Equatable {
    /// Notifications given to a worker.
    package var given = 0
    /// Requests that were answered in time.
    package var completed = 0
    /// Answers that came after `serviceExtensionTimeWillExpire`.
    package var completedLate = 0
    /// Requests without an answer when the host concluded them, because the budget ended or the worker did.
    package var missingCompletions = 0
    /// Completions after the first of their notification; without effect.
    package var repeatedCompletions = 0
    /// Completions of notifications that the host had concluded without them; without effect.
    package var overdueCompletions = 0
    /// Log messages beyond what a worker may say.
    package var droppedLogLines = 0
    package var violations = 0
    /// Workers started.
    package var starts = 0
    /// Notifications that found no worker past its start, and so waited for one.
    package var coldStarts = 0
    /// Notifications that no worker took as long as they waited.
    package var noWorker = 0
    /// Workers that were asked to end: their count, time, memory or processor time was used up.
    package var recycled = 0
    /// Workers that ended to make room for another app's.
    package var evicted = 0
    /// Workers whose processor priority was lowered.
    package var lowered = 0

    package init() {}

    /// Adds what the extension of another site did.
    package mutating func add(_ other: ExtensionCounts) {
        given += other.given
        completed += other.completed
        completedLate += other.completedLate
        missingCompletions += other.missingCompletions
        repeatedCompletions += other.repeatedCompletions
        overdueCompletions += other.overdueCompletions
        droppedLogLines += other.droppedLogLines
        violations += other.violations
        starts += other.starts
        coldStarts += other.coldStarts
        noWorker += other.noWorker
        recycled += other.recycled
        evicted += other.evicted
        lowered += other.lowered
    }

    /// Names and values in the order of a table.
    package var rows: [(name: String, value: Int)] {
        [
            ("given", given), ("completed", completed), ("late", completedLate), ("missing", missingCompletions),
            ("repeated", repeatedCompletions), ("overdue", overdueCompletions), ("droppedLogLines", droppedLogLines),
            ("violations", violations), ("starts", starts), ("coldStarts", coldStarts), ("noWorker", noWorker),
            ("recycled", recycled), ("evicted", evicted), ("lowered", lowered),
        ]
    }
}

/// The host's processes and what they did, as of one moment.
package struct HostActivity: Sendable, Equatable {
    /// Workers by what they are at.
    package struct Workers: Sendable, Equatable {
        package var starting = 0
        package var ready = 0
        package var serving = 0
        package var retiring = 0

        package init() {}
    }

    /// The counts of each app, by its bundle identifier.
    package var apps: [String: ExtensionCounts]
    package var workers: Workers
    /// Notifications that wait for a worker.
    package var waiting: Int

    package init(apps: [String: ExtensionCounts], workers: Workers, waiting: Int) {
        self.apps = apps
        self.workers = workers
        self.waiting = waiting
    }
}

/// Tells what the host's processes are doing, for a log, a command or an endpoint.
package protocol ActivityReporting: Sendable {
    var activity: HostActivity { get async }
}
