// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// The view that fills the box: its size, its margins and its colour.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct RootViewTests {
    let window = UIWindow(frame: rect(0, 0, 360, 200))
    let controller = UIViewController()
    var root: UIView { controller.view }

    // MARK: Size

    @Test("The root view fills the box, whatever it says of constraints and masks", arguments: [true, false])
    func fills(isSetBefore: Bool) {
        if isSetBefore { root.translatesAutoresizingMaskIntoConstraints = false }
        window.rootViewController = controller
        root.translatesAutoresizingMaskIntoConstraints = false
        root.autoresizingMask = []
        let inner = UIView()
        root.with(inner)
        NSLayoutConstraint.activate([
            inner.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            inner.trailingAnchor.constraint(equalTo: root.trailingAnchor),
            inner.topAnchor.constraint(equalTo: root.topAnchor), inner.heightAnchor.constraint(equalToConstant: 10),
        ])
        window.layoutIfNeeded()
        #expect(root.frame == rect(0, 0, 360, 200))
        #expect(inner.frame == rect(0, 0, 360, 10))
        window.frame.size = CGSize(width: 300, height: 100)
        window.layoutIfNeeded()
        #expect(root.frame == rect(0, 0, 300, 100))
        #expect(inner.frame == rect(0, 0, 300, 10))
    }

    // MARK: Margins

    @Test("A controller's view has margins at the sides alone, and at least those")
    func margins() {
        window.rootViewController = controller
        #expect(root.layoutMargins == UIEdgeInsets(top: 0, left: 16, bottom: 0, right: 16))
        #expect(root.directionalLayoutMargins == NSDirectionalEdgeInsets(top: 0, leading: 16, bottom: 0, trailing: 16))
        root.layoutMargins = UIEdgeInsets(top: 3, left: 4, bottom: 5, right: 30)
        #expect(root.layoutMargins == UIEdgeInsets(top: 3, left: 16, bottom: 5, right: 30))
        controller.viewRespectsSystemMinimumLayoutMargins = false
        #expect(root.layoutMargins == UIEdgeInsets(top: 3, left: 4, bottom: 5, right: 30))
        root.directionalLayoutMargins = .zero
        #expect(root.layoutMargins == .zero)
        #expect(UIView().layoutMargins == UIEdgeInsets(top: 8, left: 8, bottom: 8, right: 8))
    }

    @Test("Constraints to the margins of a controller's view follow what it says of them")
    func marginsGuide() {
        window.rootViewController = controller
        let inner = UIView()
        root.with(inner)
        let guide = root.layoutMarginsGuide
        NSLayoutConstraint.activate([
            inner.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            inner.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            inner.topAnchor.constraint(equalTo: guide.topAnchor),
            inner.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
        ])
        window.layoutIfNeeded()
        #expect(inner.frame == rect(16, 0, 328, 200))
        controller.viewRespectsSystemMinimumLayoutMargins = false
        window.layoutIfNeeded()
        #expect(inner.frame == rect(0, 0, 360, 200))
    }

    // MARK: Colour

    /// The colour behind everything as the page has it.
    private func background(_ view: UIView) throws -> SceneColor? {
        try ShownView(view).drawn().style.background
    }

    @Test("A view and its layer have one colour, that which was set last")
    func color() throws {
        let view = UIView.box(10, 10)
        view.backgroundColor = .red
        view.layer.backgroundColor = UIColor.blue.cgColor
        #expect(view.backgroundColor == .blue)
        #expect(try background(view) == UIColor.blue.sceneColor)
        view.backgroundColor = .green
        #expect(view.layer.backgroundColor == UIColor.green.cgColor)
        #expect(try background(view) == UIColor.green.sceneColor)
        view.layer.backgroundColor = nil
        #expect(view.backgroundColor == nil)
        #expect(try background(view) == nil)
    }

    @Test("A colour of two styles stays one")
    func pair() throws {
        let view = UIView.box(10, 10)
        view.backgroundColor = .systemBackground
        #expect(try background(view) == UIColor.systemBackground.sceneColor)
        #expect(view.layer.backgroundColor == UIColor.systemBackground.cgColor)
        #expect(view.backgroundColor == .systemBackground)
    }
}
