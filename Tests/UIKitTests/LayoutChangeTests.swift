// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// The frame of a view at (20, 10) of 100 × 50 points in one of 200 × 100 that becomes 300 × 200, by its mask.
private let maskedFrames: [(UIView.AutoresizingMask, CGRect)] = [
    ([], rect(20, 10, 100, 50)),
    ([.flexibleWidth, .flexibleHeight], rect(20, 10, 200, 150)),
    ([.flexibleLeftMargin, .flexibleTopMargin], rect(120, 110, 100, 50)),
    ([.flexibleLeftMargin, .flexibleRightMargin], rect(40, 10, 100, 50)),
    ([.flexibleTopMargin, .flexibleBottomMargin], rect(20, 30, 100, 50)),
    ([.flexibleLeftMargin, .flexibleWidth, .flexibleRightMargin], rect(30, 10, 150, 50)),
]

@MainActor @Suite struct LayoutChangeTests {
    let root = UIView.box(320, 200)
    let view = UIView()

    private func activate(_ constraints: NSLayoutConstraint...) { NSLayoutConstraint.activate(constraints) }

    // MARK: Autoresizing

    @Test("A mask shares a growth among what is flexible", arguments: maskedFrames)
    func masks(mask: UIView.AutoresizingMask, frame: CGRect) {
        let root = UIView.box(200, 100)
        view.frame = rect(20, 10, 100, 50)
        view.autoresizingMask = mask
        root.addSubview(view)
        root.frame.size = CGSize(width: 300, height: 200)
        #expect(view.frame == frame)
        #expect(view.placed == frame)
    }

    @Test("Views of frames and views of constraints stand in each other")
    func mixed() {
        let (outer, inner) = (UIView(), UIView())
        root.with(outer)
        activate(
            outer.leftAnchor.constraint(equalTo: root.leftAnchor, constant: 20),
            outer.topAnchor.constraint(equalTo: root.topAnchor, constant: 30),
            outer.widthAnchor.constraint(equalToConstant: 100),
            outer.heightAnchor.constraint(equalToConstant: 100)
        )
        outer.layoutIfNeeded()
        inner.frame = rect(10, 10, 80, 20)
        inner.autoresizingMask = [.flexibleWidth]
        outer.addSubview(inner)
        inner.with(view)
        activate(
            view.trailingAnchor.constraint(equalTo: inner.trailingAnchor, constant: -5),
            view.topAnchor.constraint(equalTo: root.topAnchor, constant: 50),
            view.widthAnchor.constraint(equalToConstant: 10),
            view.bottomAnchor.constraint(equalTo: inner.bottomAnchor)
        )
        #expect(view.placed == rect(65, 10, 10, 10))
        #expect(inner.frame == rect(10, 10, 80, 20))
        outer.constraints.first { $0.firstAttribute == .width }?.constant = 150
        #expect(view.placed == rect(115, 10, 10, 10))
        #expect(inner.frame == rect(10, 10, 130, 20))
        outer.autoresizesSubviews = false
        outer.constraints.first { $0.firstAttribute == .width }?.constant = 200
        #expect(view.placed == rect(115, 10, 10, 10))
    }

    @Test("A change of size places anew what constraints tie to it")
    func resized() {
        root.with(view)
        activate(
            view.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            view.trailingAnchor.constraint(equalTo: root.trailingAnchor),
            view.heightAnchor.constraint(equalTo: root.heightAnchor, multiplier: 0.5)
        )
        #expect(view.placed == rect(0, 0, 320, 100))
        root.frame.size = CGSize(width: 280, height: 80)
        #expect(view.placed == rect(0, 0, 280, 40))
    }

    // MARK: Direction

    @Test("Where the language goes from right to left, leading is right, constants go to the left, and relations turn")
    func rightToLeft() {
        let other = UIView()
        root.semanticContentAttribute = .forceRightToLeft
        root.with(view, other)
        activate(
            view.leadingAnchor.constraint(equalTo: root.leadingAnchor, constant: 10),
            view.widthAnchor.constraint(equalToConstant: 50),
            other.leadingAnchor.constraint(greaterThanOrEqualTo: view.trailingAnchor, constant: 5),
            other.leftAnchor.constraint(equalTo: root.leftAnchor, constant: 20),
            other.widthAnchor.constraint(greaterThanOrEqualToConstant: 60)
        )
        let wide = other.widthAnchor.constraint(equalToConstant: 1000)
        wide.priority = .defaultLow
        wide.isActive = true
        #expect(view.placed == rect(260, 0, 50, 0))
        #expect(other.placed == rect(20, 0, 235, 0))
        other.removeFromSuperview()
        root.semanticContentAttribute = .forceLeftToRight
        #expect(view.placed == rect(10, 0, 50, 0))
    }

