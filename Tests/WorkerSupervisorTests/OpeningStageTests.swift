// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import WorkerSupervisor

/// The stage of one opening after each event that can happen to it, without a process.
struct OpeningStageTests {
    enum Event: CaseIterable {
        case turn, notHanded, answer, gaveUp, death, silence
    }

    /// A row for each stage and event; `nil` means that the opening is concluded.
    private static func stage(after event: Event, in stage: OpeningDesk.Stage) -> OpeningDesk.Stage? {
        switch (stage, event) {
        case (.waiting, .turn), (.takenBack, .turn): .inHand
        case (.waiting, .notHanded), (.waiting, .answer), (.waiting, .death), (.waiting, .silence): .waiting
        case (.takenBack, .notHanded), (.takenBack, .answer), (.takenBack, .death), (.takenBack, .silence): .takenBack
        case (.waiting, .gaveUp), (.takenBack, .gaveUp): nil
        case (.inHand, .turn): .inHand
        case (.inHand, .gaveUp): .abandoned
        case (.inHand, .death): .takenBack
        // Alone with a silent opener it is the culprit.
        case (.inHand, .notHanded), (.inHand, .answer), (.inHand, .silence): nil
        case (.abandoned, .turn), (.abandoned, .gaveUp): .abandoned
        case (.abandoned, .notHanded), (.abandoned, .answer), (.abandoned, .death), (.abandoned, .silence): nil
        }
    }

    @Test(arguments: OpeningDesk.Stage.allCases, Event.allCases)
    func `each event leads from each stage to one stage`(stage: OpeningDesk.Stage, event: Event) {
        var desk = Self.desk(with: 1, in: stage)
        #expect(desk.stage(of: 1) == stage)
        switch event {
        case .turn: _ = desk.next(now: .zero)
        case .notHanded: desk.notHanded(1)
        case .answer: _ = desk.answered(1)
        case .gaveUp: desk.gaveUp(1, of: "a")
        case .death: _ = desk.openerDied(now: .zero)
        case .silence: _ = desk.openerDied(wasSilent: true, now: .zero)
        }
        #expect(desk.stage(of: 1) == Self.stage(after: event, in: stage))
    }

    @Test(arguments: OpeningDesk.Stage.allCases)
    func `an opening is concluded by a death exactly when the verdict names it or nobody waits`(
        stage: OpeningDesk.Stage
    ) {
        var desk = Self.desk(with: 1, in: stage)
        let verdict = desk.openerDied(wasSilent: true, now: .zero)
        #expect(verdict.concluded == (stage == .inHand ? [1] : []))
    }

    @Test func `an opening that was taken back is concluded by the second death`() {
        var desk = Self.desk(with: 1, in: .takenBack)
        let handed = desk.next(now: .zero)
        #expect(handed == 1)
        let verdict = desk.openerDied(now: .zero)
        #expect(verdict.concluded == [1])
        #expect(desk.stage(of: 1) == nil)
    }

    @Test func `nothing happens to an opening that is concluded`() {
        var desk = Self.desk(with: 1, in: .inHand)
        let answers = [desk.answered(1), desk.answered(1)]
        #expect(answers == [true, false])
        desk.gaveUp(1, of: "a")
        desk.notHanded(1)
        let verdict = desk.openerDied(now: .zero)
        #expect(verdict.concluded == [])
        let next = desk.next(now: .zero)
        #expect(next == nil)
        #expect(desk.stage(of: 1) == nil)
    }

    private static func desk(with id: UInt64, in stage: OpeningDesk.Stage) -> OpeningDesk {
        var desk = OpeningDesk()
        _ = desk.take(id, of: "a")
        guard stage != .waiting else { return desk }
        _ = desk.next(now: .zero)
        switch stage {
        case .waiting, .inHand: break
        case .abandoned: desk.gaveUp(id, of: "a")
        case .takenBack: _ = desk.openerDied(now: .zero)
        }
        return desk
    }
}
