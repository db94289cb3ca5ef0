// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import SceneModel

@testable import UIKit

/// A window that shows one view, and the events that a page would send of it.
@MainActor final class ShownView {
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 360, height: 600))
    let root = UIView(frame: CGRect(x: 0, y: 0, width: 360, height: 600))
    private let controller = UIViewController(nibName: nil, bundle: nil)
    private let view: UIView
    private var tree = SceneTree()
    private var node: SceneNode?

    /// Shows a view at the corner of the box, in the size of its content if it has none.
    init(_ view: UIView) {
        self.view = view
        if view.frame.size == .zero { view.frame.size = view.sizeThatFits(CGSize(width: 200, height: 100)) }
        root.addSubview(view)
        controller.view = root
        window.rootViewController = controller
    }

    /// The node of the view as the host has taken it: a scene that breaks a limit throws.
    func drawn() throws -> SceneNode {
        let difference = window.draw(in: ViewEnvironment(), number: { _ in 7 })
        let update = try SceneUpdate(SceneUpdate(set: difference.set, gone: difference.gone).body)
        try tree.apply(update)
        let id = view.layer.sceneID
        node = difference.set.first { $0.id == id } ?? node
        guard let node else { throw CocoaError(.coderValueNotFound) }
        return node
    }

    /// The kind of the node.
    func kind() throws -> SceneKind { try drawn().kind }

    /// Sends events of the node, each of which the host would let through.
    func hear(_ events: NodeEvent...) throws {
        for event in events {
            _ = try drawn()
            try tree.judge(event, of: view.layer.sceneID)
            window.take(event, ofNode: view.layer.sceneID)
        }
    }

    /// Sends events that were under way when the scene became another.
    func hearLate(_ events: NodeEvent...) throws {
        _ = try drawn()
        for event in events { window.take(event, ofNode: view.layer.sceneID) }
    }
}

/// A target that remembers which of its actions were called, and by whom.
@MainActor final class Listener: NSObject {
    private(set) var calls: [String] = []
    private(set) var senders: [AnyObject?] = []
    /// Called with each call.
    var act: ((AnyObject?) -> Void)?

    override init() {
        super.init()
        for name in ["down:", "up:", "changed:", "primary:", "began:", "ended:", "exit:", "outside:"] {
            ObjectiveCNames.register(name, of: Listener.self) { listener, arguments in
                listener.take(name, try arguments.value(0, as: NSObject?.self))
                return nil
            }
        }
        ObjectiveCNames.register("plain", of: Listener.self) { listener, _ in
            listener.take("plain", nil)
            return nil
        }
        ObjectiveCNames.register("sender:event:", of: Listener.self) { listener, arguments in
            let event = try arguments.value(1, as: UIEvent.self)
            listener.take("sender:\(type(of: event)):", try arguments.value(0, as: NSObject?.self))
            return nil
        }
    }

    private func take(_ name: String, _ sender: AnyObject?) {
        calls.append(name)
        senders.append(sender)
        act?(sender)
    }

    /// Hears all events that a control may tell.
    func hear(_ control: UIControl) {
        let names: [(Selector, UIControl.Event)] = [
            ("down:", .touchDown), ("up:", .touchUpInside), ("changed:", [.valueChanged, .editingChanged]),
            ("primary:", .primaryActionTriggered), ("began:", .editingDidBegin), ("ended:", .editingDidEnd),
            ("exit:", .editingDidEndOnExit), ("outside:", [.touchUpOutside, .touchCancel]),
        ]
        for (name, events) in names { control.addTarget(self, action: name, for: events) }
    }

    /// The calls so far, which are forgotten.
    func taken() -> [String] {
        defer { calls = [] }
        return calls
    }
}

extension ShownView {
    /// Sends the events of a click with a pointer.
    func click() throws { try hear(.press, .release, .tap(at: ScenePoint(3, 4))) }
}
