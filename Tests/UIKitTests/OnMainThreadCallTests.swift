// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import TestClock
import Testing

@testable import UIKit

/// A function of UIKit that code calls on another thread, and what is otherwise once it has had its effect.
@MainActor private struct OtherCall {
    let name: String
    /// Calls the function.
    let call: @MainActor () -> Void
    /// True once the function has had its effect.
    let isMade: @MainActor () -> Bool

    init(_ name: String, _ call: @escaping @MainActor () -> Void, isMade: @escaping @MainActor () -> Bool) {
        (self.name, self.call, self.isMade) = (name, call, isMade)
    }
}

/// Functions that code calls on another thread than the main one, as completion handlers of `URLSession` do.
///
/// None of them ends the process there; each has its effect with a later turn of the main queue.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) struct OnMainThreadCallTests {
    private static func views(_ count: Int) -> [UIView] { (0..<count).map { _ in UIView.box(10, 10) } }

    /// A view with views in it.
    private static func box(_ views: [UIView]) -> UIView {
        let box = UIView.box(100, 100)
        for view in views { box.addSubview(view) }
        return box
    }

    /// A layer with layers in it.
    private static func layer(_ layers: [CALayer]) -> CALayer {
        let layer = CALayer()
        for inner in layers { layer.addSublayer(inner) }
        return layer
    }

    private static var controls: [OtherCall] {
        let (listener, action) = (Listener(), UIAction { _ in })
        let fresh = (0..<2).map { _ in UIControl() }
        let used = (0..<4).map { _ in UIControl() }
        let field = UITextField()
        for control in used {
            control.addTarget(listener, action: "plain", for: .touchUpInside)
            control.addAction(action, for: .valueChanged)
        }
        return [
            OtherCall("addTarget") {
                fresh[0].addTarget(listener, action: "plain", for: .touchUpInside)
            } isMade: {
                fresh[0].allControlEvents == .touchUpInside
            },
            OtherCall("addAction") {
                fresh[1].addAction(action, for: .valueChanged)
            } isMade: {
                fresh[1].allControlEvents == .valueChanged
            },
            OtherCall("removeTarget") {
                used[0].removeTarget(listener, action: nil, for: .allEvents)
            } isMade: {
                used[0].allControlEvents == .valueChanged
            },
            OtherCall("removeAction") {
                used[1].removeAction(action, for: .allEvents)
            } isMade: {
                used[1].allControlEvents == .touchUpInside
            },
            OtherCall("removeAction(identifiedBy:)") {
                used[2].removeAction(identifiedBy: action.identifier, for: .allEvents)
            } isMade: {
                used[2].allControlEvents == .touchUpInside
            },
            OtherCall("sendActions") {
                used[3].sendActions(for: .touchUpInside)
            } isMade: {
                listener.calls == ["plain"]
            },
            OtherCall("insertText") {
                field.insertText("A")
            } isMade: {
                field.text == "A"
            },
        ]
    }

    private static var hierarchy: [OtherCall] {
        let views = Self.views(3)
        let (back, front, exchange, below, above, index) = (
            Self.views(3), Self.views(3), Self.views(3), Self.views(2), Self.views(2), Self.views(2)
        )
        let boxes = [back, front, exchange, below, above, index].map { box($0) }
        let taps = (0..<4).map { _ in UITapGestureRecognizer() }
        let (two, one) = (UIView(), UIView())
        for tap in taps[2...] { one.addGestureRecognizer(tap) }
        return [
            OtherCall("sendSubviewToBack") {
                boxes[0].sendSubviewToBack(back[2])
            } isMade: {
                boxes[0].subviews == [back[2], back[0], back[1]]
            },
            OtherCall("bringSubviewToFront") {
                boxes[1].bringSubviewToFront(front[0])
            } isMade: {
                boxes[1].subviews == [front[1], front[2], front[0]]
            },
            OtherCall("exchangeSubview") {
                boxes[2].exchangeSubview(at: 0, withSubviewAt: 2)
            } isMade: {
                boxes[2].subviews == exchange.reversed()
            },
            OtherCall("insertSubview(belowSubview:)") {
                boxes[3].insertSubview(views[0], belowSubview: below[1])
            } isMade: {
                boxes[3].subviews == [below[0], views[0], below[1]]
            },
            OtherCall("insertSubview(aboveSubview:)") {
                boxes[4].insertSubview(views[1], aboveSubview: above[0])
            } isMade: {
                boxes[4].subviews == [above[0], views[1], above[1]]
            },
            OtherCall("insertSubview(at:)") {
                boxes[5].insertSubview(views[2], at: 1)
            } isMade: {
                boxes[5].subviews == [index[0], views[2], index[1]]
            },
            OtherCall("addGestureRecognizer, twice") {
                for tap in taps[..<2] { two.addGestureRecognizer(tap) }
            } isMade: {
                two.gestureRecognizers == Array(taps[..<2])
            },
            OtherCall("removeGestureRecognizer") {
                one.removeGestureRecognizer(taps[2])
            } isMade: {
                one.gestureRecognizers == [taps[3]]
            },
        ]
    }

    private static var layers: [OtherCall] {
        let news = (0..<6).map { _ in CALayer() }
        let olds = (0..<8).map { _ in [CALayer(), CALayer()] }
        let layers = olds.map { layer($0) }
        let animation = CABasicAnimation(keyPath: "opacity")
        for layer in layers[6...] { layer.add(animation, forKey: "fade") }
        return [
            OtherCall("addSublayer") {
                layers[0].addSublayer(news[0])
            } isMade: {
                layers[0].sublayers == olds[0] + [news[0]]
            },
            OtherCall("insertSublayer(at:)") {
                layers[1].insertSublayer(news[1], at: 1)
            } isMade: {
                layers[1].sublayers == [olds[1][0], news[1], olds[1][1]]
            },
            OtherCall("insertSublayer(above:)") {
                layers[2].insertSublayer(news[2], above: olds[2][0])
            } isMade: {
                layers[2].sublayers == [olds[2][0], news[2], olds[2][1]]
            },
            OtherCall("insertSublayer(below:)") {
                layers[3].insertSublayer(news[3], below: olds[3][0])
            } isMade: {
                layers[3].sublayers == [news[3]] + olds[3]
            },
            OtherCall("replaceSublayer") {
                layers[4].replaceSublayer(olds[4][0], with: news[4])
            } isMade: {
                layers[4].sublayers == [news[4], olds[4][1]]
            },
            OtherCall("removeFromSuperlayer") {
                olds[5][0].removeFromSuperlayer()
            } isMade: {
                layers[5].sublayers == [olds[5][1]]
            },
            OtherCall("removeAnimation") {
                layers[6].removeAnimation(forKey: "fade")
            } isMade: {
                layers[6].animationKeys() == nil
            },
            OtherCall("removeAllAnimations") {
                layers[7].removeAllAnimations()
            } isMade: {
                layers[7].animationKeys() == nil
            },
            OtherCall("add(_:forKey:)") {
                news[5].add(animation, forKey: "fade")
            } isMade: {
                news[5].animationKeys() == ["fade"]
            },
        ]
    }

    private static var containers: [OtherCall] {
        let views = Self.views(7)
        let stacks = [views[0...1], views[2...3], views[4...5]].map { UIStackView(arrangedSubviews: Array($0)) }
        let parents = (0..<2).map { _ in UIViewController() }
        let children = (0..<2).map { _ in UIViewController() }
        parents[1].addChild(children[1])
        return [
            OtherCall("insertArrangedSubview") {
                stacks[0].insertArrangedSubview(views[6], at: 1)
            } isMade: {
                stacks[0].arrangedSubviews == [views[0], views[6], views[1]]
            },
            OtherCall("removeArrangedSubview") {
                stacks[1].removeArrangedSubview(views[2])
            } isMade: {
                stacks[1].arrangedSubviews == [views[3]]
            },
            OtherCall("setCustomSpacing") {
                stacks[2].setCustomSpacing(7, after: views[4])
            } isMade: {
                stacks[2].customSpacing(after: views[4]) == 7
            },
            OtherCall("addChild") {
                parents[0].addChild(children[0])
            } isMade: {
                children[0].parent === parents[0]
            },
            OtherCall("removeFromParent") {
                children[1].removeFromParent()
            } isMade: {
                children[1].parent == nil
            },
        ]
    }

    private static var motions: [OtherCall] {
        let views = Self.views(9)
        let box = Self.box([views[5]])
        let animator = UIViewPropertyAnimator(duration: 0, curve: .linear) { views[7].alpha = 0 }
        return [
            OtherCall("animate(withDuration:)") {
                UIView.animate(withDuration: 0) { views[0].alpha = 0 }
            } isMade: {
                views[0].alpha == 0
            },
            OtherCall("animate(usingSpringWithDamping:)") {
                UIView.animate(withDuration: 0, delay: 0, usingSpringWithDamping: 1, initialSpringVelocity: 0) {
                    views[1].alpha = 0
                }
            } isMade: {
                views[1].alpha == 0
            },
            OtherCall("animate(springDuration:)") {
                UIView.animate(springDuration: 0, animations: OtherThread.plain { views[2].alpha = 0 })
            } isMade: {
                views[2].alpha == 0
            },
            OtherCall("animateKeyframes") {
                UIView.animateKeyframes(withDuration: 0, delay: 0) {
                    UIView.addKeyframe(withRelativeStartTime: 0, relativeDuration: 1) { views[3].alpha = 0 }
                }
            } isMade: {
                views[3].alpha == 0
            },
            OtherCall("transition(with:)") {
                UIView.transition(with: views[4], duration: 0) { views[4].alpha = 0 }
            } isMade: {
                views[4].alpha == 0
            },
            OtherCall("transition(from:to:)") {
                UIView.transition(from: views[5], to: views[6], duration: 0)
            } isMade: {
                box.subviews == [views[6]]
            },
            OtherCall("startAnimation") {
                animator.startAnimation()
            } isMade: {
                views[7].alpha == 0
            },
            OtherCall("performWithoutAnimation") {
                UIView.performWithoutAnimation(OtherThread.plain { views[8].alpha = 0 })
            } isMade: {
                views[8].alpha == 0
            },
        ]
    }

    private static var values: [OtherCall] {
        let (first, second, later) = (
            Date(timeIntervalSince1970: 1000), Date(timeIntervalSince1970: 2000), Date(timeIntervalSince1970: 3000)
        )
        let pickers = (0..<3).map { _ in UIDatePicker() }
        let (layer, shown, wheel) = (CALayer(), UIView.box(10, 10), UIActivityIndicatorView(style: .medium))
        let segments = UISegmentedControl(items: ["A"])
        let effect = UIVisualEffectView(effect: nil)
        return [
            OtherCall("date") {
                pickers[0].date = first
            } isMade: {
                pickers[0].date == first
            },
            OtherCall("date before minimumDate") {
                pickers[1].date = second
                pickers[1].minimumDate = first
            } isMade: {
                pickers[1].date == second && pickers[1].minimumDate == first
            },
            OtherCall("date before maximumDate") {
                pickers[2].date = second
                pickers[2].maximumDate = later
            } isMade: {
                pickers[2].date == second && pickers[2].maximumDate == later
            },
            OtherCall("opacity") {
                layer.opacity = 0.5
            } isMade: {
                layer.opacity == 0.5
            },
            OtherCall("autoresizingMask") {
                shown.autoresizingMask = .flexibleWidth
            } isMade: {
                shown.autoresizingMask == .flexibleWidth
            },
            OtherCall("layoutMargins") {
                shown.layoutMargins.top = 1
            } isMade: {
                shown.layoutMargins.top == 1
            },
            OtherCall("setContentHuggingPriority") {
                shown.setContentHuggingPriority(.required, for: .vertical)
            } isMade: {
                shown.contentHuggingPriority(for: .vertical) == .required
            },
            OtherCall("insertSegment and setTitle") {
                segments.insertSegment(withTitle: "B", at: 1, animated: false)
                segments.setTitle("C", forSegmentAt: 1)
                segments.selectedSegmentIndex = 1
            } isMade: {
                segments.titleForSegment(at: 1) == "C" && segments.selectedSegmentIndex == 1
            },
            OtherCall("hidesWhenStopped") {
                wheel.hidesWhenStopped = false
            } isMade: {
                !wheel.isHidden
            },
            OtherCall("effect") {
                effect.effect = UIBlurEffect(style: .dark)
            } isMade: {
                effect.backgroundColor != nil
            },
        ]
    }

    @Test("A function that is called on another thread has its effect with a later turn of the main queue")
    func calls() async {
        await Stage.with(Stage(clock: ManualClock())) {
            let calls = Self.controls + Self.hierarchy + Self.layers + Self.containers + Self.motions + Self.values
            #expect(calls.count == 47)
            for other in calls {
                #expect(!other.isMade(), "\(other.name), before it is called")
                OtherThread.run(other.call)
                #expect(!other.isMade(), "\(other.name), on the other thread")
                await OtherThread.turn()
                #expect(other.isMade(), "\(other.name), after a turn")
            }
        }
    }

    @Test("A change on another thread has the window drawn")
    func wakes() async throws {
        let label = UILabel(frame: rect(0, 0, 10, 10))
        let shown = ShownView(label)
        _ = try shown.drawn()
        var wakes = 0
        shown.window.show { wakes += 1 }
        let changes: [@MainActor () -> Void] = [
            { label.layer.opacity = 0.5 }, { label.text = "A" }, { label.autoresizingMask = [] },
        ]
        for change in changes {
            wakes = 0
            OtherThread.run(change)
            #expect(wakes == 0)
            await OtherThread.turn()
            #expect(wakes > 0)
        }
        #expect(try shown.drawn().style.opacity == 0.5)
    }

    @Test("The completion of an animation of another thread is called with true, on the main thread")
    func completion() async throws {
        var ends: [Bool] = []
        let view = UIView()
        OtherThread.run {
            UIView.animate(withDuration: 0) {
                view.alpha = 0
            } completion: {
                ends.append($0 && MainThread.isCurrent)
            }
        }
        try await MotionTests.wait { !ends.isEmpty }
        #expect(ends == [true])
        #expect(view.alpha == 0)
    }
}
