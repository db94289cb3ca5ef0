// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestClock
import Testing

@testable import UIKit

/// A controller that writes down what is called, under a name.
@MainActor private final class Diary {
    var lines: [String] = []

    func taken() -> [String] {
        defer { lines = [] }
        return lines
    }
}

private final class Told: UIViewController {
    private let name: String
    private let diary: Diary
    var forwards = true
    var whenAppearing: (() -> Void)?

    init(_ name: String, _ diary: Diary) {
        (self.name, self.diary) = (name, diary)
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { nil }

    private func write(_ word: String) { diary.lines.append("\(name) \(word)") }

    override var shouldAutomaticallyForwardAppearanceMethods: Bool { forwards }
    override func viewDidLoad() { write("loaded") }
    override func viewWillAppear(_ animated: Bool) {
        write(isMovingToParent ? "coming to parent" : "coming")
        whenAppearing?()
    }
    override func viewIsAppearing(_ animated: Bool) { write("arriving") }
    override func viewDidLayoutSubviews() { if diary.lines.last != "\(name) placed" { write("placed") } }
    override func viewDidAppear(_ animated: Bool) { write("there") }
    override func viewWillDisappear(_ animated: Bool) { write(isMovingFromParent ? "going from parent" : "going") }
    override func viewDidDisappear(_ animated: Bool) { write("gone") }
    override func willMove(toParent parent: UIViewController?) {
        super.willMove(toParent: parent)
        write(parent == nil ? "will leave" : "will join")
    }
    override func didMove(toParent parent: UIViewController?) { write(parent == nil ? "left" : "joined") }
}

@MainActor @Suite struct ContainmentTests {
    private let diary = Diary()
    private let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 360, height: 600))
    private let parent: Told
    private let child: Told

    init() {
        (parent, child) = (Told("parent", diary), Told("child", diary))
        window.rootViewController = parent
    }

    @Test("a child without a place for its view is not shown, and its view is not made")
    func childWithoutView() {
        parent.appear()
        _ = diary.taken()
        parent.addChild(child)
        #expect(diary.taken() == ["child will join"])
        #expect(!child.isViewLoaded)
    }

    @Test("a child of a shown controller appears while its view is added, and didMove is the caller's")
    func addedToShown() {
        parent.appear()
        _ = diary.taken()
        parent.addChild(child)
        parent.view.addSubview(child.view)
        child.didMove(toParent: parent)
        #expect(
            diary.taken() == [
                "child will join", "child loaded", "child coming to parent", "child arriving", "child there",
                "child joined",
            ]
        )
        #expect(!child.isMovingToParent)
    }

    @Test("a child in a view that is not shown yet appears with its parent: it comes after, and is there before")
    func addedBefore() {
        parent.addChild(child)
        parent.view.addSubview(child.view)
        #expect(diary.taken() == ["parent loaded", "child will join", "child loaded"])
        parent.appear()
        #expect(
            diary.taken() == [
                "parent coming", "child coming to parent", "parent arriving", "child arriving", "parent placed",
                "child placed", "child there", "parent there",
            ]
        )
    }

    @Test("a child that is added while its parent appears is there with it")
    func addedWhileAppearing() {
        parent.whenAppearing = { [parent, child] in
            parent.addChild(child)
            parent.view.addSubview(child.view)
        }
        parent.appear()
        let lines = diary.taken().filter { $0.hasSuffix("coming to parent") || $0.hasSuffix("there") }
        #expect(lines == ["child coming to parent", "child there", "parent there"])
    }

    @Test("the way out: the view's leaving is the disappearing, and didMove follows removeFromParent")
    func removed() {
        parent.addChild(child)
        parent.view.addSubview(child.view)
        parent.appear()
        _ = diary.taken()
        child.willMove(toParent: nil)
        child.view.removeFromSuperview()
        child.removeFromParent()
        #expect(diary.taken() == ["child will leave", "child going from parent", "child gone", "child left"])
        #expect(parent.children.isEmpty)
        #expect(child.parent == nil)
    }

    @Test("a child whose view stays is shown on after removeFromParent, until the view goes")
    func viewStays() {
        parent.addChild(child)
        parent.view.addSubview(child.view)
        parent.appear()
        _ = diary.taken()
        child.removeFromParent()
        #expect(diary.taken() == ["child left"])
        child.view.removeFromSuperview()
        #expect(diary.taken() == ["child going", "child gone"])
    }

    @Test("a controller whose view alone was added is told too, deep in a view as well")
    func withoutAddChild() {
        parent.appear()
        let box = UIView()
        box.addSubview(child.view)
        _ = diary.taken()
        parent.view.addSubview(box)
        #expect(diary.taken() == ["child coming", "child arriving", "child there"])
    }

    @Test("a view that moves within the window neither goes nor comes")
    func moved() {
        parent.appear()
        let box = UIView()
        parent.view.addSubview(box)
        parent.addChild(child)
        parent.view.addSubview(child.view)
        _ = diary.taken()
        box.addSubview(child.view)
        #expect(diary.taken().isEmpty)
    }

    @Test("a controller that forwards nothing tells its children itself")
    func manual() {
        parent.forwards = false
        parent.addChild(child)
        parent.view.addSubview(child.view)
        parent.appear()
        #expect(!diary.taken().contains { $0.hasPrefix("child coming") })
        child.beginAppearanceTransition(true, animated: false)
        child.endAppearanceTransition()
        #expect(diary.taken() == ["child coming to parent", "child arriving", "child there"])
        child.beginAppearanceTransition(false, animated: true)
        child.endAppearanceTransition()
        #expect(diary.taken() == ["child going", "child gone"])
    }

    @Test("disappearing: the parent goes first and is gone last, each once")
    func disappearing() {
        parent.addChild(child)
        parent.view.addSubview(child.view)
        parent.appear()
        _ = diary.taken()
        parent.disappear()
        parent.disappear()
        #expect(diary.taken() == ["parent going", "child going", "child gone", "parent gone"])
    }

    @Test("a child of another controller leaves that first, without a change of what is seen")
    func otherParent() {
        let other = Told("other", diary)
        parent.addChild(child)
        _ = diary.taken()
        other.addChild(child)
        #expect(diary.taken() == ["child left", "child will join"])
        #expect(parent.children.isEmpty)
        #expect(other.children == [child])
    }

    @Test("a transition shows one child in the place of another, and its end takes the first away")
    func transition() async throws {
        let other = Told("other", diary)
        parent.addChild(child)
        parent.view.addSubview(child.view)
        parent.appear()
        parent.addChild(other)
        _ = diary.taken()
        var ends: [Bool] = []
        parent.transition(from: child, to: other, duration: 0, animations: nil) { ends.append($0) }
        try await MotionTests.wait { !ends.isEmpty }
        #expect(
            diary.taken() == [
                "child going", "other loaded", "other coming to parent", "child gone", "other arriving",
                "other there",
            ]
        )
        #expect(ends == [true])
        #expect(child.view.superview == nil)
        #expect(other.view.superview === parent.view)
    }

    @Test("the end of a transition is told with true, after its time, whatever the children are")
    func transitionEnds() async throws {
        let clock = ManualClock()
        try await Stage.with(Stage(clock: clock)) {
            let (other, outside) = (Told("other", diary), Told("outside", diary))
            parent.addChild(child)
            parent.view.addSubview(child.view)
            parent.appear()
            var ends: [String] = []
            parent.transition(from: child, to: other, duration: 2, animations: nil) { ends.append("moved \($0)") }
            parent.transition(from: other, to: other, duration: 3, animations: nil) { ends.append("same \($0)") }
            parent.transition(from: outside, to: child, duration: 4, animations: nil) { ends.append("none \($0)") }
            for (seconds, end) in zip(2...4, ["moved true", "same true", "none true"]) {
                await clock.sleeper(until: .seconds(seconds))
                #expect(!ends.contains(end))
                #expect((child.view.superview === parent.view) == ends.isEmpty)
                clock.advance(to: .seconds(seconds))
                try await MotionTests.wait { ends.contains(end) }
            }
            #expect(ends == ["moved true", "same true", "none true"])
        }
    }

    @Test("a controller of a shown window hears that it comes before its view is in the window")
    func orderInWindow() {
        final class Seen: UIView {
            var diary: Diary?
            override func didMoveToWindow() { diary?.lines.append("in window") }
        }
        let (window, shown, view) = (UIWindow(frame: rect(0, 0, 360, 600)), Told("shown", diary), Seen())
        (view.diary, shown.view) = (diary, view)
        _ = diary.taken()
        window.show {}
        window.rootViewController = shown
        shown.appear()
        #expect(diary.taken() == ["shown coming", "in window", "shown arriving", "shown placed", "shown there"])
    }
}
