// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

/// Views whose code does in the midst of something what makes that hard: moves, removes, asks again.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(5))) final class HostileViewTests {
    private let window = UIWindow(frame: rect(0, 0, 360, 200))
    private let root = UIView.box(360, 200)
    private var tree = SceneTree()

    init() {
        let controller = UIViewController()
        controller.view = root
        window.rootViewController = controller
    }

    /// Draws as a host has it, which refuses what breaks a limit; returns the nodes that were sent.
    @discardableResult
    private func draw() throws -> [SceneNode] {
        let (set, gone) = window.draw(in: ViewEnvironment(), number: { _ in nil })
        try tree.apply(try SceneUpdate(SceneUpdate(set: set, gone: gone).body))
        return set
    }

    /// A view that runs code at the calls of its life.
    private final class Acting: UIView {
        var willMove: (UIView?) -> Void = { _ in }
        var didMove: () -> Void = {}
        var willRemove: (UIView) -> Void = { _ in }
        var layingOut: () -> Void = {}

        override func willMove(toSuperview newSuperview: UIView?) { willMove(newSuperview) }
        override func didMoveToSuperview() { didMove() }
        override func willRemoveSubview(_ subview: UIView) { willRemove(subview) }
        override func layoutSubviews() { layingOut() }
    }

    // MARK: Moves

    @Test("A view that moves itself elsewhere on its way is in one place")
    func movesOnItsWay() throws {
        let (first, second, view) = (UIView.box(10, 10), UIView.box(20, 20), Acting())
        root.addSubview(first)
        root.addSubview(second)
        var isOnce = true
        view.willMove = { _ in
            guard isOnce else { return }
            isOnce = false
            second.addSubview(view)
        }
        first.addSubview(view)
        #expect(view.superview === first)
        #expect((first.subviews, second.subviews) == ([view], []))
        #expect((first.kept, second.kept) == ([view], []))
        try draw()
        #expect(tree.inOrder.count == 4)
    }

    @Test("A view that takes itself out while it is taken out is out")
    func leavesTwice() throws {
        let (outer, view) = (Acting(), UIView())
        root.addSubview(outer)
        outer.addSubview(view)
        outer.willRemove = { if $0.superview != nil { $0.layer.removeFromSuperlayer() } }
        view.removeFromSuperview()
        #expect(view.superview == nil)
        try draw()
        #expect(tree.inOrder.count == 2)
    }

    @Test("A view that its container puts into itself on the way makes no circle")
    func circle() {
        let (outer, inner) = (Acting(), UIView())
        outer.willMove = { _ in outer.addSubview(self.root) }
        root.addSubview(outer)
        outer.addSubview(inner)
        inner.addSubview(outer)
        #expect(root.superview != nil)
        #expect(!root.isDescendant(of: inner) || !inner.isDescendant(of: root))
        #expect(inner.superview === outer)
    }

    @Test("Layers make no circle either")
    func layerCircle() throws {
        let (outer, inner) = (UIView.box(10, 10), UIView.box(5, 5))
        root.addSubview(outer)
        outer.addSubview(inner)
        inner.layer.addSublayer(outer.layer)
        inner.layer.addSublayer(inner.layer)
        let (one, two) = (CALayer(), CALayer())
        one.addSublayer(two)
        two.addSublayer(one)
        one.setNeedsDisplay()
        outer.layer.insertSublayer(root.layer, at: 0)
        #expect(outer.superview === root)
        #expect(one.superlayer == nil)
        try draw()
        #expect(tree.inOrder.count == 3)
    }

    @Test("Views that change places while they are laid out end in one")
    func movesInLayout() throws {
        let (one, two, view) = (Acting(), Acting(), UIView.box(5, 5))
        for box in [one, two] {
            box.frame = rect(0, 0, 50, 50)
            root.addSubview(box)
        }
        one.layingOut = { one.addSubview(view) }
        two.layingOut = { two.addSubview(view) }
        try draw()
        #expect(view.superview === two || view.superview === one)
        #expect(tree.inOrder.count == 4)
        try draw()
        #expect(tree.inOrder.count == 4)
    }

    @Test("A view that vanishes in its own action is gone after it")
    func vanishesInAction() throws {
        let button = UIButton(frame: rect(0, 0, 50, 50))
        weak var gone: UIButton?
        gone = button
        root.addSubview(button)
        var count = 0
        button.addAction(
            UIAction { action in
                count += 1
                (action.sender as? UIView)?.removeFromSuperview()
            },
            for: .touchUpInside
        )
        try draw()
        let id = button.layer.sceneID
        window.take(.press, ofNode: id)
        window.take(.tap(at: nil), ofNode: id)
        window.take(.tap(at: nil), ofNode: id)
        try draw()
        window.take(.tap(at: nil), ofNode: id)
        #expect(gone?.superview == nil)
        #expect(tree.inOrder.count == 1)
        #expect(count == 2)
    }

    // MARK: Layouts without an end

    @Test("A layout that asks for itself ends, and so does the waking for it")
    func endlessLayout() throws {
        let view = Acting(frame: rect(0, 0, 10, 10))
        var count = 0
        view.layingOut = {
            count += 1
            view.setNeedsLayout()
            view.superview?.setNeedsLayout()
            view.layoutIfNeeded()
        }
        root.addSubview(view)
        try draw()
        let first = count
        #expect(first <= 64)
        try draw()
        #expect(count == first)
        #expect(try draw() == [])
    }

    @Test("A layout that grows its view each time ends")
    func growing() throws {
        let view = Acting(frame: rect(0, 0, 10, 10))
        view.layingOut = { view.frame.size.width += 1 }
        root.addSubview(view)
        try draw()
        #expect(view.frame.width <= 74)
    }

    @Test("A number that is none leaves a view where it is", arguments: [CGFloat.nan, .infinity, -.infinity])
    func noNumber(number: CGFloat) throws {
        let view = UIView.box(10, 20)
        root.addSubview(view)
        try draw()
        view.frame = rect(number, 3, 4, 5)
        view.frame.size.height = number
        view.bounds = rect(0, number, 4, 5)
        view.center = CGPoint(x: 1, y: number)
        view.layer.position.x = number
        #expect(view.frame.minX.isFinite && view.frame.maxY.isFinite)
        #expect(view.bounds.size == CGSize(width: 4, height: 5))
        try draw()
        #expect(try draw() == [])
    }

    // MARK: Many

    @Test("Six hundred labels are drawn as far as a scene goes, and change one by one")
    func many() throws {
        let labels = (0..<600).map { number in
            let label = UILabel(frame: rect(0, CGFloat(number), 300, 20))
            label.text = "Label \(number)"
            return label
        }
        for box in 0..<3 {
            let outer = UIView.box(300, 200)
            for label in labels[(box * 200)..<(box * 200 + 200)] { outer.addSubview(label) }
            root.addSubview(outer)
        }
        try draw()
        #expect(tree.inOrder.count == SceneLimits.nodeCount)
        #expect(tree.inOrder.count { !$0.kind.texts.isEmpty } == SceneLimits.lineCount)
        labels[3].text = "Another"
        #expect(try draw().count == 1)
        for number in 0..<500 {
            let layer = CATextLayer()
            layer.string = "\(number)"
            root.subviews[number % 3].layer.addSublayer(layer)
        }
        for label in labels.dropFirst(10) { label.removeFromSuperview() }
        try draw()
        #expect(tree.inOrder.count { !$0.kind.texts.isEmpty } == SceneLimits.lineCount)
        for view in root.subviews { view.removeFromSuperview() }
        try draw()
        #expect(tree.inOrder.count == 1)
    }

    @Test("A tower of views is drawn as deep as a scene goes, and falls")
    func deep() throws {
        var view = root
        for _ in 0..<2_000 {
            let inner = UIView.box(5, 5)
            view.addSubview(inner)
            view = inner
        }
        try draw()
        #expect(tree.inOrder.count == SceneLimits.depth)
        root.subviews.first?.removeFromSuperview()
        try draw()
        #expect(tree.inOrder.count == 1)
    }

    // MARK: Ends

    @Test("Views end in whatever order their owners let them go")
    func ends() throws {
        weak var outer: UIView?
        weak var inner: UIView?
        weak var layer: CALayer?
        do {
            let (one, two) = (UIView.box(10, 10), UIView.box(5, 5))
            (outer, inner, layer) = (one, two, two.layer)
            root.addSubview(one)
            one.with(two)
            two.widthAnchor.constraint(equalTo: one.widthAnchor).isActive = true
            try draw()
            one.removeFromSuperview()
        }
        try draw()
        #expect((outer, inner) == (nil, nil))
        #expect(layer == nil)
        // A layer that outlives its view is drawn no more than it is shown.
        let kept: CALayer = {
            let view = UIView.box(10, 10)
            root.layer.addSublayer(view.layer)
            return view.layer
        }()
        try draw()
        kept.cornerRadius = 3
        kept.removeFromSuperlayer()
        try draw()
        #expect(tree.inOrder.count == 1)
    }

    @Test("Constraints of views that are gone hold nothing")
    func lostConstraints() throws {
        let view = UIView()
        root.with(view)
        weak var lost: UIView?
        var constraint: NSLayoutConstraint?
        do {
            let other = UIView()
            lost = other
            root.with(other)
            constraint = view.widthAnchor.constraint(equalTo: other.widthAnchor, constant: 7)
            constraint?.isActive = true
            other.removeFromSuperview()
        }
        #expect(lost == nil)
        #expect(constraint?.isActive == false)
        constraint?.isActive = true
        constraint?.constant = 9
        try draw()
        #expect(view.frame.width == 0)
    }
}
