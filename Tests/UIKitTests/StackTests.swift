// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

@MainActor @Suite struct StackTests {
    let root = UIView.box(300, 200)
    let views = [SizedView(80, 60), SizedView(40, 30), SizedView(20, 10)]

    /// A stack view in the root, at its corner and in its own size where that has no number here.
    private func stack(_ width: CGFloat? = nil, _ height: CGFloat? = nil) -> UIStackView {
        let stack = UIStackView(arrangedSubviews: views)
        root.with(stack)
        if let width { stack.widthAnchor.constraint(equalToConstant: width).isActive = true }
        if let height { stack.heightAnchor.constraint(equalToConstant: height).isActive = true }
        return stack
    }

    private var frames: [CGRect] {
        root.layoutIfNeeded()
        return views.map(\.frame)
    }

    // MARK: Along the axis

    @Test("Without a size from outside a row is as large as its views and distances")
    func row() {
        let stack = stack()
        stack.spacing = 5
        #expect(frames == [rect(0, 0, 80, 60), rect(85, 0, 40, 60), rect(130, 0, 20, 60)])
        #expect(stack.frame == rect(0, 0, 150, 60))
    }

    @Test("A column is as large as its views and distances")
    func column() {
        let stack = stack()
        stack.axis = .vertical
        stack.spacing = 5
        #expect(frames == [rect(0, 0, 80, 60), rect(0, 65, 80, 30), rect(0, 100, 80, 10)])
        #expect(stack.frame == rect(0, 0, 80, 110))
    }

    @Test("In a stack view of its own size the least hugged view is stretched, and of equals the last")
    func stretching() {
        _ = stack(200)
        #expect(frames.map(\.width) == [80, 40, 80])
        views[1].setContentHuggingPriority(UILayoutPriority(249), for: .horizontal)
        #expect(frames.map(\.width) == [80, 100, 20])
        #expect(frames.map(\.minX) == [0, 80, 180])
    }

    @Test("The view that resists least is compressed")
    func compressing() {
        _ = stack(100)
        // The last of equals gives way, then the one before it.
        #expect(frames.map(\.width) == [80, 20, 0])
        views[1].setContentCompressionResistancePriority(UILayoutPriority(749), for: .horizontal)
        #expect(frames.map(\.width) == [80, 0, 20])
        views[0].setContentCompressionResistancePriority(UILayoutPriority(748), for: .horizontal)
        #expect(frames.map(\.width) == [40, 40, 20])
    }

    @Test("fillEqually gives all views one size")
    func equally() {
        let stack = stack(180)
        stack.distribution = .fillEqually
        stack.spacing = 15
        #expect(frames.map(\.width) == [50, 50, 50])
        #expect(frames.map(\.minX) == [0, 65, 130])
    }

    @Test("fillEqually without a size from outside gives all views the largest size")
    func equallyFree() {
        let stack = stack()
        stack.distribution = .fillEqually
        #expect(frames.map(\.width) == [80, 80, 80])
        #expect(stack.frame == rect(0, 0, 240, 60))
    }

    @Test("fillProportionally gives each view its part of all sizes")
    func proportionally() {
        let stack = stack(280)
        stack.distribution = .fillProportionally
        #expect(frames.map(\.width) == [160, 80, 40])
        // As on iOS the distances count in the sum, and the last view takes what is left.
        stack.spacing = 10
        #expect(frames.map(\.width) == [140, 70, 50])
        stack.constraints.first?.isActive = false
        #expect(frames.map(\.width) == [80, 40, 20])
    }

    @Test("equalSpacing gives the views their own sizes and equal distances, at least those that are set")
    func equalSpacing() {
        let stack = stack(200)
        stack.distribution = .equalSpacing
        stack.spacing = 10
        #expect(frames == [rect(0, 0, 80, 60), rect(110, 0, 40, 60), rect(180, 0, 20, 60)])
        stack.constraints.first?.isActive = false
        #expect(frames.map(\.minX) == [0, 90, 140])
        #expect(stack.frame.width == 160)
    }

    @Test("equalCentering gives the middles equal distances")
    func equalCentering() {
        let stack = stack(250)
        stack.distribution = .equalCentering
        stack.spacing = 5
        // The middles are at 40, 140 and 240.
        #expect(frames == [rect(0, 0, 80, 60), rect(120, 0, 40, 60), rect(230, 0, 20, 60)])
    }

    @Test("equalCentering keeps the distances that are set and then the sizes, before the middles")
    func equalCenteringInLittleRoom() {
        let stack = stack(150)
        stack.distribution = .equalCentering
        stack.spacing = 5
        #expect(frames.map(\.minX) == [0, 85, 130])
        #expect(frames.map(\.width) == [80, 40, 20])
    }

    // MARK: Across the axis

