// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// Layouts that come to rest, whatever code does in the middle of them.
@MainActor
@Suite(.timeLimit(.minutes(5))) struct LayoutRestTests {
    /// A view that gives its label, which constraints place, a size of its own at each layout, as many sources do.
    private final class Sizing: UIView {
        let label = UILabel()
        var count = 0

        override func layoutSubviews() {
            count += 1
            label.sizeToFit()
        }
    }

    @Test func `a frame that code gives to a view of constraints is solved once more with the next change alone`() {
        let view = Sizing(frame: rect(0, 0, 100, 100))
        view.label.numberOfLines = 0
        view.label.text = "Some words that need more than one line"
        view.with(view.label)
        NSLayoutConstraint.activate([
            view.label.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            view.label.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            view.label.topAnchor.constraint(equalTo: view.topAnchor),
        ])
        view.layoutIfNeeded()
        let (count, solved) = (view.count, LayoutPass.solvedCount)
        #expect(count <= 3)
        view.layoutIfNeeded()
        view.layoutIfNeeded()
        #expect(view.count == count)
        #expect(LayoutPass.solvedCount == solved)
    }

    @Test func `a layout that never comes to rest waits for the next change`() {
        final class Restless: UIView {
            let inner = UIView()
            var count = 0

            override func layoutSubviews() {
                count += 1
                inner.frame.size.width += 1
                setNeedsLayout()
            }
        }
        let view = Restless(frame: rect(0, 0, 100, 100))
        view.addSubview(view.inner)
        let other = UIView()
        view.with(other)
        other.widthAnchor.constraint(equalToConstant: 10).isActive = true
        view.layoutIfNeeded()
        let count = view.count
        #expect(count > 1)
        view.layoutIfNeeded()
        #expect(view.count == count)
    }

    @Test func `a view with a mask has the size of the rounded one around it, after any number of layouts`() {
        let views = (0..<3).map { _ in UIView() }
        let outer = UIView.box(320, 40)
        for view in views { outer.with(view) }
        let fills = UIView(frame: .zero)
        fills.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        views[1].addSubview(fills)
        NSLayoutConstraint.activate([
            views[0].leadingAnchor.constraint(equalTo: outer.leadingAnchor),
            views[1].leadingAnchor.constraint(equalTo: views[0].trailingAnchor),
            views[2].leadingAnchor.constraint(equalTo: views[1].trailingAnchor),
            views[2].trailingAnchor.constraint(equalTo: outer.trailingAnchor),
            views[0].widthAnchor.constraint(equalTo: views[1].widthAnchor),
            views[1].widthAnchor.constraint(equalTo: views[2].widthAnchor),
            views[1].heightAnchor.constraint(equalToConstant: 40),
        ])
        for _ in 0..<20 {
            outer.setNeedsSolving()
            outer.layoutIfNeeded()
            #expect(views[1].bounds.width == 107 || views[1].bounds.width == 106.5)
            #expect(fills.frame == views[1].bounds)
        }
    }
}
