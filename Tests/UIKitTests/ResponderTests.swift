// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel
import Testing

@testable import UIKit

/// A responder that is asked after one that a test says.
private final class Linked: UIResponder {
    var following: UIResponder?
    override var next: UIResponder? { following }
}

/// A controller whose own view is the input view of it.
private final class OwnStrip: UIViewController {
    override var canBecomeFirstResponder: Bool { true }
    override var inputAccessoryView: UIView? { view }
}

/// The chain of responders, which an author may close to a circle.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct ResponderTests {
    @Test("A chain that is a circle ends, and none in it has an action that nobody has")
    func circle() {
        let responders = (0..<3).map { _ in Linked() }
        for (index, responder) in responders.enumerated() { responder.following = responders[(index + 1) % 3] }
        #expect(responders[0].target(forAction: "nobodyHasThis", withSender: nil) == nil)
        responders[0].reloadInputViews()
        #expect(responders[0].chain.count == 256)
    }

    @Test("The nearest responder of the chain that has an action is the target")
    func nearest() {
        let (first, listener) = (Linked(), Linked())
        first.following = listener
        ObjectiveCNames.register("linkedAction", of: Linked.self) { _, _ in nil }
        #expect(first.target(forAction: "linkedAction", withSender: nil) as AnyObject? === first)
    }

    @Test("A controller whose view is in the strip of its own leads to the window, not to itself again")
    func ownView() throws {
        let window = UIWindow(frame: rect(0, 0, 360, 200))
        let (root, child) = (UIViewController(), OwnStrip())
        window.rootViewController = root
        child.view = UIView.box(10, 44)
        root.view.addSubview(child.view)
        child.becomeFirstResponder()
        _ = window.draw(in: ViewEnvironment(), number: { _ in nil })
        #expect(child.view.isDescendant(of: window.strip))
        #expect(child.chain.count == 3)
        #expect(child.chain.last === window)
        #expect(child.target(forAction: "nobodyHasThis", withSender: nil) == nil)
        child.resignFirstResponder()
    }
}
