// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import SceneModel
import Testing
import WorkerProtocol

@testable import WorkerSupervisor

/// Each step of a view's life, as values.
struct ViewLifeTests {
    private static let opening = ViewOpening(
        notification: ShownNotification(identifier: "a", date: "2026-11-21T03:00:00.123Z", payload: Payload([:])),
        environment: ViewEnvironment()
    )
    private static let scene = SceneUpdate(set: [SceneNode(id: 1, up: 0, .view)])

    /// A life that has its first scene.
    private func live(at now: Duration = .zero) -> ViewLife {
        var life = ViewLife(Self.opening, now: now)
        _ = life.entersService()
        _ = life.said(Self.scene, now: now)
        return life
    }

    @Test func `a view is opened once its process serves, and shown with its first scene`() {
        var life = ViewLife(Self.opening, now: .zero)
        #expect(!life.takesEvents)
        let step1 = life.entersService()
        #expect(step1 == .open(Self.opening))
        let step2 = life.entersService()
        #expect(step2 == .nothing)
        #expect(life.takesEvents)
        let step3 = life.said(Self.scene, now: .zero)
        #expect(step3 == [.show(Self.scene)])
        let step4 = life.firstSceneIsDue()
        #expect(step4 == .nothing)
        #expect(life.isOpen)
    }

    @Test func `what comes before a view is open changes what it opens with`() {
        var life = ViewLife(Self.opening, now: .zero)
        let newer = ShownNotification(identifier: "b", date: "2026-11-21T03:00:01.000Z", payload: Payload(["n": 1]))
        let place = ViewEnvironment(width: 300, style: .dark)
        life.amend(.notification(newer))
        life.amend(.event(.environment(place)))
        life.amend(.event(.media(.play)))
        let step = life.entersService()
        #expect(step == .open(ViewOpening(notification: newer, environment: place)))
        life.amend(.notification(newer))
        #expect(life.takesEvents)
    }

    @Test func `without a scene in time it is slow`() {
        var starting = ViewLife(Self.opening, now: .zero)
        let step5 = starting.firstSceneIsDue()
        #expect(step5 == .kill(.slow))
        var waiting = ViewLife(Self.opening, now: .zero)
        _ = waiting.entersService()
        let step6 = waiting.firstSceneIsDue()
        #expect(step6 == .kill(.slow))
        let step7 = waiting.firstSceneIsDue()
        #expect(step7 == .nothing)
        let step8 = waiting.said(Self.scene, now: .zero)
        #expect(step8.isEmpty)
    }

    @Test func `it is closed once, politely when it serves`() {
        var starting = ViewLife(Self.opening, now: .zero)
        let step9 = starting.close()
        #expect(step9 == .kill(.closed))
        var life = live()
        let step10 = life.close()
        #expect(step10 == .dismiss(.closed))
        let step11 = life.close()
        #expect(step11 == .nothing)
        let step12 = life.kill(.memoryLimitExceeded)
        #expect(step12 == .nothing)
        let step13 = life.ended(.crashed)
        #expect(step13 == .nothing)
        #expect(!life.takesEvents)
    }

    @Test(arguments: [ViewEnd.crashed, .gone, .memoryLimitExceeded])
    func `the end of its process is told with its cause, and before it was ready as not started`(cause: ViewEnd) {
        var life = live()
        let step14 = life.ended(cause)
        #expect(step14 == .tell(cause))
        let step15 = life.ended(cause)
        #expect(step15 == .nothing)
        var starting = ViewLife(Self.opening, now: .zero)
        let step16 = starting.ended(cause)
        #expect(step16 == .tell(.notStarted))
    }

    @Test(arguments: [
        SceneCall.dismiss, .option(.dismiss, response: 1), .option(.dismissAndForwardAction, response: 1),
    ])
    func `it ends by its own call, behind the scene that makes it`(call: SceneCall) {
        var life = live()
        let update = SceneUpdate(calls: [call])
        let step17 = life.said(update, now: .zero)
        #expect(step17 == [.show(update), .dismiss(.dismissed)])
    }

    @Test func `it starts its app within five seconds of a person's act, and not by being looked at`() {
        let update = SceneUpdate(calls: [.mediaStarted, .defaultAction])
        let without = SceneUpdate(calls: [.mediaStarted])
        var untouched = live()
        let step18 = untouched.said(update, now: .seconds(1))
        #expect(step18 == [.show(without)])
        var touched = live()
        touched.stir(isAct: true, now: .seconds(10))
        let step20 = touched.said(update, now: .seconds(15))
        #expect(step20 == [.show(update), .dismiss(.dismissed)])
        var late = live()
        late.stir(isAct: true, now: .seconds(10))
        let step22 = late.said(update, now: .seconds(15) + .nanoseconds(1))
        #expect(step22 == [.show(without)])
        #expect(late.isOpen)
    }

    @Test func `an act of a person waits from the first that no acknowledgement has followed`() {
        var life = live()
        life.stir(isAct: false, now: .seconds(1))
        #expect(life.unanswered == nil)
        life.stir(isAct: true, now: .seconds(2))
        life.stir(isAct: true, now: .seconds(3))
        #expect(life.unanswered == .seconds(2))
        _ = life.said(SceneUpdate(), lastEvent: 2, now: .seconds(4))
        #expect(life.unanswered == .seconds(2))
        _ = life.said(SceneUpdate(acknowledged: 1), lastEvent: 2, now: .seconds(5))
        #expect(life.unanswered == .seconds(5))
        _ = life.said(SceneUpdate(acknowledged: 2), lastEvent: 2, now: .seconds(6))
        #expect(life.unanswered == nil)
    }

    @Test func `an update without a node is no first scene`() {
        var life = ViewLife(Self.opening, now: .zero)
        _ = life.entersService()
        let step = life.said(SceneUpdate(), isEmpty: true, now: .zero)
        #expect(step == [.show(SceneUpdate())])
        let late = life.firstSceneIsDue()
        #expect(late == .kill(.slow))
    }

    @Test func `what follows from an act keeps it open, and is none`() {
        var life = live()
        life.stir(isAct: false, now: .seconds(10))
        #expect(life.stirred == .seconds(10))
        let step = life.said(SceneUpdate(calls: [.defaultAction]), now: .seconds(10))
        #expect(step == [.show(SceneUpdate())])
    }

    // MARK: Processor and memory

    @Test func `a view may compute ten seconds in all, and half of ten without an event`() {
        var use = ViewUse()
        func look(_ used: Duration, _ now: Duration, stirred: Duration = .zero, memory: UInt64 = 1) -> ViewEnd? {
            use.excess(memoryByteCount: memory, limitByteCount: 10, used: used, stirred: stirred, now: now)
        }
        #expect(look(.zero, .zero, memory: 10) == nil)
        #expect(look(.zero, .zero, memory: 11) == .memoryLimitExceeded)
        #expect(look(.seconds(4), .seconds(9)) == nil)
        #expect(look(.seconds(5), .seconds(10)) == nil)
        // An event begins the span anew.
        #expect(look(.seconds(8), .seconds(19), stirred: .seconds(19)) == nil)
        #expect(look(.seconds(9), .seconds(28), stirred: .seconds(19)) == nil)
        #expect(look(.seconds(10), .seconds(29), stirred: .seconds(19)) == nil)
        #expect(look(.seconds(10) + .nanoseconds(1), .seconds(30), stirred: .seconds(19)) == .cpu)
        use = ViewUse()
        #expect(look(.zero, .zero) == nil)
        #expect(look(.seconds(5) + .nanoseconds(1), .seconds(10)) == .cpu)
    }
}
