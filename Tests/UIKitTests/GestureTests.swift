// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

@MainActor @Suite struct GestureTests {
    let listener = Listener()
    let view = UIView(frame: CGRect(x: 10, y: 20, width: 100, height: 60))

    @Test("A view with a recognizer takes clicks, and its target is called with place and state")
    func tap() throws {
        let recognizer = UITapGestureRecognizer(target: listener, action: "up:")
        view.addGestureRecognizer(recognizer)
        let shown = ShownView(view)
        let node = try shown.drawn()
        #expect(node == SceneNode(id: node.id, up: 1, .view, frame: SceneFrame(10, 20, 100, 60), isTappable: true))
        var seen: [UIGestureRecognizer.State] = []
        var places: [CGPoint] = []
        listener.act = { [view] sender in
            guard let sender = sender as? UITapGestureRecognizer else { return }
            seen.append(sender.state)
            places += [sender.location(in: view), sender.location(in: view.superview)]
        }
        try shown.hear(.tap(at: ScenePoint(3, 4)), .tap(at: nil))
        #expect(listener.calls == ["up:", "up:"])
        #expect(listener.senders.allSatisfy { $0 === recognizer })
        #expect(seen == [.ended, .ended])
        #expect(
            places == [CGPoint(x: 3, y: 4), CGPoint(x: 13, y: 24), CGPoint(x: 50, y: 30), CGPoint(x: 60, y: 50)]
        )
        #expect(recognizer.state == .possible)
    }

    @Test("Two clicks within 350 milliseconds are a double click, and a third begins anew")
    func doubleTap() throws {
        let recognizer = UITapGestureRecognizer(target: listener, action: "up:")
        recognizer.numberOfTapsRequired = 2
        var now: TimeInterval = 0
        recognizer.uptime = { now }
        view.addGestureRecognizer(recognizer)
        let shown = ShownView(view)
        var counts: [Int] = []
        for time in [100, 100.35, 100.5, 101, 101.5, 101.7] {
            now = time
            try shown.hear(.tap(at: nil))
            counts.append(listener.calls.count)
        }
        #expect(counts == [0, 1, 1, 1, 1, 2])
        recognizer.numberOfTapsRequired = 0
        #expect(recognizer.numberOfTapsRequired == 1)
    }

    @Test("A recognizer of three fingers hears nothing")
    func fingers() throws {
        let recognizer = UITapGestureRecognizer(target: listener, action: "up:")
        recognizer.numberOfTouchesRequired = 3
        view.addGestureRecognizer(recognizer)
        let shown = ShownView(view)
        #expect(try !shown.drawn().isTappable)
        try shown.hearLate(.tap(at: nil))
        #expect(listener.calls.isEmpty)
    }

    @Test("A long press begins and ends")
    func longPress() throws {
        let recognizer = UILongPressGestureRecognizer(target: listener, action: "up:")
        view.addGestureRecognizer(recognizer)
        let shown = ShownView(view)
        let node = try shown.drawn()
        #expect(node == SceneNode(id: node.id, up: 1, .view, frame: SceneFrame(10, 20, 100, 60), isHoldable: true))
        var seen: [UIGestureRecognizer.State] = []
        listener.act = { if let sender = $0 as? UIGestureRecognizer { seen.append(sender.state) } }
        try shown.hear(.longPress(at: ScenePoint(1, 2)))
        #expect(seen == [.began, .ended])
        #expect(recognizer.location(in: view) == CGPoint(x: 1, y: 2))
        recognizer.numberOfTapsRequired = 1
        #expect(try !shown.drawn().isHoldable)
    }

    @Test("A recognizer that is disabled, refused or below a view without events calls nobody")
    func refused() throws {
        final class Refusing: NSObject, UIGestureRecognizerDelegate {
            func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { false }
        }
        let (recognizer, delegate) = (UITapGestureRecognizer(target: listener, action: "up:"), Refusing())
        view.addGestureRecognizer(recognizer)
        let shown = ShownView(view)
        recognizer.delegate = delegate
        try shown.hear(.tap(at: nil))
        recognizer.delegate = nil
        recognizer.isEnabled = false
        try shown.hearLate(.tap(at: nil))
        recognizer.isEnabled = true
        shown.root.isUserInteractionEnabled = false
        #expect(try !shown.drawn().isTappable)
        #expect(listener.calls.isEmpty)
    }

    @Test("A recognizer leaves the view that it was on")
    func moves() {
        let (recognizer, other) = (UITapGestureRecognizer(), UIView())
        view.addGestureRecognizer(recognizer)
        other.addGestureRecognizer(recognizer)
        #expect(recognizer.view === other)
        #expect((view.gestureRecognizers, other.gestureRecognizers) == ([], [recognizer]))
        other.removeGestureRecognizer(recognizer)
        #expect(recognizer.view == nil)
    }

    @Test("Recognizers of touches that the page does not tell can be made and added, and hear nothing")
    func silent() throws {
        let made: [UIGestureRecognizer] = [
            UISwipeGestureRecognizer(target: listener, action: "up:"),
            UIPanGestureRecognizer(target: listener, action: "up:"),
            UIScreenEdgePanGestureRecognizer(target: listener, action: "up:"),
            UIPinchGestureRecognizer(target: listener, action: "up:"),
            UIRotationGestureRecognizer(target: listener, action: "up:"),
            UIHoverGestureRecognizer(target: listener, action: "up:"),
        ]
        for recognizer in made { view.addGestureRecognizer(recognizer) }
        let shown = ShownView(view)
        let node = try shown.drawn()
        #expect((node.isTappable, node.isHoldable) == (false, false))
        try shown.hearLate(.tap(at: nil), .longPress(at: nil))
        #expect(listener.calls.isEmpty)
        let again = lines(startingWith: "UIPinchGestureRecognizer") { _ = UIPinchGestureRecognizer() }
        #expect(again.isEmpty)
    }

    @Test("A button with a recognizer calls both")
    func button() throws {
        let button = UIButton(type: .system)
        button.setTitle("B", for: .normal)
        button.addTarget(listener, action: "up:", for: .touchUpInside)
        button.addGestureRecognizer(UITapGestureRecognizer(target: listener, action: "down:"))
        try ShownView(button).click()
        #expect(listener.calls == ["up:", "down:"])
    }
}
