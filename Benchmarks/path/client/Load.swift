// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// One round of pushes: keeps a number of them in flight, and notes when each was posted and recorded.
final class Load {
    /// Nanoseconds of a monotonic clock; `posted`, `answered` and `recorded` by the push's place in the round.
    struct Run: Sendable {
        var posted: [UInt64] = []
        var answered: [UInt64]
        var recorded: [UInt64]
        var lines: [[UInt8]] = []
    }

    /// The connections, one to each host, which take the pushes in turn.
    var connections: [PushConnection] = []
    private var pushes: [Push] = []
    private var run = Run(answered: [], recorded: [])
    private var missing = 0
    private var inFlight = 0
    private var end: EventLoopPromise<Run>?

    func start(_ pushes: [Push], inFlight: Int, on eventLoop: any EventLoop) -> EventLoopFuture<Run> {
        let promise = eventLoop.makePromise(of: Run.self)
        end = promise
        self.pushes = pushes
        self.inFlight = inFlight
        run = Run(
            answered: Array(repeating: 0, count: pushes.count),
            recorded: Array(repeating: 0, count: pushes.count)
        )
        missing = 2 * pushes.count
        run.posted.reserveCapacity(pushes.count)
        run.lines.reserveCapacity(pushes.count)
        let limit = eventLoop.assumeIsolated().scheduleTask(in: .seconds(120)) { [self] in
            fail("\(run.lines.count) of \(pushes.count) records after two minutes")
        }
        promise.futureResult.whenComplete { _ in limit.cancel() }
        postMore()
        return promise.futureResult
    }

    func fail(_ what: String) {
        end?.fail(BenchError(what))
        end = nil
    }

    func recorded(_ line: ArraySlice<UInt8>, at now: UInt64) {
        guard end != nil, let number = PushID.number(ofRecord: line), let first = pushes.first?.number,
            run.recorded.indices.contains(number - first), run.recorded[number - first] == 0
        else { return fail("a record that belongs to no push, or comes again") }
        run.recorded[number - first] = now
        run.lines.append(Array(line))
        countDown()
    }

    /// Notes the answer to a push, whose record may have come before.
    func answered(_ place: Int, at now: UInt64) {
        run.answered[place] = now
        countDown()
    }

    private func countDown() {
        missing -= 1
        guard missing == 0 else { return }
        end?.succeed(run)
        end = nil
    }

    func postMore() {
        guard !connections.isEmpty, end != nil else { return }
        let last = min(pushes.count, run.lines.count + inFlight)
        guard run.posted.count < last else { return }
        while run.posted.count < last {
            let place = run.posted.count
            connections[place % connections.count].post(pushes[place], at: place)
            run.posted.append(NIODeadline.now().uptimeNanoseconds)
        }
        for connection in connections { connection.flush() }
    }
}
