// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import TestClock
import Testing

@testable import UIKit

@MainActor @Suite struct MotionTests {
    /// A window with one view in its box, drawn once.
    @MainActor struct Shown {
        let clock: ManualClock
        let window: UIWindow
        let box: UIView
        let view: UIView

        /// The steps that the window draws until nothing is left, each with its motion.
        func steps() -> [(set: [SceneNode], gone: [UInt32], motion: SceneMotion?)] {
            var steps: [(set: [SceneNode], gone: [UInt32], motion: SceneMotion?)] = []
            for _ in 0..<20 {
                let (set, gone) = window.draw(in: Surroundings.environment) { _ in nil }
                let motion = window.takeMotion()
                guard !set.isEmpty || !gone.isEmpty else { break }
                steps.append((set, gone, motion))
            }
            return steps
        }

        /// The opacities of the view in the steps, with the motion to each.
        func opacities() -> [String] {
            steps().map { step in
                let node = step.set.first { $0.id == view.layer.sceneID }
                let motion = step.motion.map { "\($0.seconds)+\($0.delay) \($0.curve)" } ?? "at once"
                return "\(node.map { "\($0.style.opacity)" } ?? "other") \(motion)"
            }
        }
    }

    /// Runs a test on a stage with a clock of its own.
    static func show(_ body: @MainActor (Shown) async throws -> Void) async throws {
        let clock = ManualClock()
        try await Stage.with(Stage(clock: clock)) {
            let controller = UIViewController(nibName: nil, bundle: nil)
            let box = UIView(frame: CGRect(x: 0, y: 0, width: 360, height: 200))
            let view = UIView(frame: CGRect(x: 10, y: 10, width: 100, height: 50))
            box.addSubview(view)
            controller.view = box
            let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 360, height: 200))
            window.show {}
            window.rootViewController = controller
            let shown = Shown(clock: clock, window: window, box: box, view: view)
            #expect(shown.steps().count == 1)
            try await body(shown)
        }
    }

    /// Lets the main actor run until a condition holds.
    static func wait(until condition: @MainActor () -> Bool) async throws {
        while !condition() { try await Task.turn() }
    }

    @Test("what a block changes moves in its time, and nothing before or behind it does")
    func alone() async throws {
        try await Self.show { shown in
            shown.view.alpha = 0.2
            UIView.animate(withDuration: 0.3, delay: 0.1, options: .curveEaseIn) { shown.view.alpha = 0.8 }
            shown.view.alpha = 0.9
            #expect(shown.opacities() == ["0.2 at once", "0.8 0.3+0.1 easeIn", "0.9 at once"])
        }
    }

    @Test("two blocks of different time in one turn are two steps, of the same time one")
    func twoBlocks() async throws {
        try await Self.show { shown in
            UIView.animate(withDuration: 0.3) { shown.view.alpha = 0.5 }
            UIView.animate(withDuration: 0.3) { shown.view.alpha = 0.4 }
            UIView.animate(withDuration: 2) { shown.view.alpha = 0.3 }
            #expect(shown.opacities() == ["0.4 0.3+0.0 easeInOut", "0.3 2.0+0.0 easeInOut"])
        }
    }

    @Test("a layout that waits is no part of a block, unless the block makes it")
    func layout() async throws {
        try await Self.show { shown in
            let child = UIView()
            child.translatesAutoresizingMaskIntoConstraints = false
            shown.box.addSubview(child)
            let width = child.widthAnchor.constraint(equalToConstant: 50)
            NSLayoutConstraint.activate([
                width, child.heightAnchor.constraint(equalToConstant: 20),
                child.leadingAnchor.constraint(equalTo: shown.box.leadingAnchor),
                child.topAnchor.constraint(equalTo: shown.box.topAnchor),
            ])
            #expect(shown.steps().count == 1)
            width.constant = 80
            UIView.animate(withDuration: 1) { shown.box.layoutIfNeeded() }
            let made = shown.steps()
            #expect(made.map(\.motion?.seconds) == [1])
            #expect(made.first?.set.first?.frame == SceneFrame(0, 0, 80, 20))
            UIView.animate(withDuration: 1) { width.constant = 90 }
            let left = shown.steps()
            #expect(left.map(\.motion?.seconds) == [nil])
        }
    }

    @Test("a block inside another one has the other's time, or its own if it says so")
    func nested() async throws {
        try await Self.show { shown in
            UIView.animate(withDuration: 2) {
                shown.view.alpha = 0.5
                UIView.animate(withDuration: 0.1) { shown.box.alpha = 0.5 }
            }
            let together = shown.steps()
            #expect(together.map(\.motion?.seconds) == [2])
            #expect(together.first?.set.count == 2)
            UIView.animate(withDuration: 2) {
                shown.view.alpha = 0.4
                UIView.animate(withDuration: 0.1, delay: 0, options: .overrideInheritedDuration) {
                    shown.view.alpha = 0.3
                }
            }
            #expect(shown.opacities() == ["0.4 2.0+0.0 easeInOut", "0.3 0.1+0.0 easeInOut"])
        }
    }

    @Test("performWithoutAnimation keeps changes from moving, inside a block too")
    func still() async throws {
        try await Self.show { shown in
            UIView.animate(withDuration: 1) {
                shown.view.alpha = 0.5
                UIView.performWithoutAnimation { shown.view.alpha = 0.4 }
                shown.view.alpha = 0.3
            }
            #expect(shown.opacities() == ["0.5 1.0+0.0 easeInOut", "0.4 at once", "0.3 1.0+0.0 easeInOut"])
            UIView.setAnimationsEnabled(false)
            UIView.animate(withDuration: 1) { shown.view.alpha = 0.1 }
            UIView.setAnimationsEnabled(true)
            #expect(shown.opacities() == ["0.1 at once"])
        }
    }

    @Test("a completion comes when delay and time are over, in the order of their ends, with true")
    func completion() async throws {
        try await Self.show { shown in
            var ends: [String] = []
            UIView.animate(withDuration: 2, animations: { shown.view.alpha = 0.5 }) { ends.append("two \($0)") }
            UIView.animate(withDuration: 0.5, delay: 0.5) {
                shown.view.alpha = 0.4
            } completion: {
                ends.append("one \($0)")
            }
            await shown.clock.sleeper(until: .seconds(1))
            #expect(ends.isEmpty)
            shown.clock.advance(to: .seconds(1))
            try await Self.wait { ends.count == 1 }
            await shown.clock.sleeper(until: .seconds(2))
            shown.clock.advance(to: .seconds(2))
            try await Self.wait { ends.count == 2 }
            #expect(ends == ["one true", "two true"])
        }
    }

    @Test("the completion of a block that changes nothing comes with the next turn")
    func nothing() async throws {
        try await Self.show { shown in
            var isOver = false
            UIView.animate(withDuration: 5, animations: { shown.view.alpha = 1 }) { _ in isOver = true }
            #expect(!isOver)
            try await Self.wait { isOver }
            #expect(shown.clock.now.offset == .zero)
        }
    }

    @Test("times beyond a scene's are its greatest, and what is no number is none")
    func bounds() async throws {
        try await Self.show { shown in
            UIView.animate(withDuration: 1e9, delay: .infinity) { shown.view.alpha = 0.5 }
            UIView.animate(withDuration: .nan, delay: -1) { shown.view.alpha = 0.4 }
            #expect(shown.opacities() == ["0.5 10.0+10.0 easeInOut", "0.4 at once"])
        }
    }

    @Test("keyframes are played one by one, and what is left of them is the end")
    func keyframes() async throws {
        try await Self.show { shown in
            UIView.animateKeyframes(withDuration: 4, delay: 0) {
                UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) { shown.view.alpha = 0.5 }
                UIView.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) { shown.view.alpha = 0.1 }
            }
            #expect(shown.view.alpha == 0.1)
            #expect(shown.opacities() == ["1.0 at once", "0.5 2.0+0.0 linear"])
            await shown.clock.sleeper(until: .seconds(2))
            shown.clock.advance(to: .seconds(2))
            await shown.clock.sleeper(until: .seconds(4))
            #expect(shown.opacities() == ["0.1 2.0+0.0 linear"])
            shown.clock.advance(to: .seconds(4))
            try await Self.wait { Stage.current.playCount == 0 }
            #expect(shown.opacities() == [])
        }
    }

    @Test("a change by others in the middle of keyframes is shown at once")
    func keyframesLeft() async throws {
        try await Self.show { shown in
            UIView.animateKeyframes(withDuration: 4, delay: 0) {
                UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 0.5) { shown.view.alpha = 0.5 }
                UIView.addKeyframe(withRelativeStartTime: 0.5, relativeDuration: 0.5) { shown.view.alpha = 0.1 }
            }
            _ = shown.steps()
            shown.view.alpha = 0.7
            #expect(shown.opacities() == ["0.7 at once"])
            shown.clock.advance(to: .seconds(2))
            try await Self.wait { Stage.current.playCount == 0 }
            #expect(shown.opacities() == [])
        }
    }

    @Test("an animation that repeats goes there and back until it is taken away")
    func repeating() async throws {
        try await Self.show { shown in
            UIView.animate(withDuration: 1, delay: 0, options: [.repeat, .autoreverse, .curveLinear]) {
                shown.view.alpha = 0.2
            }
            #expect(shown.opacities() == ["1.0 at once", "0.2 1.0+0.0 linear"])
            for second in 1...3 {
                await shown.clock.sleeper(until: .seconds(second))
                shown.clock.advance(to: .seconds(second))
                await shown.clock.sleeper(until: .seconds(second + 1))
                #expect(shown.opacities() == ["\(second % 2 == 1 ? 1.0 : 0.2) 1.0+0.0 linear"])
            }
            shown.view.layer.removeAllAnimations()
            #expect(shown.opacities() == ["0.2 at once"])
        }
    }

    @Test("a property animator has the states of Apple's, and calls its completions at the end")
    func animator() async throws {
        try await Self.show { shown in
            var places: [UIViewAnimatingPosition] = []
            let animator = UIViewPropertyAnimator(duration: 2, curve: .easeOut) { shown.view.alpha = 0.5 }
            animator.addCompletion { places.append($0) }
            #expect(animator.state == .inactive)
            #expect(shown.opacities() == [])
            animator.startAnimation()
            #expect(animator.state == .active)
            #expect(animator.isRunning)
            #expect(shown.opacities() == ["0.5 2.0+0.0 easeOut"])
            shown.clock.advance(to: .seconds(1))
            #expect(animator.fractionComplete == 0.5)
            shown.clock.advance(to: .seconds(2))
            try await Self.wait { !places.isEmpty }
            #expect(places == [.end])
            #expect(animator.state == .inactive)
        }
    }

    @Test("a view that went and came back is another node")
    func again() async throws {
        try await Self.show { shown in
            let before = shown.view.layer.sceneID
            shown.view.removeFromSuperview()
            #expect(shown.steps().map(\.gone) == [[before]])
            shown.box.addSubview(shown.view)
            let steps = shown.steps()
            #expect(steps.map { $0.set.map(\.id) } == [[before + 1]])
        }
    }

    @Test("what comes in one step and goes in the same is never told")
    func merged() async throws {
        try await Self.show { shown in
            let guest = UIView(frame: CGRect(x: 0, y: 0, width: 5, height: 5))
            UIView.animate(withDuration: 1) {
                shown.view.alpha = 0.5
                shown.box.addSubview(guest)
            }
            UIView.animate(withDuration: 1) { guest.removeFromSuperview() }
            let steps = shown.steps()
            #expect(steps.map { $0.set.map(\.id) } == [[shown.view.layer.sceneID]])
            #expect(steps.first?.gone == [])
        }
    }

    @Test("calls of a timeline come by their time, those of one time in their order, and none is called twice")
    func timeline() async throws {
        let clock = ManualClock()
        let timeline = Timeline(clock: clock)
        var calls: [Int] = []
        timeline.call(after: 2) { calls.append(4) }
        timeline.call(after: 1) { calls.append(1) }
        timeline.call(after: 1) {
            calls.append(2)
            timeline.call(after: 0) { calls.append(3) }
        }
        let taken = timeline.call(after: 1) { calls.append(9) }
        timeline.cancel(taken)
        await clock.sleeper(until: .seconds(1))
        clock.advance(to: .seconds(1))
        await clock.sleeper(until: .seconds(2))
        clock.advance(to: .seconds(2))
        try await Self.wait { calls.count == 4 }
        #expect(calls == [1, 2, 3, 4])
        timeline.call(after: 1) { calls.append(9) }
        await clock.sleeper(until: .seconds(3))
        timeline.end()
        clock.advance(to: .seconds(3))
        #expect(calls == [1, 2, 3, 4])
    }
}