    @Test(
        "Views stand across the axis as the alignment says",
        arguments: [
            (UIStackView.Alignment.fill, [rect(0, 0, 80, 100), rect(80, 0, 40, 100), rect(120, 0, 20, 100)]),
            (.leading, [rect(0, 0, 80, 60), rect(80, 0, 40, 30), rect(120, 0, 20, 10)]),
            (.top, [rect(0, 0, 80, 60), rect(80, 0, 40, 30), rect(120, 0, 20, 10)]),
            (.center, [rect(0, 20, 80, 60), rect(80, 35, 40, 30), rect(120, 45, 20, 10)]),
            (.trailing, [rect(0, 40, 80, 60), rect(80, 70, 40, 30), rect(120, 90, 20, 10)]),
            (.bottom, [rect(0, 40, 80, 60), rect(80, 70, 40, 30), rect(120, 90, 20, 10)]),
        ]
    )
    func alignments(alignment: UIStackView.Alignment, expected: [CGRect]) {
        let stack = stack(140, 100)
        stack.alignment = alignment
        #expect(frames == expected)
    }

    @Test(
        "Across the axis the stack view is as large as its largest view",
        arguments: [
            UIStackView.Alignment.fill, .leading, .center, .trailing,
        ]
    )
    func acrossFree(alignment: UIStackView.Alignment) {
        let stack = stack()
        stack.alignment = alignment
        root.layoutIfNeeded()
        #expect(stack.frame == rect(0, 0, 140, 60))
    }

    @Test("Across the axis a view without a size of its own has none")
    func noSize() {
        let stack = stack()
        let plain = UIView()
        plain.widthAnchor.constraint(equalToConstant: 10).isActive = true
        stack.addArrangedSubview(plain)
        stack.alignment = .center
        #expect(plain.placed == rect(140, 30, 10, 0))
    }

    @Test("Baselines lie on one line, and the stack view has room for all of them")
    func baselines() {
        views[0].lines = (40, 20)
        views[1].lines = (10, 20)
        views[2].lines = (8, 2)
        let stack = stack()
        stack.alignment = .firstBaseline
        #expect(frames.map(\.minY) == [0, 30, 32])
        #expect(stack.frame == rect(0, 0, 140, 60))
        stack.alignment = .lastBaseline
        // The last baselines are 40, 10 and 8 points below the tops.
        #expect(frames.map(\.minY) == [0, 30, 32])
        stack.heightAnchor.constraint(equalToConstant: 100).isActive = true
        #expect(frames.map(\.minY) == [40, 70, 72])
        stack.alignment = .firstBaseline
        #expect(frames.map(\.minY) == [0, 30, 32])
    }

    @Test("A column measures distances between lines of text, where it is told to")
    func baselineDistances() {
        views[0].lines = (40, 20)
        views[1].lines = (10, 5)
        let stack = stack()
        stack.axis = .vertical
        stack.isBaselineRelativeArrangement = true
        stack.spacing = 50
        #expect(frames.map(\.minY) == [0, 80, 155])
    }

    @Test("Constraints on the baseline of a row mean that of its tallest view, on those of a column its first and last")
    func ownBaselines() {
        views[0].lines = (40, 20)
        views[1].lines = (10, 5)
        views[2].lines = (8, 1)
        let (stack, first, last) = (stack(), UIView(), UIView())
        root.with(first, last)
        first.topAnchor.constraint(equalTo: stack.firstBaselineAnchor).isActive = true
        last.topAnchor.constraint(equalTo: stack.lastBaselineAnchor).isActive = true
        #expect(first.placed.minY == 40)
        #expect(last.frame.minY == 40)
        stack.axis = .vertical
        #expect(first.placed.minY == 40)
        #expect(last.frame.minY == 99)
    }

    // MARK: Distances, margins, direction

    @Test("A view can have a distance of its own behind it")
    func customSpacing() {
        let stack = stack()
        stack.spacing = 5
        stack.setCustomSpacing(30, after: views[0])
        #expect(stack.customSpacing(after: views[0]) == 30)
        #expect(stack.customSpacing(after: views[1]) == UIStackView.spacingUseDefault)
        #expect(frames.map(\.minX) == [0, 110, 155])
        stack.setCustomSpacing(UIStackView.spacingUseSystem, after: views[0])
        #expect(frames.map(\.minX) == [0, 88, 133])
        stack.setCustomSpacing(UIStackView.spacingUseDefault, after: views[0])
        #expect(frames.map(\.minX) == [0, 85, 130])
        stack.spacing = UIStackView.spacingUseSystem
        #expect(frames.map(\.minX) == [0, 88, 136])
        stack.spacing = .nan
        #expect(frames.map(\.minX) == [0, 80, 120])
    }

    @Test("Views stand inside of the margins, where the stack view is told to")
    func margins() {
        let stack = stack()
        stack.isLayoutMarginsRelativeArrangement = true
        stack.layoutMargins = UIEdgeInsets(top: 1, left: 2, bottom: 3, right: 4)
        #expect(frames == [rect(2, 1, 80, 60), rect(82, 1, 40, 60), rect(122, 1, 20, 60)])
        #expect(stack.frame == rect(0, 0, 146, 64))
    }

    @Test("A row begins on the right, where the language does")
    func rightToLeft() {
        let stack = stack()
        stack.semanticContentAttribute = .forceRightToLeft
        stack.spacing = 5
        #expect(frames.map(\.minX) == [70, 25, 0])
        stack.axis = .vertical
        stack.alignment = .leading
        #expect(frames.map(\.minX) == [0, 40, 60])
    }

