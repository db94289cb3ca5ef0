// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// A field whose delegate lets nobody end the writing.
private final class Stubborn: NSObject, UITextFieldDelegate {
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { false }
}

/// Sizes of texts and of controls, and the end of the writing in a view.
@MainActor @Suite(.serialized) struct MeasureTests {
    @Test("A text has the size that a label of it has")
    func texts() {
        let text = String(repeating: "word ", count: 40) + "end"
        let font = UIFont.systemFont(ofSize: 17)
        let label = UILabel()
        (label.text, label.numberOfLines) = (text, 0)
        let line = text.size(withAttributes: [.font: font])
        #expect((line.width * 2).rounded(.up) / 2 == label.intrinsicContentSize.width)
        #expect(line.height == label.intrinsicContentSize.height)
        #expect((text as NSString).size(withAttributes: [.font: font]) == line)
        #expect(NSAttributedString(string: text, attributes: [.font: font]).size() == line)
        let room = CGSize(width: 200, height: CGFloat.greatestFiniteMagnitude)
        let context = NSStringDrawingContext()
        let broken = text.boundingRect(
            with: room,
            options: [.usesLineFragmentOrigin, .usesFontLeading],
            attributes: [.font: font],
            context: context
        )
        let fitting = label.sizeThatFits(CGSize(width: 200, height: 0))
        #expect(broken.origin == .zero)
        #expect(broken.height == fitting.height)
        #expect(broken.width <= fitting.width)
        #expect(context.totalBounds == broken)
        let unbroken = (text as NSString)
            .boundingRect(with: room, options: [], attributes: [.font: font], context: nil)
        #expect(unbroken.size == line)
        let cut = text.boundingRect(
            with: CGSize(width: 200, height: 2 * line.height),
            options: [.usesLineFragmentOrigin, .truncatesLastVisibleLine],
            attributes: [.font: font],
            context: nil
        )
        #expect(cut.height == 2 * line.height)
    }

    @Test("A text without a font is measured in 12 points, and an empty one has the height of a line")
    func withoutFont() {
        let small: [NSAttributedString.Key: Any] = [.font: UIFont.systemFont(ofSize: 12)]
        #expect("Words".size() == "Words".size(withAttributes: small))
        #expect("".size(withAttributes: small).width == 0)
        #expect("".size(withAttributes: small).height == "Words".size(withAttributes: small).height)
        let hostile = CGSize(width: CGFloat.nan, height: -.infinity)
        #expect("Words".boundingRect(with: hostile, options: .usesLineFragmentOrigin, context: nil).width > 0)
    }

    @Test("Switches and steppers keep their sizes beside a view that can be larger", arguments: [true, false])
    func fixedSizes(isRow: Bool) {
        for control in [UISwitch(), UIStepper()] as [UIControl] {
            let (size, filler) = (control.intrinsicContentSize, SizedView(20, 20))
            // The last of two views that let themselves be stretched alike is the one that is.
            let stack = UIStackView(arrangedSubviews: [filler, control])
            (stack.axis, stack.alignment) = (isRow ? .horizontal : .vertical, .leading)
            stack.frame = rect(0, 0, 300, 300)
            stack.layoutIfNeeded()
            #expect(control.frame.size == size)
            #expect(isRow ? filler.frame.width == 300 - size.width : filler.frame.height == 300 - size.height)
        }
    }

    @Test("The writing in a view ends, with force whatever the delegate says, and that of others does not")
    func endEditing() {
        let (root, other, field) = (UIView.box(100, 100), UIView(), UITextField())
        let stubborn = Stubborn()
        root.addSubview(field)
        field.becomeFirstResponder()
        #expect(!other.endEditing(true))
        #expect(field.isFirstResponder)
        field.delegate = stubborn
        #expect(!root.endEditing(false))
        #expect(field.isFirstResponder)
        #expect(root.endEditing(true))
        #expect(!field.isFirstResponder)
        #expect(!root.endEditing(true))
    }
}
