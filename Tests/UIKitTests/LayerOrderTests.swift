// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// A view that counts what it is told of its place.
private final class Moved: UIView {
    var told: [String] = []
    override func didMoveToSuperview() { told.append(superview == nil ? "out" : "in") }
    override func didMoveToWindow() { told.append(window == nil ? "gone" : "shown") }
}

/// Views whose layers are moved in the tree of layers.
@MainActor @Suite struct LayerOrderTests {
    private let window = UIWindow(frame: rect(0, 0, 360, 200))
    private let controller = UIViewController()
    private let view = Moved(frame: rect(0, 0, 10, 10))
    private var root: UIView { controller.view }

    init() {
        window.rootViewController = controller
        root.addSubview(view)
        view.told = []
    }

    @Test(
        "A view whose layer leaves the layer of its superview leaves that, and nothing keeps it there",
        arguments: ["removeFromSuperlayer", "sublayers", "none", "replaceSublayer"]
    )
    func leaves(way: String) {
        let plain = CALayer()
        let width = view.widthAnchor.constraint(equalTo: root.widthAnchor)
        width.isActive = true
        switch way {
        case "removeFromSuperlayer": view.layer.removeFromSuperlayer()
        case "sublayers": root.layer.sublayers = [plain]
        case "none": root.layer.sublayers = nil
        default: root.layer.replaceSublayer(view.layer, with: plain)
        }
        #expect(view.superview == nil)
        #expect(root.subviews == [])
        #expect(root.kept == [])
        #expect(root.layer.sublayers == (way == "removeFromSuperlayer" ? [] : way == "none" ? nil : [plain]))
        #expect(!width.isActive)
        #expect(view.told == ["out", "gone"])
    }

    @Test("A view's layer that comes into the layer of another view brings the view with it")
    func comes() {
        let box = UIView()
        root.addSubview(box)
        box.layer.addSublayer(view.layer)
        #expect(view.superview === box)
        #expect(box.subviews == [view])
        #expect(box.kept == [view])
        #expect(root.kept == [box])
        // It stays in the window.
        #expect(view.told == ["in"])
    }

    @Test("A view's layer that changes its place in one layer tells the view nothing")
    func stays() {
        let (other, plain) = (UIView(), CALayer())
        root.addSubview(other)
        root.layer.addSublayer(plain)
        root.layer.insertSublayer(view.layer, above: other.layer)
        #expect(root.layer.sublayers == [other.layer, view.layer, plain])
        root.layer.insertSublayer(plain, at: 0)
        root.layer.insertSublayer(view.layer, below: other.layer)
        #expect(root.layer.sublayers == [plain, view.layer, other.layer])
        root.layer.sublayers = [other.layer, view.layer]
        #expect(root.subviews == [other, view])
        #expect(view.told == [])
    }
}
