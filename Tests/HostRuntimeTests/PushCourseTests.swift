// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import Locking
import Logging
import NotificationPayload
import TestClock
import Testing

/// Follows pushes from the queue to their end in the journal, without a process: every step that anybody outside sees
/// is noted, and the order of the notes is what is promised.
@Suite(.timeLimit(.minutes(5)))
struct PushCourseTests {
    private static func push(_ id: String = "a", _ payload: JSONObject = PushPipelineTests.sealed) -> IncomingPush {
        .sample(id: id, payload: payload)
    }

    // MARK: All steps

    @Test func `a push is stored, opened, extended, written, put into the outbox and forgotten, in this order`() async {
        let host = FakeHost()
        #expect(await host.serve([Self.push()]) == [.accepted])
        #expect(
            host.notes() == [
                "journal: stored 1", "sender: accepted", "opener: a", "extension: a",
                "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1", "outbox: routes com.example.chat",
                "journal: forgot 1, record for hook, archive", "outbox: records stored",
            ]
        )
        #expect(host.journal.change { $0.waiting.isEmpty })
        let records = host.journal.change { $0.commits.flatMap(\.conclusions).map(\.record) }
        #expect(records == host.records().map(\.json.serialized))
        #expect(host.records().map { $0.payload.object["aps"] } == [PushPipelineTests.worked.object["aps"]])
    }

    @Test func `the next push of a device begins when the record of the last one is written`() async {
        let host = FakeHost(route: { _ in [] })
        #expect(await host.serve([Self.push("a"), Self.push("b")]) == [.accepted, .accepted])
        let notes = host.notes().filter { !$0.hasPrefix("journal") && !$0.hasPrefix("outbox") }
        #expect(
            notes == [
                "sender: accepted", "sender: accepted",
                "opener: a", "extension: a", "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1",
                "opener: b", "extension: b", "stdout: modified 00c0ffee-2", "file: modified 00c0ffee-2",
            ]
        )
    }

    @Test func `without a remote sink the journal forgets a push without keeping its record`() async {
        let host = FakeHost(route: { _ in [] })
        _ = await host.serve([Self.push()])
        #expect(
            host.notes() == [
                "journal: stored 1", "sender: accepted", "opener: a", "extension: a",
                "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1", "outbox: routes com.example.chat",
                "journal: forgot 1",
            ]
        )
        #expect(host.journal.change { $0.commits.flatMap(\.conclusions).map(\.record) } == [nil])
    }

    // MARK: Other ways to a record

    @Test func `a push that asks for no extension goes past opener and extension`() async {
        let host = FakeHost()
        _ = await host.serve([Self.push("a", ["aps": ["alert": "clear"]])])
        #expect(host.between("sender: accepted", "stdout: original 00c0ffee-1").isEmpty)
    }

    @Test func `a push that expired while it waited goes past opener and extension`() async {
        let host = FakeHost()
        let push = IncomingPush.sample(
            id: "a",
            expiration: IncomingPush.received - 1,
            payload: PushPipelineTests.sealed
        )
        _ = await host.serve([push])
        #expect(host.between("sender: accepted", "stdout: suppressed 00c0ffee-1").isEmpty)
    }

    @Test func `a push that the opener refuses goes past the extension, with its fallback`() async {
        let host = FakeHost(opens: .refused(.notOpened))
        _ = await host.serve([Self.push()])
        #expect(host.between("sender: accepted", "stdout: original 00c0ffee-1") == ["opener: a"])
        #expect(host.records().map(\.payload) == [Payload(PushPipelineTests.sealed)])
    }

    @Test(arguments: [ExtensionFailure.budgetExceeded, .crashed(signal: 11), .noWorker])
    func `an extension that fails leaves what it was given`(failure: ExtensionFailure) async {
        let host = FakeHost(extends: .failed(failure))
        _ = await host.serve([Self.push()])
        #expect(
            host.between("sender: accepted", "stdout: original 00c0ffee-1") == ["opener: a", "extension: a"]
        )
        #expect(host.records().map(\.outcome) == [.original(.failed(failure))])
        #expect(host.records().map(\.payload) == [PushPipelineTests.openedPayload])
    }

    // MARK: What stops a course

    @Test func `a sink that fails leaves the push in the journal, after the other sinks had the record`() async {
        let host = FakeHost()
        host.whenWritten = { host, _ in throw FakeHost.Full() }
        _ = await host.serve([Self.push("a"), Self.push("b")])
        #expect(
            host.notes() == [
                "journal: stored 1", "journal: stored 2", "sender: accepted", "sender: accepted",
                "opener: a", "extension: a", "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1",
                "host: stops, Full()",
            ]
        )
        #expect(host.journal.change { $0.waiting.map(\.id) } == ["a", "b"])
        #expect(host.counted("nestbox_outcomes_total").isEmpty)
        #expect(host.counted("nestbox_lane_wait_seconds_count") == ["nestbox_lane_wait_seconds_count 1"])
    }

    @Test func `a push that is cancelled before its record is handed over is the next host's`() async {
        let host = FakeHost()
        let run = Task {
            await Signal().wait()
            return await host.course().run(Self.push())
        }
        run.cancel()
        #expect(await run.value == nil)
        #expect(host.records().isEmpty)
    }

    @Test func `a sink that is interrupted by a cancellation does not stop the host`() async {
        let host = FakeHost()
        let run = Locked<Task<Conclusion?, Never>?>(nil)
        host.whenWritten = { _, _ in
            run.withLock { $0?.cancel() }
            throw FakeHost.Full()
        }
        let begin = Signal()
        let task = Task {
            await begin.wait()
            return await host.course().run(Self.push())
        }
        run.withLock { $0 = task }
        begin.raise()
        #expect(await task.value == nil)
        #expect(!host.notes().contains { $0.hasPrefix("host: stops") })
    }

    @Test func `a push whose end was not written is repeated by the next host, under the same name`() async throws {
        let host = FakeHost()
        // The power fails when the record is out.
        host.whenWritten = { host, _ in
            host.journal.change { $0.failure = .disk("gone") }
            host.leave()
        }
        _ = await host.serve([Self.push()])
        #expect(
            host.notes() == [
                "journal: stored 1", "sender: accepted", "opener: a", "extension: a",
                "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1", "outbox: routes com.example.chat",
            ]
        )

        let next = FakeHost(after: host)
        next.journal.change { $0.failure = nil }
        _ = await next.serve([])
        #expect(
            next.notes() == [
                "opener: a", "extension: a", "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1",
                "outbox: routes com.example.chat", "journal: forgot 1, record for hook, archive",
                "outbox: records stored",
            ]
        )
        #expect(next.records().map(\.delivery) == host.records().map(\.delivery))
    }

    @Test func `a repeat of a push with a single attempt is not started again`() async {
        let host = FakeHost()
        host.whenWritten = { host, _ in
            host.journal.change { $0.failure = .disk("gone") }
            host.leave()
        }
        _ = await host.serve([.sample(id: "a", isKept: false, payload: PushPipelineTests.sealed)])
        let next = FakeHost(after: host)
        next.journal.change { $0.failure = nil }
        _ = await next.serve([])
        #expect(next.notes().first == "stdout: suppressed 00c0ffee-1")
    }

    @Test func `a host that leaves in the middle ends what is at work and leaves the rest to the next one`() async {
        let host = FakeHost()
        host.whenWritten = { host, record in if record.id == "a" { host.leave() } }
        _ = await host.serve([Self.push("a"), Self.push("b")])
        #expect(
            host.notes().dropFirst(4) == [
                "opener: a", "extension: a", "stdout: modified 00c0ffee-1", "file: modified 00c0ffee-1",
                "outbox: routes com.example.chat", "journal: forgot 1, record for hook, archive",
                "outbox: records stored",
            ]
        )
        #expect(host.journal.change { $0.waiting.map(\.id) } == ["b"])

        let next = FakeHost(after: host)
        _ = await next.serve([])
        #expect(next.notes().first == "opener: b")
        #expect(next.records().map(\.delivery) == ["00c0ffee-2"])
    }

    // MARK: The next host

    @Test func `what could not even be started is the next host's, without a record`() async {
        for host in [FakeHost(opens: .unavailable), FakeHost(extends: .failed(.launchFailed))] {
            host.nextHostTakesOver = true
            _ = await host.serve([Self.push()], leaves: true)
            let notes = host.notes().filter { !$0.hasPrefix("opener") && !$0.hasPrefix("extension") }
            #expect(notes == ["journal: stored 1", "sender: accepted", "next host: asked"])
            #expect(host.journal.change { $0.waiting.map(\.id) } == ["a"])
            #expect(host.counted("nestbox_outcomes_total").isEmpty)
        }
    }

    @Test func `without a next host the fallback goes out`() async {
        let unopened = FakeHost(opens: .unavailable)
        _ = await unopened.serve([Self.push()])
        let written = ["next host: asked", "stdout: original 00c0ffee-1", "file: original 00c0ffee-1"]
        #expect(unopened.between("opener: a", "outbox: routes com.example.chat") == written)
        #expect(unopened.records().map(\.payload) == [Payload(PushPipelineTests.sealed)])

        let host = FakeHost(extends: .failed(.launchFailed))
        _ = await host.serve([Self.push()])
        #expect(host.between("extension: a", "outbox: routes com.example.chat") == written)
        #expect(host.records().map(\.payload) == [PushPipelineTests.openedPayload])
        #expect(
            host.counted("nestbox_outcomes_total") == [
                #"nestbox_outcomes_total{outcome="original",reason="launchFailed"} 1"#
            ]
        )
    }

    @Test func `the next host is asked about nothing else`() async {
        let host = FakeHost(extends: .failed(.crashed(signal: 9)))
        host.nextHostTakesOver = true
        _ = await host.serve([Self.push()])
        #expect(!host.notes().contains("next host: asked"))
        #expect(host.records().map(\.outcome) == [.original(.failed(.crashed(signal: 9)))])
    }

    // MARK: Without a journal

    @Test func `a push that no journal has gets a record without a name`() async {
        let host = FakeHost()
        let conclusion = await host.course().run(Self.push())
        #expect(host.records().map(\.delivery) == [nil])
        #expect(conclusion?.number == 0)
        #expect(conclusion?.sinks == ["hook", "archive"])
    }
}
