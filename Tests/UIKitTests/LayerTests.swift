// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import TestClock
import Testing

@testable import UIKit

@MainActor @Suite struct LayerTests {
    typealias Shown = MotionTests.Shown

    /// Draws one layer in the box of a window, and returns its node.
    static func node(of layer: CALayer) async throws -> SceneNode? {
        var node: SceneNode?
        try await MotionTests.show { shown in
            shown.box.layer.addSublayer(layer)
            node = shown.steps().last?.set.first { $0.id == layer.sceneID }
        }
        return node
    }

    // MARK: Kinds

    @Test(
        "a gradient goes from the first colour to the last, in the direction of its points in the layer's size",
        arguments: [
            (CGPoint(x: 0.5, y: 0), CGPoint(x: 0.5, y: 1), 180.0), (CGPoint(x: 0, y: 0.5), CGPoint(x: 1, y: 0.5), 90),
            (CGPoint(x: 0.5, y: 1), CGPoint(x: 0.5, y: 0), 0), (CGPoint(x: 1, y: 0), CGPoint(x: 0, y: 0), 270),
            (CGPoint(x: 0, y: 0), CGPoint(x: 1, y: 1), 116.565), (CGPoint(x: 0, y: 0), CGPoint(x: 0, y: 0), 180),
        ] as [(CGPoint, CGPoint, Double)]
    )
    func gradient(start: CGPoint, end: CGPoint, angle: Double) async throws {
        let layer = CAGradientLayer()
        layer.frame = CGRect(x: 0, y: 0, width: 200, height: 100)
        layer.colors = [UIColor.red.cgColor, UIColor.green.cgColor, UIColor.blue.cgColor]
        (layer.startPoint, layer.endPoint) = (start, end)
        let node = try await Self.node(of: layer)
        let expected = SceneStyle.Gradient(from: SceneColor(0xFF00_00FF), to: SceneColor(0x0000_FFFF), angle: angle)
        #expect(node?.style.gradient == expected)
    }

    @Test("a shape layer is drawn where its path is, a line with one half outside")
    func shape() async throws {
        let layer = CAShapeLayer()
        layer.path = UIBezierPath(roundedRect: CGRect(x: 20, y: 30, width: 100, height: 40), cornerRadius: 10).cgPath
        layer.fillColor = UIColor.red.cgColor
        layer.strokeColor = UIColor.blue.cgColor
        layer.lineWidth = 4
        let node = try await Self.node(of: layer)
        #expect(node?.frame == SceneFrame(18, 28, 104, 44))
        #expect(node?.style.radius == 12)
        #expect(node?.style.background == SceneColor(0xFF00_00FF))
        #expect(node?.style.border == SceneStyle.Border(width: 4, color: SceneColor(0x0000_FFFF)))
    }

    @Test("a circle by its arc has half its width as radius; a part of one, and of its line, is not drawn")
    func circle() async throws {
        let layer = CAShapeLayer()
        let center = CGPoint(x: 50, y: 50)
        layer.path =
            UIBezierPath(
                arcCenter: center,
                radius: 40,
                startAngle: -.pi / 2,
                endAngle: 1.5 * .pi,
                clockwise: true
            ).cgPath
        layer.fillColor = nil
        layer.strokeColor = UIColor.blue.cgColor
        layer.lineWidth = 10
        let whole = try await Self.node(of: layer)
        #expect(whole?.frame == SceneFrame(5, 5, 90, 90))
        #expect(whole?.style.radius == 45)
        #expect(whole?.style.border?.width == 10)
        layer.removeFromSuperlayer()
        layer.strokeEnd = 0.5
        let part = try await Self.node(of: layer)
        #expect(part?.style.border == nil)
        layer.removeFromSuperlayer()
        layer.path = UIBezierPath(arcCenter: center, radius: 40, startAngle: 0, endAngle: 1, clockwise: true).cgPath
        let arc = try await Self.node(of: layer)
        #expect(arc?.style == SceneStyle())
    }

    @Test("a straight line is a thin rectangle, and steps around a rectangle are one")
    func lines() async throws {
        let layer = CAShapeLayer()
        let line = UIBezierPath()
        line.move(to: CGPoint(x: 10, y: 20))
        line.addLine(to: CGPoint(x: 110, y: 20))
        layer.path = line.cgPath
        layer.strokeColor = UIColor.red.cgColor
        layer.lineWidth = 2
        let node = try await Self.node(of: layer)
        #expect(node?.frame == SceneFrame(10, 19, 100, 2))
        #expect(node?.style.background == SceneColor(0xFF00_00FF))
        let box = CGMutablePath()
        box.addLines(between: [(0, 0), (0, 5), (8, 5), (8, 0)].map { CGPoint(x: $0.0, y: $0.1) })
        box.closeSubpath()
        #expect(PathShape(box) == .rectangle(CGRect(x: 0, y: 0, width: 8, height: 5), 0))
        box.addLine(to: CGPoint(x: 3, y: 3))
        #expect(PathShape(box) == nil)
    }

