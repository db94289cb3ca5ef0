// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

@MainActor @Suite struct AutoLayoutTests {
    let root = UIView.box(320, 200)
    let view = UIView()
    let other = UIView()

    private func activate(_ constraints: NSLayoutConstraint...) { NSLayoutConstraint.activate(constraints) }

    /// Holds a view at the corner of the root in a size.
    private func pin(_ view: UIView, _ x: CGFloat, _ y: CGFloat, _ width: CGFloat, _ height: CGFloat) {
        activate(
            view.leftAnchor.constraint(equalTo: root.leftAnchor, constant: x),
            view.topAnchor.constraint(equalTo: root.topAnchor, constant: y),
            view.widthAnchor.constraint(equalToConstant: width),
            view.heightAnchor.constraint(equalToConstant: height)
        )
    }

    @Test("Anchors of edges place a view inside of another")
    func edges() {
        root.with(view)
        activate(
            view.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 10),
            root.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: 20),
            view.topAnchor.constraint(equalTo: root.topAnchor, constant: 5),
            view.bottomAnchor.constraint(equalTo: root.bottomAnchor, constant: -15)
        )
        #expect(view.placed == rect(10, 5, 290, 180))
    }

    @Test("Items with attributes mean the same as anchors")
    func items() {
        root.with(view)
        for (attribute, constant) in [(NSLayoutConstraint.Attribute.centerX, 8.0), (.centerY, -4)] {
            NSLayoutConstraint(
                item: view,
                attribute: attribute,
                relatedBy: .equal,
                toItem: root,
                attribute: attribute,
                multiplier: 1,
                constant: constant
            ).isActive = true
        }
        for (attribute, constant) in [(NSLayoutConstraint.Attribute.width, 100.0), (.height, 40)] {
            view.addConstraint(
                NSLayoutConstraint(
                    item: view,
                    attribute: attribute,
                    relatedBy: .equal,
                    toItem: nil,
                    attribute: .notAnAttribute,
                    multiplier: 1,
                    constant: constant
                )
            )
        }
        #expect(view.placed == rect(118, 76, 100, 40))
        #expect(root.constraints.count == 2)
        #expect(view.constraints.count == 2)
    }

    @Test("A factor of a size gives a ratio")
    func ratio() {
        root.with(view)
        activate(
            view.widthAnchor.constraint(equalTo: root.widthAnchor, multiplier: 0.5, constant: 10),
            view.heightAnchor.constraint(equalTo: view.widthAnchor, multiplier: 9.0 / 17)
        )
        #expect(view.placed == rect(0, 0, 170, 90))
    }

    @Test("A factor of a place counts from the nearest view that has both items, wherever that view is")
    func factorOfPlace() {
        let inner = UIView()
        root.with(inner)
        pin(inner, 100, 60, 200, 100)
        inner.with(view)
        activate(
            view.widthAnchor.constraint(equalToConstant: 20),
            view.heightAnchor.constraint(equalToConstant: 20)
        )
        for attribute in [NSLayoutConstraint.Attribute.centerX, .centerY] {
            NSLayoutConstraint(
                item: view,
                attribute: attribute,
                relatedBy: .equal,
                toItem: inner,
                attribute: attribute,
                multiplier: 0.5,
                constant: 0
            ).isActive = true
        }
        #expect(view.placed == rect(40, 15, 20, 20))
    }

    @Test("What nothing decides is at the corner of the view around it, and has no size")
    func undecided() {
        let inner = UIView()
        root.with(inner)
        pin(inner, 100, 60, 200, 100)
        inner.with(view)
        activate(view.widthAnchor.constraint(equalToConstant: 20))
        #expect(view.placed == rect(0, 0, 20, 0))
    }

    @Test("The margins are 8 points, unless code sets others")
    func margins() {
        root.with(view, other)
        let guide = root.layoutMarginsGuide
        activate(
            view.topAnchor.constraint(equalTo: guide.topAnchor),
            view.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            view.trailingAnchor.constraint(equalTo: guide.trailingAnchor),
            view.heightAnchor.constraint(equalToConstant: 10)
        )
        for attribute in [NSLayoutConstraint.Attribute.leftMargin, .rightMargin, .bottomMargin] {
            let edges: [NSLayoutConstraint.Attribute: NSLayoutConstraint.Attribute] = [
                .leftMargin: .left, .rightMargin: .right, .bottomMargin: .bottom,
            ]
            NSLayoutConstraint(
                item: other,
                attribute: edges[attribute] ?? .top,
                relatedBy: .equal,
                toItem: root,
                attribute: attribute,
                multiplier: 1,
                constant: 0
            ).isActive = true
        }
        activate(other.heightAnchor.constraint(equalToConstant: 10))
        #expect(view.placed == rect(8, 8, 304, 10))
        #expect(other.placed == rect(8, 182, 304, 10))
        root.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(view.placed == rect(2, 1, 314, 10))
        #expect(other.placed == rect(2, 187, 314, 10))
        #expect(guide.layoutFrame == rect(2, 1, 314, 196))
    }

    @Test("Margins that are preserved are what is left of those of the view around")
    func preservedMargins() {
        let inner = UIView()
        root.layoutMargins = UIEdgeInsets(top: 30, left: 30, bottom: 30, right: 30)
        root.with(inner)
        pin(inner, 10, 40, 300, 100)
        inner.preservesSuperviewLayoutMargins = true
        inner.with(view)
        let guide = inner.layoutMarginsGuide
        activate(
            view.topAnchor.constraint(equalTo: guide.topAnchor),
            view.bottomAnchor.constraint(equalTo: guide.bottomAnchor),
            view.leadingAnchor.constraint(equalTo: guide.leadingAnchor),
            view.trailingAnchor.constraint(equalTo: guide.trailingAnchor)
        )
        #expect(view.placed == rect(20, 8, 260, 84))
    }

    @Test("The safe area is the whole view, and the older guides lie at its edges without a height")
    func safeArea() {
        let controller = UIViewController()
        controller.view = root
        root.with(view, other)
        let (safe, top, bottom) = (root.safeAreaLayoutGuide, controller.topLayoutGuide, controller.bottomLayoutGuide)
        activate(
            view.topAnchor.constraint(equalTo: safe.topAnchor),
            view.leadingAnchor.constraint(equalTo: safe.leadingAnchor),
            view.trailingAnchor.constraint(equalTo: safe.trailingAnchor),
            view.bottomAnchor.constraint(equalTo: safe.bottomAnchor),
            other.topAnchor.constraint(equalTo: top.bottomAnchor, constant: 20),
            bottom.topAnchor.constraint(equalTo: other.bottomAnchor, constant: 10),
            other.widthAnchor.constraint(equalToConstant: 50)
        )
        #expect(view.placed == rect(0, 0, 320, 200))
        #expect(other.placed == rect(0, 20, 50, 170))
        #expect(safe.layoutFrame == rect(0, 0, 320, 200))
        #expect(bottom.length == 0)
    }

    @Test("A guide is placed as a view is, and goes with its constraints")
    func guides() {
        let guide = UILayoutGuide()
        root.with(view)
        root.addLayoutGuide(guide)
        activate(
            guide.leftAnchor.constraint(equalTo: root.leftAnchor, constant: 40),
            guide.topAnchor.constraint(equalTo: root.topAnchor, constant: 20),
            guide.widthAnchor.constraint(equalTo: root.widthAnchor, multiplier: 0.25),
            guide.heightAnchor.constraint(equalToConstant: 60),
            view.leftAnchor.constraint(equalTo: guide.rightAnchor),
            view.centerYAnchor.constraint(equalTo: guide.centerYAnchor),
            view.widthAnchor.constraint(equalTo: guide.widthAnchor),
            view.heightAnchor.constraint(equalToConstant: 10)
        )
        #expect(view.placed == rect(120, 45, 80, 10))
        #expect(guide.layoutFrame == rect(40, 20, 80, 60))
        #expect(root.layoutGuides == [guide])
        root.removeLayoutGuide(guide)
        #expect(root.constraints.isEmpty)
        #expect(guide.owningView == nil)
        #expect(view.constraints.count == 1)
    }

    @Test("Baselines of two texts lie on one line, and a view without text has its edges")
    func baselines() {
        let (large, small) = (SizedView(100, 40), SizedView(50, 20))
        large.lines = (30, 10)
        small.lines = (15, 5)
        root.with(large, small, view)
        activate(
            large.topAnchor.constraint(equalTo: root.topAnchor, constant: 10),
            small.firstBaselineAnchor.constraint(equalTo: large.firstBaselineAnchor),
            view.firstBaselineAnchor.constraint(equalTo: large.lastBaselineAnchor),
            view.heightAnchor.constraint(equalToConstant: 7)
        )
        #expect(large.placed == rect(0, 10, 100, 40))
        #expect(small.placed == rect(0, 25, 50, 20))
        #expect(view.placed == rect(0, 40, 0, 7))
    }

    @Test("A view may name another in it that has its baselines")
    func namedBaseline() {
        final class Row: UIView {
            let text = SizedView(50, 20)
            override var forLastBaselineLayout: UIView { text }
        }
        let row = Row()
        row.text.lines = (15, 5)
        root.with(row, view)
        row.with(row.text)
        activate(
            row.text.topAnchor.constraint(equalTo: row.topAnchor, constant: 6),
            row.text.bottomAnchor.constraint(equalTo: row.bottomAnchor, constant: -6),
            row.firstBaselineAnchor.constraint(equalTo: root.topAnchor, constant: 50),
            view.topAnchor.constraint(equalTo: row.lastBaselineAnchor)
        )
        #expect(row.placed == rect(0, 29, 0, 32))
        #expect(view.placed.minY == 50)
    }

    @Test("Of two constraints the stronger one holds, whichever is added first", arguments: [true, false])
    func priorities(strongFirst: Bool) {
        root.with(view)
        let strong = view.widthAnchor.constraint(equalToConstant: 100)
        let weak = view.widthAnchor.constraint(equalToConstant: 200)
        strong.priority = .defaultHigh
        weak.priority = .defaultLow
        NSLayoutConstraint.activate(strongFirst ? [strong, weak] : [weak, strong])
        #expect(view.placed.width == 100)
        weak.priority = UILayoutPriority(751)
        #expect(view.placed.width == 200)
    }

    @Test("Content is hugged and not cut by its strengths")
    func content() {
        let (one, two) = (SizedView(80, 20), SizedView(80, 20))
        root.with(one, two)
        activate(
            one.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            two.leadingAnchor.constraint(equalTo: one.trailingAnchor),
            two.trailingAnchor.constraint(equalTo: root.trailingAnchor)
        )
        one.setContentHuggingPriority(UILayoutPriority(251), for: .horizontal)
        #expect(one.placed.width == 80)
        #expect(two.placed.width == 240)
        two.setContentHuggingPriority(UILayoutPriority(252), for: .horizontal)
        #expect(one.placed.width == 240)
        #expect(two.placed.width == 80)
        (one.size.width, two.size.width) = (200, 200)
        two.setContentCompressionResistancePriority(UILayoutPriority(751), for: .horizontal)
        #expect(one.placed.width == 120)
        #expect(two.placed.width == 200)
    }

    @Test("An inequality holds with the least change")
    func inequality() {
        let text = SizedView(400, 20)
        root.with(text, view)
        activate(
            text.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 10),
            text.trailingAnchor.constraint(lessThanOrEqualTo: root.trailingAnchor, constant: -10),
            view.widthAnchor.constraint(greaterThanOrEqualToConstant: 60),
            view.widthAnchor.constraint(lessThanOrEqualTo: text.widthAnchor, multiplier: 0.5)
        )
        #expect(text.placed == rect(10, 0, 300, 20))
        text.size.width = 100
        #expect(text.placed == rect(10, 0, 120, 20))
        #expect(view.frame.width == 60)
    }

    @Test("A required constraint that contradicts earlier ones is named and does not hold")
    func contradiction() {
        root.with(view)
        let (first, second) = (
            view.widthAnchor.constraint(equalToConstant: 100), view.widthAnchor.constraint(equalToConstant: 50)
        )
        let impossible = view.heightAnchor.constraint(lessThanOrEqualToConstant: -1)
        activate(first, second, impossible)
        let contradicting = LayoutEquations(of: root, in: .fixed(root.bounds.size)).solved().contradicting
        #expect(contradicting == [second, impossible])
        #expect(view.placed == rect(0, 0, 100, 0))
    }

    @Test(
        "A constraint with numbers that are none does not hold, and the others do",
        arguments: [CGFloat.nan, .infinity]
    )
    func numbers(number: CGFloat) {
        root.with(view)
        pin(view, 10, 10, 20, 20)
        activate(view.widthAnchor.constraint(equalToConstant: number))
        #expect(view.placed == rect(10, 10, 20, 20))
    }

    @Test("A constraint of a place alone, which iOS refuses, does not hold")
    func placeAlone() {
        root.with(view)
        pin(view, 10, 10, 20, 20)
        NSLayoutConstraint(
            item: view,
            attribute: .left,
            relatedBy: .equal,
            toItem: nil,
            attribute: .notAnAttribute,
            multiplier: 1,
            constant: 90
        ).isActive = true
        #expect(view.placed == rect(10, 10, 20, 20))
    }

    @Test("A constraint of views that are in no view together does not become active")
    func strangers() {
        let constraint = view.widthAnchor.constraint(equalTo: other.widthAnchor)
        constraint.isActive = true
        #expect(!constraint.isActive)
    }
}
