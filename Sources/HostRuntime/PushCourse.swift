// SPDX-License-Identifier: Apache-2.0

private import NotificationPayload

package import struct Foundation.Date

/// Takes one accepted push from its turn in the queue to its end in the journal.
///
/// `PushQueue.run` calls `run` push by push and writes what comes back. Until that is on the disk the push is
/// unfinished: after a crash the next host takes the same course with it, and its record has the same name.
///
/// Source: ARCHITECTURE.md, "The life of one push", steps 3 to 8.
package struct PushCourse: Sendable {
    private let pipeline: PushPipeline
    private let localSinks: Delivery
    private let outbox: any Outbox
    private let nextHost: any NextHost
    private let metrics: PushMetrics
    private let wallTime: @Sendable () -> Date
    private let recordsCannotLeave: @Sendable (any Error) -> Void

    /// Makes the course of the pushes of one host.
    ///
    /// `recordsCannotLeave` is called with the failure of a local sink: the host has to stop accepting what it cannot
    /// deliver. `wallTime` measures the age of a push, since it goes on between two hosts.
    package init(
        pipeline: PushPipeline,
        localSinks: Delivery,
        outbox: any Outbox,
        nextHost: any NextHost,
        metrics: HostMetrics = HostMetrics(),
        wallTime: @escaping @Sendable () -> Date = { Date() },
        recordsCannotLeave: @escaping @Sendable (any Error) -> Void
    ) {
        self.pipeline = pipeline
        self.localSinks = localSinks
        self.outbox = outbox
        self.nextHost = nextHost
        self.metrics = metrics.pushes
        self.wallTime = wallTime
        self.recordsCannotLeave = recordsCannotLeave
    }

    /// Returns what the journal writes when it forgets the push; `nil` means that the push stays in the journal and is
    /// the next host's.
    ///
    /// Never throws. A push whose call is cancelled before its record is handed over is the next host's.
    package func run(_ push: IncomingPush) async -> Conclusion? {
        let queue = age(of: push)
        metrics.laneWaitSeconds.observe(queue)
        // Decide, open, extend, conclude.
        guard var record = await pipeline.conclude(push) else { return nil }
        if Task.isCancelled {
            // Whoever has the push next makes its own.
            pipeline.discardFiles(of: record)
            return nil
        }
        record.timings.queue = queue
        if record.outcome.isForNextHost, await nextHost.takesOver() { return nil }

        // A repeat after a crash has the same name, so that a reader can drop it.
        record.delivery = push.delivery?.description
        if let failure = await localSinks.deliver(record) {
            // A sink that was interrupted is none that has failed. The line may leave all the same, so its files stay.
            if Task.isCancelled { return nil }
            recordsCannotLeave(failure)
            return nil
        }
        metrics.concluded(record.outcome, after: age(of: push))

        let sinks = outbox.sinks(taking: record.topic)
        return Conclusion(
            number: push.number ?? 0,
            record: sinks.isEmpty ? nil : record.json.serialized,
            deviceToken: push.deviceToken,
            sinks: sinks
        )
    }

    private func age(of push: IncomingPush) -> Duration {
        // A clock may be wrong by years: a push lives thirty days.
        .seconds(min(max(0, wallTime().timeIntervalSince(push.receivedAt)), 2 * IncomingPush.maximumLifetime))
    }
}

extension Outcome {
    /// True if nothing could be done about the push for want of a launcher, which the next host has.
    fileprivate var isForNextHost: Bool {
        switch self {
        case .original(.openerUnavailable), .original(.failed(.launchFailed)): true
        case .modified, .opened, .original, .suppressed: false
        }
    }
}