    @Test("A factor of a trailing edge counts from the other side, where the language begins there")
    func factorFromRight() {
        root.semanticContentAttribute = .forceRightToLeft
        root.with(view)
        activate(view.leadingAnchor.constraint(equalTo: root.leadingAnchor))
        NSLayoutConstraint(
            item: view,
            attribute: .trailing,
            relatedBy: .equal,
            toItem: root,
            attribute: .trailing,
            multiplier: 0.25,
            constant: 4
        ).isActive = true
        #expect(view.placed == rect(236, 0, 84, 0))
    }

    @Test("Directional margins are left or right by the language")
    func directionalMargins() {
        root.directionalLayoutMargins = NSDirectionalEdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4)
        #expect(root.layoutMargins == UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4))
        root.semanticContentAttribute = .forceRightToLeft
        #expect(root.layoutMargins == UIEdgeInsets(top: 1, left: 4, bottom: 3, right: 2))
    }

    // MARK: Changes

    @Test("A view that is removed takes the constraints along that lead out of it, and keeps those inside")
    func removal() {
        let inner = UIView()
        root.with(view)
        view.with(inner)
        let inside = inner.topAnchor.constraint(equalTo: view.topAnchor, constant: 3)
        let own = view.widthAnchor.constraint(equalToConstant: 10)
        let outer = inner.bottomAnchor.constraint(equalTo: root.bottomAnchor)
        activate(inside, own, outer, view.leftAnchor.constraint(equalTo: root.leftAnchor, constant: 5))
        #expect(root.constraints.count == 2)
        view.removeFromSuperview()
        #expect(root.constraints.isEmpty)
        #expect(inside.isActive)
        #expect(own.isActive)
        #expect(!outer.isActive)
        root.addSubview(view)
        #expect(view.placed == rect(0, 0, 10, 0))
        #expect(inner.frame == rect(0, 3, 0, 0))
    }

    @Test("A constant, a priority and an activation have the views placed anew; nothing else does")
    func changes() {
        root.with(view)
        let width = view.widthAnchor.constraint(equalToConstant: 10)
        activate(width)
        #expect(view.placed.width == 10)
        let count = LayoutPass.solvedCount
        width.constant = 20
        #expect(view.placed.width == 20)
        #expect(LayoutPass.solvedCount == count + 1)
        width.constant = 20
        view.alpha = 0.5
        view.backgroundColor = .red
        root.layoutIfNeeded()
        #expect(LayoutPass.solvedCount == count + 1)
        width.isActive = false
        #expect(view.placed.width == 0)
        #expect(LayoutPass.solvedCount == count + 2)
    }

    @Test("Content that is said to be new and has the same size needs no solving")
    func sameContent() {
        let text = SizedView(50, 20)
        root.with(text)
        root.layoutIfNeeded()
        let count = LayoutPass.solvedCount
        text.size = CGSize(width: 50, height: 20)
        root.layoutIfNeeded()
        #expect(LayoutPass.solvedCount == count)
        text.size.width = 60
        #expect(text.placed == rect(0, 0, 60, 20))
        #expect(LayoutPass.solvedCount == count + 1)
    }

    // MARK: Texts and fitting

    @Test("A text that is broken has the height of its lines in the width that it gets")
    func wrapping() {
        let text = WordsView(20)
        root.with(text, view)
        activate(
            text.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            text.widthAnchor.constraint(lessThanOrEqualToConstant: 75),
            view.topAnchor.constraint(equalTo: text.bottomAnchor)
        )
        // Seven words in a line are three lines.
        #expect(text.placed == rect(0, 0, 75, 60))
        #expect(view.frame.minY == 60)
    }

    @Test("A label of several lines has the height of its text in the width that the layout gives it")
    func label() {
        let label = UILabel()
        label.text = "A text that does not stand on one line of a hundred points"
        label.numberOfLines = 0
        root.with(label, view)
        activate(
            label.topAnchor.constraint(equalTo: root.topAnchor),
            label.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            label.widthAnchor.constraint(equalToConstant: 100),
            view.topAnchor.constraint(equalTo: label.lastBaselineAnchor)
        )
        let fitting = label.sizeThatFits(CGSize(width: 100, height: 0))
        #expect(label.placed == rect(0, 0, 100, fitting.height))
        // 1.21 times 17 points, rounded up, and five lines or more.
        #expect(label.frame.height.truncatingRemainder(dividingBy: 21) == 0)
        #expect(label.frame.height >= 105)
        #expect(view.frame.minY == fitting.height - label.baselines(inWidth: 100).last)
        label.text = "Short"
        #expect(label.placed == rect(0, 0, 100, 21))
    }

    @Test("Labels in the middle of a view are not broken where they have the room")
    func centredLabel() {
        let label = UILabel()
        label.numberOfLines = 0
        root.with(label)
        activate(label.centerXAnchor.constraint(equalTo: root.centerXAnchor))
        for text in ["I", "Il", "Will", "Notifications", "A longer line of text"] {
            label.text = text
            let natural = label.sizeThatFits(.zero)
            #expect(label.placed.size == natural)
            #expect(natural.height == 21)
        }
    }

    @Test("The fitting size is the least or the largest that constraints allow")
    func fitting() {
        let text = SizedView(50, 20)
        view.with(text)
        activate(
            text.leadingAnchor.constraint(equalTo: view.leadingAnchor, constant: 8),
            text.trailingAnchor.constraint(equalTo: view.trailingAnchor, constant: -8),
            text.topAnchor.constraint(equalTo: view.topAnchor, constant: 4),
            text.bottomAnchor.constraint(equalTo: view.bottomAnchor, constant: -4),
            view.heightAnchor.constraint(lessThanOrEqualToConstant: 40)
        )
        #expect(view.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize) == CGSize(width: 66, height: 28))
        let wide = view.systemLayoutSizeFitting(
            CGSize(width: 200, height: 0),
            withHorizontalFittingPriority: .required,
            verticalFittingPriority: .fittingSizeLevel
        )
        #expect(wide == CGSize(width: 200, height: 28))
        #expect(view.frame == .zero)
    }

    @Test("The fitting height of a text is that of its lines in the width that is asked for")
    func fittingHeight() {
        let text = WordsView(20)
        view.with(text)
        activate(
            text.leadingAnchor.constraint(equalTo: view.leadingAnchor),
            text.trailingAnchor.constraint(equalTo: view.trailingAnchor),
            text.topAnchor.constraint(equalTo: view.topAnchor),
            text.bottomAnchor.constraint(equalTo: view.bottomAnchor)
        )
        func height(_ width: CGFloat) -> CGFloat {
            view.systemLayoutSizeFitting(
                CGSize(width: width, height: 0),
                withHorizontalFittingPriority: .required,
                verticalFittingPriority: .fittingSizeLevel
            ).height
        }
        #expect(height(200) == 20)
        #expect(height(100) == 40)
        #expect(height(50) == 80)
    }

    @Test("Edges lie on half points, and neighbours leave no gap")
    func halfPoints() {
        let views = [UIView(), UIView(), UIView()]
        let root = UIView.box(100, 10)
        for view in views { root.with(view) }
        for (index, view) in views.enumerated() {
            activate(
                view.leftAnchor.constraint(equalTo: index == 0 ? root.leftAnchor : views[index - 1].rightAnchor),
                view.widthAnchor.constraint(equalTo: root.widthAnchor, multiplier: 1.0 / 3)
            )
        }
        root.layoutIfNeeded()
        #expect(views.map(\.frame.minX) == [0, 33.5, 66.5])
        #expect(views.map(\.frame.maxX) == [33.5, 66.5, 100])
    }

    // MARK: Calls

    @Test("Views and controllers hear of a layout that changes something in them")
    func calls() {
        final class Listening: UIView {
            var count = 0
            var constraintCount = 0
            override func layoutSubviews() { count += 1 }
            override func updateConstraints() {
                constraintCount += 1
                super.updateConstraints()
            }
        }
        let listening = Listening(frame: rect(0, 0, 100, 100))
        listening.with(view)
        let width = view.widthAnchor.constraint(equalToConstant: 10)
        activate(width)
        listening.layoutIfNeeded()
        #expect(listening.count == 1)
        #expect(listening.constraintCount == 1)
        listening.layoutIfNeeded()
        #expect(listening.count == 1)
        width.constant = 20
        listening.layoutIfNeeded()
        #expect(listening.count == 2)
        listening.setNeedsUpdateConstraints()
        listening.layoutIfNeeded()
        #expect(listening.count == 2)
        #expect(listening.constraintCount == 2)
    }

    @Test("A view that asks for a layout while it is laid out does not do so without an end")
    func endless() {
        final class Restless: UIView {
            var count = 0
            override func layoutSubviews() {
                count += 1
                setNeedsLayout()
                layoutIfNeeded()
            }
        }
        let restless = Restless(frame: rect(0, 0, 10, 10))
        restless.layoutIfNeeded()
        #expect(restless.count > 0)
    }
}
