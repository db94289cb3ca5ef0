// SPDX-License-Identifier: Apache-2.0

import Locking
import Logging
import Testing

@testable import HostRuntime

/// Arrivals that were woken and for which there is no room all the same: a large one, when the end of a small one
/// made some.
struct AdmissionDeskTests {
    private struct Told: Equatable {
        let id: String
        let answers: [Acceptance]
    }

    private let told = Locked<[Told]>([])
    private let desk: AdmissionDesk

    /// Two of half the host's size are in it.
    init() {
        var limits = QueueLimits.impatient(byteCount: 1000)
        limits.patience = .seconds(2)
        desk = AdmissionDesk(
            limits: limits,
            outbox: FakeRoutes { _ in [] },
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
        desk.takeUp(
            (1...2).map { UnfinishedPush(number: $0, topic: "chat", deviceToken: "in", byteCount: 500) },
            now: .zero
        )
    }

    /// Offers pushes in one transaction: those woken, then a new one; returns what is answered at once.
    private func turn(at now: Duration, _ new: IncomingPush? = nil) -> (tried: [String], answers: [Acceptance?]) {
        let woken = desk.beginTurn(at: now)
        let told = told
        let batches = [new].compactMap { $0 }.map { push in
            ArrivalBatch(pushes: [push]) { _, answers in
                told.withLock { $0.append(Told(id: push.id, answers: answers)) }
            }
        }
        let offers = ArrivalOffer.all(woken, batches, end: now + .seconds(2))
        desk.beginTransaction(fullSinks: [])
        var answers: [Acceptance?] = []
        let refused = offers.filter { !desk.admit($0.push, now: now) }
        for offer in refused { answers.append(desk.answer(to: offer, now: now)) }
        return (woken.map(\.push.id), answers)
    }

    private func release() -> Bool {
        desk.release([
            Departure(
                PushEnding(
                    conclusion: Conclusion(number: 1, record: nil, deviceToken: "in", sinks: []),
                    topic: "chat",
                    byteCount: 500
                )
            )
        ])
    }

    private static let large = IncomingPush.sample(id: "large", byteCount: 800)
    private static let small = IncomingPush.sample(id: "small", byteCount: 700)

    @Test func `who was woken in vain is not overtaken`() {
        #expect(turn(at: .zero, Self.large).answers == [nil])
        #expect(desk.endTurn() == .seconds(2))
        #expect(turn(at: .seconds(1), Self.small).answers == [nil])
        #expect(desk.endTurn() == nil)
        #expect(release())
        let first = turn(at: .seconds(1))
        #expect(first.tried == ["large"])
        #expect(first.answers == [nil])
        #expect(desk.endTurn() == nil)
        #expect(release())
        #expect(turn(at: .seconds(1)).tried == ["large"])
        #expect(desk.count == 1)
        #expect(told.withLock { $0 }.isEmpty)
    }

    @Test func `who was woken in vain hears in time that there is no room`() {
        _ = turn(at: .zero, Self.large)
        _ = desk.endTurn()
        _ = turn(at: .seconds(1), Self.small)
        #expect(release())
        #expect(turn(at: .seconds(1)).answers == [nil])
        #expect(desk.endTurn() == nil)
        desk.timerRang(for: .seconds(2))
        #expect(turn(at: .seconds(2)).tried.isEmpty)
        #expect(told.withLock { $0 } == [Told(id: "large", answers: [.unavailable])])
        #expect(desk.endTurn() == .seconds(3))
    }

    @Test func `who is woken when his time is over has one try`() {
        _ = turn(at: .zero, Self.large)
        #expect(release())
        let late = turn(at: .seconds(2))
        #expect(late.tried == ["large"])
        #expect(late.answers == [.unavailable])
        #expect(desk.endTurn() == nil)
    }
}
