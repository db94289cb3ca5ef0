// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// The life of one notification by everything that can happen to it, without a process.
struct RunLifeTests {
    private typealias Life = RunLife<String>

    enum Phase: CaseIterable {
        case waiting, preparing, ahead, atWork, collecting, concluded
    }

    enum Event: CaseIterable {
        case taken, sent, sentAhead, begun, takenBack, contentCame, collected, ended
    }

    /// A row for each phase and event; `nil` means that the event changes nothing.
    private static func phase(after event: Event, in phase: Phase) -> Phase? {
        switch (phase, event) {
        case (.waiting, .taken): .preparing
        case (.waiting, .sentAhead): .ahead
        case (.waiting, .ended): .concluded
        case (.waiting, .sent), (.waiting, .begun), (.waiting, .takenBack), (.waiting, .contentCame),
            (.waiting, .collected):
            nil
        case (.preparing, .sent): .atWork
        case (.preparing, .takenBack): .waiting
        case (.preparing, .ended): .concluded
        case (.preparing, .taken), (.preparing, .sentAhead), (.preparing, .begun), (.preparing, .contentCame),
            (.preparing, .collected):
            nil
        case (.ahead, .begun): .atWork
        case (.ahead, .takenBack): .waiting
        case (.ahead, .ended): .concluded
        case (.ahead, .taken), (.ahead, .sent), (.ahead, .sentAhead), (.ahead, .contentCame), (.ahead, .collected): nil
        case (.atWork, .takenBack): .waiting
        case (.atWork, .contentCame): .collecting
        case (.atWork, .ended): .concluded
        case (.atWork, .taken), (.atWork, .sent), (.atWork, .sentAhead), (.atWork, .begun), (.atWork, .collected): nil
        // Whatever ends a worker takes nothing from a content that came before.
        case (.collecting, .collected): .concluded
        case (.collecting, .taken), (.collecting, .sent), (.collecting, .sentAhead), (.collecting, .begun),
            (.collecting, .takenBack), (.collecting, .contentCame), (.collecting, .ended):
            nil
        case (.concluded, _): nil
        }
    }

    @Test(arguments: Phase.allCases, Event.allCases)
    func `each event leads from each phase to one phase`(phase: Phase, event: Event) {
        var life = Self.life(in: phase)
        let left = life.apply(Self.event(event))
        let next = Self.phase(after: event, in: phase)
        #expect(left.map(Self.name) == (next == nil ? nil : phase))
        #expect(Self.name(life.phase) == next ?? phase)
    }

    @Test(arguments: [Phase.preparing, .atWork])
    func `a notification is taken back once`(phase: Phase) {
        var life = Self.life(in: phase)
        _ = life.apply(.takenBack)
        Self.advance(&life, to: phase)
        let left = life.apply(.takenBack)
        #expect(left == nil)
        #expect(Self.name(life.phase) == phase)
        #expect(life.wasTakenBack)
    }

    @Test func `one that was taken back has waited since it came, and its next worker has the whole budget`() {
        var life = Self.life(in: .atWork)
        #expect(life.taken == .seconds(5))
        #expect(life.end == .seconds(25))
        #expect(life.mayWaitAgain(at: .seconds(5)))
        _ = life.apply(.takenBack)
        #expect(life.taken == nil)
        #expect(life.asked == .seconds(2))
        #expect(life.waitEnd == .seconds(32))
        #expect(!life.mayWaitAgain(at: .seconds(5)))
        _ = life.apply(.taken(by: "next", isFresh: true, at: .seconds(10), files: []))
        #expect(life.end == .seconds(30))
        #expect(life.expiry == .seconds(29))
    }

    @Test func `one that was sent ahead waits until its turn comes, and goes ahead once`() {
        var life = Self.life(in: .ahead)
        #expect(life.taken == nil)
        #expect(life.millisecondsLeft(at: .seconds(9)) == 20_000)
        #expect(life.assignment == nil && !life.isWaiting && !life.mayGoAhead)
        _ = life.apply(.takenBack)
        #expect(life.isWaiting && !life.mayGoAhead && !life.wasTakenBack)
        let again = life.apply(.sentAhead(to: "next", requestID: 2))
        #expect(again == nil)
        // A worker that it waits for without others before it may leave it unread, once.
        Self.advance(&life, to: .atWork)
        _ = life.apply(.takenBack)
        #expect(life.isWaiting && life.wasTakenBack)
    }

    @Test func `the budget of one that was sent ahead begins with its turn`() {
        var life = Self.life(in: .ahead)
        _ = life.apply(.begun(at: .seconds(9)))
        #expect(life.taken == .seconds(9))
        #expect(life.end == .seconds(29))
        #expect(life.expiry == .seconds(28))
    }

