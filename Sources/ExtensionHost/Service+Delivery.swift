// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Logging
import Store
import WorkerSupervisor

// What happens to accepted pushes, and how long when the host stops.
extension Service {
    /// The time in which a host that is told to stop still starts accepted pushes; the rest waits for the next host.
    private static let drainLimit: Duration = .seconds(5)

    func deliverUntilStopped(_ local: Delivery, _ remote: RemoteDelivery) async throws {
        let course = course(to: local)
        keeping.onRecordsStored { remote.wake() }
        async let sent: Void = remote.run()
        // On the supervisor's loop a push changes threads where it comes in, and where it leaves for a slow reader.
        async let concluded: Void = withTaskExecutorPreference(host.supervisor.loop) {
            await queue.run { await course.run($0) }
        }
        do {
            try await acceptUntilStopped()
        } catch {
            queue.leave()
            keeping.leave()
            await keeping.hasLeft()
            await concluded
            remote.drain(within: .zero)
            await sent
            await queue.end()
            throw error
        }
        // Other hosts go on meanwhile with what is not at work here.
        await keeping.hasLeft()
        drain(local)
        await concluded
        // What is due and not sent by then waits for the next host; without a state folder it is the last chance.
        remote.drain(within: Self.drainLimit)
        await sent
        await queue.end()
    }

    /// Begins the drain: nothing is accepted any more, and what takes too long is left behind.
    private func drain(_ local: Delivery) {
        queue.drain()
        host.deadlines.schedule(at: host.clock.now + Self.drainLimit) { local.stopWaiting() }
        // During a drain that something else began, too.
        stop.onTerminated { [queue, isDurable, deadlines = host.deadlines, clock = host.clock] in
            deadlines.schedule(at: clock.now + Self.drainLimit) {
                // A disk that takes no end of a push takes none later.
                if isDurable || !queue.isStoring { queue.leave() }
            }
        }
    }

    // MARK: What a push meets

    private func course(to local: Delivery) -> PushCourse {
        PushCourse(
            pipeline: host.pipeline.gated(by: gates).remembering(in: keeping.envelopes),
            localSinks: local,
            outbox: outbox,
            nextHost: RestartedHost(supervisor: host.supervisor, isDurable: isDurable),
            metrics: admin.metrics
        ) { [queue, stop] failure in
            // Senders hear 503 from here on; what has no record stays in the journal.
            queue.leave()
            stop.request(.failed(CommandError("\(failure)", hint: "start the host with a reader of its records")))
        }
    }

    func localDelivery() throws(CommandError) -> Delivery {
        Delivery(
            to: try configuration.localSinks.map { sink throws(CommandError) in
                try sink.makeSink(clock: HostClock(ContinuousClock()), logger: logger)
            },
            logger: logger
        )
    }

    func remoteDelivery() throws(CommandError) -> RemoteDelivery {
        try RemoteDelivery(
            remoteSinks,
            apps: configuration.apps,
            tokens: registry,
            gates: gates,
            calls: host.calls,
            files: host.files,
            views: HostedViews(host.supervisor),
            keeping: keeping,
            targetGone: { [keeping, logger] token in
                do {
                    try await keeping.removeToken(token)
                } catch {
                    logger.error("device token of a target that is gone not removed", metadata: ["error": "\(error)"])
                }
            },
            clock: host.clock,
            metrics: admin.metrics,
            logger: logger
        )
    }

    /// True if the journal outlives the process.
    var isDurable: Bool { !host.folder.isTemporary }
}

/// The host that is started on the same journal once this one has lost its launcher.
private struct RestartedHost: NextHost {
    let supervisor: WorkerSupervisor
    let isDurable: Bool

    func takesOver() async -> Bool {
        guard isDurable else { return false }
        return await supervisor.hasLostLauncher()
    }
}
