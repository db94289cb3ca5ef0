// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// Sizes that views with wrapping texts have in a room, before and after a layout.
@MainActor @Suite struct FittingTests {
    private static let words = String(repeating: "word ", count: 60)

    private func label(_ text: String = FittingTests.words) -> UILabel {
        let label = UILabel()
        (label.text, label.numberOfLines) = (text, 0)
        return label
    }

    /// The height in a width, asked as authors do.
    private func height(_ view: UIView, _ width: CGFloat, _ horizontal: UILayoutPriority = .required) -> CGFloat {
        view.systemLayoutSizeFitting(
            CGSize(width: width, height: UIView.layoutFittingCompressedSize.height),
            withHorizontalFittingPriority: horizontal,
            verticalFittingPriority: .fittingSizeLevel
        ).height
    }

    private func pin(_ view: UIView, in outer: UIView, by inset: CGFloat) {
        outer.with(view)
        NSLayoutConstraint.activate([
            view.leadingAnchor.constraint(equalTo: outer.leadingAnchor, constant: inset),
            view.trailingAnchor.constraint(equalTo: outer.trailingAnchor, constant: -inset),
            view.topAnchor.constraint(equalTo: outer.topAnchor, constant: inset),
            view.bottomAnchor.constraint(equalTo: outer.bottomAnchor, constant: -inset),
        ])
    }

    /// The height of the text in a width.
    private func lines(_ width: CGFloat) -> CGFloat { label().sizeThatFits(CGSize(width: width, height: 0)).height }

    @Test("A text is measured in the width of the target, whatever its strength", arguments: [50, 250, 1000])
    func targets(strength: Float) {
        let (box, stack) = (UIView(), UIStackView(arrangedSubviews: [label(), label("short"), label()]))
        stack.axis = .vertical
        pin(stack, in: box, by: 10)
        let wanted = 2 * lines(280) + lines(3000) + 20
        #expect(height(box, 300, UILayoutPriority(strength)) == wanted)
        if strength == 50 {
            #expect(box.systemLayoutSizeFitting(CGSize(width: 300, height: 0)) == CGSize(width: 300, height: wanted))
        }
    }

    @Test("A view that constraints make wider than the target, or narrower, keeps its width")
    func otherWidths() {
        let box = UIView()
        pin(label(), in: box, by: 10)
        box.widthAnchor.constraint(equalToConstant: 400).isActive = true
        let size = box.systemLayoutSizeFitting(CGSize(width: 300, height: 0))
        #expect(size == CGSize(width: 400, height: lines(380) + 20))
        let short = UIView()
        pin(label("short"), in: short, by: 10)
        #expect(short.systemLayoutSizeFitting(CGSize(width: 300, height: 0)).width < 100)
    }

    @Test("The smallest size of a view that was laid out has its texts as they were broken")
    func compressed() {
        let (root, card) = (UIView.box(300, 500), UIView())
        root.with(card)
        pin(label(), in: card, by: 10)
        NSLayoutConstraint.activate([
            card.leadingAnchor.constraint(equalTo: root.leadingAnchor),
            card.trailingAnchor.constraint(equalTo: root.trailingAnchor),
            card.topAnchor.constraint(equalTo: root.topAnchor),
        ])
        // Nothing says a width yet.
        #expect(card.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize).height == lines(3000) + 20)
        root.layoutIfNeeded()
        let frame = card.frame
        let size = card.systemLayoutSizeFitting(UIView.layoutFittingCompressedSize)
        #expect(size.height == frame.height)
        #expect(size.width <= frame.width)
        #expect(card.systemLayoutSizeFitting(CGSize(width: 300, height: 0)) == frame.size)
        #expect(height(card, 200) == lines(180) + 20)
        root.layoutIfNeeded()
        #expect(card.frame == frame)
    }
}
