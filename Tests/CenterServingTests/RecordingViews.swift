// SPDX-License-Identifier: Apache-2.0

import CenterLink
import CenterProtocol
import HostRuntime
import Locking
import NotificationPayload

/// A host that opens every view and tells a test what it was asked.
final class RecordingViews: ViewServing {
    struct Opened: Sendable {
        let number: UInt64
        let view: LinkView
        let files: [HeldFile]
        let report: @Sendable (LinkViewReport) -> Void
    }

    private let last = Locked<UInt64>(0)
    private let opened = AsyncStream<Opened>.makeStream()
    private let events = AsyncStream<(event: JSONObject, files: [HeldFile])>.makeStream()
    private let ends = AsyncStream<UInt64>.makeStream()

    func open(
        _ view: LinkView,
        _ files: [HeldFile],
        report: @escaping @Sendable (LinkViewReport) -> Void
    ) async -> UInt64? {
        let number = last.withLock { last in
            last += 1
            return last
        }
        opened.continuation.yield(Opened(number: number, view: view, files: files, report: report))
        return number
    }

    func pass(_ event: JSONObject, _ files: [HeldFile], to number: UInt64) async {
        if event["close"] != nil { return await close(number) }
        events.continuation.yield((event, files))
    }

    func close(_ number: UInt64) async { ends.continuation.yield(number) }

    /// The next view that the centre opens.
    func next() async -> Opened {
        var iterator = opened.stream.makeAsyncIterator()
        guard let opened = await iterator.next(isolation: nil) else { preconditionFailure("the stream never ends") }
        return opened
    }

    func nextEvent() async -> JSONObject? { await nextEventWithFiles()?.event }

    func nextEventWithFiles() async -> (event: JSONObject, files: [HeldFile])? {
        var iterator = events.stream.makeAsyncIterator()
        return await iterator.next(isolation: nil)
    }

    func nextEnd() async -> UInt64? {
        var iterator = ends.stream.makeAsyncIterator()
        return await iterator.next(isolation: nil)
    }
}