    @Test func `one whose wait is over is not taken back`() {
        let life = Self.life(in: .atWork)
        #expect(life.mayWaitAgain(at: .seconds(32) - .nanoseconds(1)))
        #expect(!life.mayWaitAgain(at: .seconds(32)))
    }

    @Test func `as long as one waits its budget ends as if it were taken at the last moment`() {
        let life = Self.life(in: .waiting)
        #expect(life.end == .seconds(52))
        #expect(life.expiry == .seconds(51))
    }

    @Test func `what is left of a budget is rounded up, and never less than nothing`() {
        let life = Self.life(in: .atWork)
        #expect(life.millisecondsLeft(at: .seconds(5)) == 20_000)
        #expect(life.millisecondsLeft(at: .seconds(5) + .microseconds(1)) == 20_000)
        #expect(life.millisecondsLeft(at: .seconds(5) + .milliseconds(1)) == 19_999)
        #expect(life.millisecondsLeft(at: .seconds(26)) == 0)
    }

    @Test func `files are put one after the other, and what lies there goes with the request`() throws {
        var life = Self.life(in: .waiting)
        let files = ["a", "b", "c"].map(Self.attachment)
        _ = life.apply(.taken(by: "worker", isFresh: true, at: .zero, files: files))
        var put: [GivenFile] = []
        while let file = life.putNext(name: { "tmp/\($0.identifier)" }) {
            #expect(life.isPutting(file))
            put.append(file)
            life.settled(file, isThere: file.name != "tmp/b")
            #expect(!life.isPutting(file))
        }
        #expect(put.map(\.name) == ["tmp/a", "tmp/b", "tmp/c"])
        _ = life.apply(.sent(requestID: 7))
        let assignment = try #require(life.assignment)
        #expect(assignment.given.map(\.name) == ["tmp/a", "tmp/c"])
        #expect(assignment.requestID == 7)
        #expect(assignment.isFresh)
    }

    @Test func `a file of a worker that the notification left is nobody's`() throws {
        var life = Self.life(in: .waiting)
        _ = life.apply(.taken(by: "first", isFresh: true, at: .zero, files: [Self.attachment("a")]))
        let file = try #require(life.putNext { _ in "tmp/1" })
        _ = life.apply(.takenBack)
        #expect(!life.isPutting(file))
        life.settled(file, isThere: true)
        let next = life.putNext { _ in "tmp/2" }
        #expect(next == nil)
        _ = life.apply(.taken(by: "second", isFresh: false, at: .zero, files: [Self.attachment("a")]))
        #expect(!life.isPutting(file))
        #expect(life.preparation?.given.isEmpty == true)
    }

    // MARK: Lives

    private static func life(in phase: Phase) -> Life {
        let time = ExtensionTime(wait: .seconds(30), budget: .seconds(20), grace: .seconds(1))
        var life = Life(asked: .seconds(2), time: time)
        advance(&life, to: phase)
        return life
    }

    private static func advance(_ life: inout Life, to phase: Phase) {
        let way: [Event] =
            switch phase {
            case .waiting: []
            case .preparing: [.taken]
            case .ahead: [.sentAhead]
            case .atWork: [.taken, .sent]
            case .collecting: [.taken, .sent, .contentCame]
            case .concluded: [.ended]
            }
        for event in way { _ = life.apply(Self.event(event)) }
    }

    private static func event(_ event: Event) -> Life.Event {
        switch event {
        case .taken: .taken(by: "worker", isFresh: false, at: .seconds(5), files: [])
        case .sent: .sent(requestID: 1)
        case .sentAhead: .sentAhead(to: "worker", requestID: 1)
        case .begun: .begun(at: .seconds(5))
        case .takenBack: .takenBack
        case .contentCame: .contentCame(delivery)
        case .collected: .collected
        case .ended: .ended
        }
    }

    private static var delivery: AttachmentDelivery {
        let content = WorkerMessage.Content(payload: Payload(["aps": [:]]))
        return AttachmentDelivery(content, isLate: false, given: [], folder: nil, hold: nil)
    }

    private static func name(_ phase: Life.Phase) -> Phase {
        switch phase {
        case .waiting: .waiting
        case .preparing: .preparing
        case .ahead: .ahead
        case .atWork: .atWork
        case .collecting: .collecting
        case .concluded: .concluded
        }
    }

    private static func attachment(_ identifier: String) -> HostRuntime.Attachment {
        HostRuntime.Attachment(identifier: identifier, path: "/\(identifier)", type: "public.data", byteCount: 1)
    }
}