    // MARK: Arranged views

    @Test("A hidden view takes no room, in neither direction, and comes back")
    func hidden() {
        let stack = stack()
        stack.spacing = 5
        views[0].isHidden = true
        #expect(frames[1...] == [rect(0, 0, 40, 30), rect(45, 0, 20, 30)])
        #expect(stack.frame == rect(0, 0, 65, 30))
        #expect(views[0].frame.width == 0)
        views[0].isHidden = false
        views[2].isHidden = true
        #expect(frames[...1] == [rect(0, 0, 80, 60), rect(85, 0, 40, 60)])
        #expect(stack.frame == rect(0, 0, 125, 60))
        for view in views { view.isHidden = true }
        root.layoutIfNeeded()
        #expect(stack.frame == .zero)
    }

    @Test("A hidden view whose constraints say a size contradicts nothing")
    func hiddenWithSize() {
        let stack = stack()
        views[0].widthAnchor.constraint(equalToConstant: 90).isActive = true
        views[0].isHidden = true
        #expect(frames[1].minX == 0)
        #expect(LayoutEquations(of: root, in: .fixed(root.bounds.size)).solved().contradicting.isEmpty)
        #expect(stack.frame.width == 60)
    }

    @Test("Views are arranged, moved, let go and removed")
    func arranging() {
        let stack = stack()
        let new = SizedView(10, 10)
        stack.insertArrangedSubview(new, at: 1)
        #expect(!new.translatesAutoresizingMaskIntoConstraints)
        #expect(stack.arrangedSubviews == [views[0], new, views[1], views[2]])
        #expect(stack.subviews == [views[0], views[1], views[2], new])
        #expect(new.placed == rect(80, 0, 10, 60))
        stack.addArrangedSubview(views[0])
        #expect(stack.arrangedSubviews == [new, views[1], views[2], views[0]])
        #expect(frames[0] == rect(70, 0, 80, 60))
        stack.removeArrangedSubview(new)
        #expect(new.superview === stack)
        #expect(frames[1].minX == 0)
        views[1].removeFromSuperview()
        #expect(stack.arrangedSubviews == [views[2], views[0]])
        root.addSubview(views[2])
        #expect(stack.arrangedSubviews == [views[0]])
        #expect(stack.placed == rect(0, 0, 80, 60))
    }

    @Test("A stack view cannot arrange the view that it is in")
    func circle() {
        let (outer, inner) = (UIStackView(), UIStackView())
        outer.addArrangedSubview(inner)
        inner.addArrangedSubview(outer)
        #expect(inner.arrangedSubviews.isEmpty)
    }

    @Test("Stack views stand in stack views")
    func nested() {
        let inner = UIStackView(arrangedSubviews: [views[1], views[2]])
        inner.axis = .vertical
        inner.spacing = 4
        let outer = UIStackView(arrangedSubviews: [views[0], inner])
        outer.alignment = .center
        outer.spacing = 6
        root.with(outer)
        #expect(outer.placed == rect(0, 0, 126, 60))
        #expect(inner.frame == rect(86, 8, 40, 44))
        #expect(frames == [rect(0, 0, 80, 60), rect(0, 0, 40, 30), rect(0, 34, 40, 10)])
    }

    @Test("Texts in a column are broken in its width, and its height follows")
    func texts() {
        let stack = UIStackView(arrangedSubviews: [WordsView(20), WordsView(5)])
        stack.axis = .vertical
        stack.spacing = 10
        root.with(stack)
        stack.widthAnchor.constraint(equalToConstant: 100).isActive = true
        #expect(stack.placed == rect(0, 0, 100, 70))
        #expect(stack.subviews.map(\.frame) == [rect(0, 0, 100, 40), rect(0, 50, 100, 20)])
    }

    @Test("A stack view that a frame places fills that frame")
    func framed() {
        let stack = UIStackView(arrangedSubviews: views)
        stack.frame = rect(10, 20, 150, 50)
        stack.distribution = .fillEqually
        root.addSubview(stack)
        #expect(frames == [rect(0, 0, 50, 50), rect(50, 0, 50, 50), rect(100, 0, 50, 50)])
        #expect(stack.frame == rect(10, 20, 150, 50))
    }

    @Test("The fitting size of a stack view is that of its views")
    func fitting() {
        let stack = UIStackView(arrangedSubviews: views)
        stack.spacing = 10
        stack.alignment = .center
        let size = stack.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize)
        #expect(size == CGSize(width: 160, height: 60))
    }

    @Test(
        "Each distribution fits its views",
        arguments: [
            (UIStackView.Distribution.fill, 160.0), (.fillEqually, 260), (.fillProportionally, 160),
            (.equalSpacing, 160),
            (.equalCentering, 190),
        ]
    )
    func fittings(distribution: UIStackView.Distribution, width: Double) {
        let stack = UIStackView(arrangedSubviews: views)
        stack.spacing = 10
        stack.distribution = distribution
        let size = stack.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize)
        #expect(size == CGSize(width: width, height: 60))
    }
}