    @Test(
        "a straight line ends at its end points, or half a width behind them, and a part of it is drawn",
        arguments: [
            (.butt, 0, 1, SceneFrame(10, 15, 100, 10), 0), (.square, 0, 1, SceneFrame(5, 15, 110, 10), 0),
            (.round, 0, 1, SceneFrame(5, 15, 110, 10), 5), (.butt, 0.25, 0.75, SceneFrame(35, 15, 50, 10), 0),
            (.round, 0, 0.5, SceneFrame(5, 15, 60, 10), 5), (.butt, -1, 7, SceneFrame(10, 15, 100, 10), 0),
        ] as [(CAShapeLayerLineCap, CGFloat, CGFloat, SceneFrame, Double)]
    )
    func ends(cap: CAShapeLayerLineCap, start: CGFloat, end: CGFloat, frame: SceneFrame, radius: Double) async throws {
        let layer = CAShapeLayer()
        let line = UIBezierPath()
        line.move(to: CGPoint(x: 10, y: 20))
        line.addLine(to: CGPoint(x: 110, y: 20))
        layer.path = line.cgPath
        layer.strokeColor = UIColor.red.cgColor
        (layer.lineWidth, layer.lineCap, layer.strokeStart, layer.strokeEnd) = (10, cap, start, end)
        let node = try await Self.node(of: layer)
        #expect(node?.frame == frame)
        #expect(node?.style.background == SceneColor(0xFF00_00FF))
        #expect(node?.style.radius == radius)
    }

    @Test("a bar that goes up is as wide as its line, and a part of no length is not drawn")
    func bar() async throws {
        let layer = CAShapeLayer()
        let line = UIBezierPath()
        line.move(to: CGPoint(x: 50, y: 100))
        line.addLine(to: CGPoint(x: 50, y: 20))
        layer.path = line.cgPath
        layer.strokeColor = UIColor.red.cgColor
        (layer.lineWidth, layer.strokeEnd) = (24, 0.5)
        let half = try await Self.node(of: layer)
        #expect(half?.frame == SceneFrame(38, 60, 24, 40))
        layer.removeFromSuperlayer()
        layer.strokeEnd = 0
        let none = try await Self.node(of: layer)
        #expect(none?.style.background == nil)
    }

    @Test("a mask that is a shape of the layer's size rounds and cuts it")
    func mask() async throws {
        let layer = CALayer()
        layer.frame = CGRect(x: 5, y: 5, width: 60, height: 60)
        let mask = CAShapeLayer()
        mask.path = UIBezierPath(ovalIn: layer.bounds).cgPath
        layer.mask = mask
        let node = try await Self.node(of: layer)
        #expect(node?.style.radius == 30)
        #expect(node?.style.clips == true)
    }

    @Test("a text layer shows its words in its font and colour")
    func text() async throws {
        let layer = CATextLayer()
        layer.frame = CGRect(x: 0, y: 0, width: 60, height: 20)
        layer.string = NSAttributedString(string: "one\ntwo")
        layer.fontSize = 14
        layer.foregroundColor = UIColor.red.cgColor
        layer.alignmentMode = .center
        let node = try await Self.node(of: layer)
        let expected = SceneText(
            [SceneText.Run("one\ntwo")],
            font: SceneFont(size: 14, weight: 400),
            color: SceneColor(0xFF00_00FF),
            alignment: .center
        )
        #expect(node?.kind == .text(expected))
    }

    // MARK: Paths

    @Test("paths know their box, their end, and what is inside")
    func paths() {
        let path = UIBezierPath(ovalIn: CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(path.bounds == CGRect(x: 0, y: 0, width: 100, height: 50))
        #expect(path.contains(CGPoint(x: 50, y: 25)))
        #expect(!path.contains(CGPoint(x: 2, y: 2)))
        path.append(UIBezierPath(rect: CGRect(x: 40, y: 20, width: 10, height: 10)))
        path.usesEvenOddFillRule = true
        #expect(!path.contains(CGPoint(x: 45, y: 25)))
        #expect(path.currentPoint == CGPoint(x: 40, y: 20))
        path.apply(CGAffineTransform(translationX: 5, y: 5))
        #expect(path.bounds.origin == CGPoint(x: 5, y: 5))
        #expect(UIBezierPath().bounds == .zero)
        #expect(CGMutablePath().boundingBox.isNull)
    }

    @Test("a quarter of a circle ends where its angle says, in the direction that is asked for")
    func arcs() {
        let path = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
        #expect(abs(path.currentPoint.x) < 1e-9)
        #expect(abs(path.currentPoint.y - 10) < 1e-9)
        #expect(path.bounds.minX > -1e-9)
        let rest = UIBezierPath(arcCenter: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
        #expect(abs(rest.bounds.minX + 10) < 0.05)
    }

    // MARK: Animations

    /// Runs an animation on the view of a window, and hears of it.
    final class Listener: CAAnimationDelegate {
        var heard: [String] = []
        func animationDidStart(_ anim: CAAnimation) { heard.append("start") }
        func animationDidStop(_ anim: CAAnimation, finished flag: Bool) { heard.append("stop \(flag)") }
    }

    @Test("a basic animation shows its values and leaves the layer as it is")
    func basic() async throws {
        try await MotionTests.show { shown in
            let (animation, listener) = (CABasicAnimation(keyPath: "opacity"), Listener())
            (animation.fromValue, animation.toValue, animation.duration) = (0.25, 0.75, 2)
            animation.timingFunction = CAMediaTimingFunction(name: .easeIn)
            animation.delegate = listener
            shown.view.layer.add(animation, forKey: "fade")
            #expect(shown.view.layer.animationKeys() == ["fade"])
            #expect(shown.opacities() == ["0.25 at once", "0.75 2.0+0.0 easeIn"])
            try await MotionTests.wait { listener.heard == ["start"] }
            await shown.clock.sleeper(until: .seconds(2))
            shown.clock.advance(to: .seconds(2))
            try await MotionTests.wait { listener.heard == ["start", "stop true"] }
            #expect(shown.opacities() == ["1.0 at once"])
            #expect(shown.view.layer.animationKeys() == nil)
        }
    }

    @Test("the layer's own value that is set with an animation is there at its end")
    func own() async throws {
        try await MotionTests.show { shown in
            let animation = CABasicAnimation(keyPath: "opacity")
            (animation.fromValue, animation.duration) = (1, 1)
            shown.view.layer.add(animation, forKey: nil)
            shown.view.layer.opacity = 0
            #expect(shown.opacities() == ["0.0 1.0+0.0 linear"])
            await shown.clock.sleeper(until: .seconds(1))
            shown.clock.advance(to: .seconds(1))
            try await MotionTests.wait { Stage.current.playCount == 0 }
            #expect(shown.opacities() == [])
        }
    }

    @Test("an animation that fills forwards and stays keeps its last value until it is taken away")
    func fills() async throws {
        try await MotionTests.show { shown in
            let (animation, listener) = (CABasicAnimation(keyPath: "opacity"), Listener())
            (animation.toValue, animation.duration) = (0, 1)
            (animation.fillMode, animation.isRemovedOnCompletion) = (.forwards, false)
            animation.delegate = listener
            shown.view.layer.add(animation, forKey: "fade")
            #expect(shown.opacities() == ["0.0 1.0+0.0 linear"])
            await shown.clock.sleeper(until: .seconds(1))
            shown.clock.advance(to: .seconds(1))
            try await MotionTests.wait { listener.heard.count == 2 }
            #expect(shown.opacities() == [])
            shown.view.layer.removeAnimation(forKey: "fade")
            #expect(shown.opacities() == ["1.0 at once"])
        }
    }

    @Test("a whole turn is drawn in three ways, since a page takes the shorter one")
    func turn() async throws {
        try await MotionTests.show { shown in
            let animation = CABasicAnimation(keyPath: "transform.rotation.z")
            (animation.fromValue, animation.toValue, animation.duration) = (0, 2 * Double.pi, 3)
            animation.repeatCount = .infinity
            shown.view.layer.add(animation, forKey: "spin")
            let first = shown.steps()
            #expect(first.map(\.motion?.seconds) == [1])
            #expect(first.first?.set.first?.style.transform == [-0.5, 0.866, -0.866, -0.5, 0, 0])
            await shown.clock.sleeper(until: .seconds(1))
            shown.clock.advance(to: .seconds(1))
            await shown.clock.sleeper(until: .seconds(2))
            #expect(shown.steps().first?.set.first?.style.transform == [-0.5, -0.866, 0.866, -0.5, 0, 0])
            shown.view.layer.removeAllAnimations()
            #expect(shown.steps().last?.set.first?.style.transform == nil)
        }
    }

    @Test("keyframes of a place go from value to value in their times")
    func shake() async throws {
        try await MotionTests.show { shown in
            let animation = CAKeyframeAnimation(keyPath: "transform.translation.x")
            (animation.values, animation.duration) = ([0, -10, 10, 0], 4)
            animation.keyTimes = [0, 0.25, 0.75, 1]
            shown.view.layer.add(animation, forKey: "shake")
            var seen: [String] = []
            for second in [1, 3, 4] {
                for step in shown.steps() {
                    seen.append("\(step.set[0].style.transform?[4] ?? 0) \(step.motion?.seconds ?? 0)")
                }
                await shown.clock.sleeper(until: .seconds(second))
                shown.clock.advance(to: .seconds(second))
                if second < 4 { await shown.clock.sleeper(until: .seconds(second == 1 ? 3 : 4)) }
            }
            #expect(seen == ["-10.0 1.0", "10.0 2.0", "0.0 1.0"])
        }
    }

    @Test("a group moves several properties at once, each in its own time")
    func group() async throws {
        try await MotionTests.show { shown in
            let (fade, move, group) = (
                CABasicAnimation(keyPath: "opacity"), CABasicAnimation(keyPath: "position.x"), CAAnimationGroup()
            )
            (fade.fromValue, fade.toValue, fade.duration) = (1, 0, 1)
            (move.byValue, move.duration) = (20, 2)
            (group.animations, group.duration) = ([fade, move], 2)
            shown.view.layer.add(group, forKey: "both")
            let first = shown.steps()
            #expect(first.map(\.motion?.seconds) == [1])
            #expect(first.first?.set.first?.style.opacity == 0)
            #expect(first.first?.set.first?.frame == SceneFrame(20, 10, 100, 50))
            await shown.clock.sleeper(until: .seconds(1))
            shown.clock.advance(to: .seconds(1))
            await shown.clock.sleeper(until: .seconds(2))
            #expect(shown.steps().first?.set.first?.frame == SceneFrame(30, 10, 100, 50))
        }
    }

    @Test("a person who wants less motion sees no animation, whose delegate hears all the same")
    func reduced() async throws {
        let before = Surroundings.environment
        defer { Surroundings.environment = before }
        try await MotionTests.show { shown in
            var calm = before
            calm.reducedMotion = true
            Surroundings.environment = calm
            let (animation, listener) = (CABasicAnimation(keyPath: "opacity"), Listener())
            (animation.fromValue, animation.toValue, animation.duration) = (0, 1, 1)
            animation.delegate = listener
            shown.view.layer.add(animation, forKey: nil)
            UIView.animate(withDuration: 1) { shown.view.alpha = 0.5 }
            UIView.animate(withDuration: 1, delay: 2) { shown.view.alpha = 0.4 }
            Surroundings.environment = before
            #expect(shown.opacities() == ["0.5 at once", "0.4 0.0+2.0 easeInOut"])
            shown.clock.advance(to: .seconds(1))
            try await MotionTests.wait { listener.heard == ["start", "stop true"] }
        }
    }

    @Test("a transaction calls its block when its last animation is over, and gives animations its time")
    func transaction() async throws {
        try await MotionTests.show { shown in
            var isOver = false
            CATransaction.begin()
            CATransaction.setAnimationDuration(2)
            CATransaction.setCompletionBlock { isOver = true }
            let animation = CABasicAnimation(keyPath: "opacity")
            animation.toValue = 0
            shown.view.layer.add(animation, forKey: nil)
            CATransaction.commit()
            #expect(CATransaction.animationDuration() == 0.25)
            #expect(shown.opacities() == ["0.0 2.0+0.0 linear"])
            await shown.clock.sleeper(until: .seconds(2))
            #expect(!isOver)
            shown.clock.advance(to: .seconds(2))
            try await MotionTests.wait { isOver }
        }
    }

    @Test("a spring rests when a thousandth of its way is left")
    func spring() {
        let animation = CASpringAnimation(keyPath: "position.y")
        #expect(abs(animation.settlingDuration - 1.3816) < 0.001)
        animation.damping = 0
        #expect(animation.settlingDuration == 0)
    }

    @Test("what is set by a key path that is not drawn moves nothing")
    func unknownPath() async throws {
        try await MotionTests.show { shown in
            let animation = CABasicAnimation(keyPath: "strokeEnd")
            (animation.fromValue, animation.toValue) = (0, 1)
            shown.view.layer.add(animation, forKey: "draw")
            let colors = CABasicAnimation(keyPath: "opacity")
            colors.toValue = "no number"
            shown.view.layer.add(colors, forKey: "words")
            #expect(shown.opacities() == [])
            #expect(shown.view.layer.animationKeys() == ["draw", "words"])
        }
    }
}
