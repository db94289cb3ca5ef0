// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// Fonts that follow the size of texts while a view is shown.
@MainActor @Suite(.serialized) struct DynamicFontTests {
    /// Shows views at the usual size of texts, and then at twice that.
    private func grow(_ views: [UIView]) {
        defer { Surroundings.environment = ViewEnvironment() }
        let (window, controller) = (UIWindow(frame: rect(0, 0, 360, 200)), UIViewController())
        for view in views { controller.view.addSubview(view) }
        window.rootViewController = controller
        controller.appear()
        window.move(to: ViewEnvironment(textSize: 2))
    }

    private func label(_ font: UIFont, follows: Bool = true) -> UILabel {
        let label = UILabel()
        (label.font, label.adjustsFontForContentSizeCategory) = (font, follows)
        return label
    }

    @Test("Labels that follow the size of texts have their dynamic fonts in it, and no other fonts")
    func labels() {
        let bold = UIFontDescriptor.preferredFontDescriptor(withTextStyle: .body).withSymbolicTraits(.traitBold)
        let fonts: [UIFont] = [
            .preferredFont(forTextStyle: .body), UIFontMetrics.default.scaledFont(for: .systemFont(ofSize: 10)),
            UIFontMetrics.default.scaledFont(for: .systemFont(ofSize: 10), maximumPointSize: 15),
            .systemFont(ofSize: 17), .preferredFont(forTextStyle: .body).withSize(20),
            bold.map { UIFont(descriptor: $0, size: 0) } ?? .systemFont(ofSize: 1),
        ]
        let labels = fonts.map { label($0) }
        let still = label(fonts[0], follows: false)
        grow(labels + [still])
        #expect(labels.map(\.font.pointSize) == [34, 20, 15, 17, 20, 34])
        #expect(labels.last?.font.fontDescriptor.symbolicTraits == .traitBold)
        #expect(still.font.pointSize == 17)
    }

    @Test("Fields, text views, buttons and attributed texts follow it as well")
    func others() {
        let body = UIFont.preferredFont(forTextStyle: .body)
        let (field, view, button, text) = (UITextField(), UITextView(), UIButton(), UILabel())
        (field.font, field.adjustsFontForContentSizeCategory) = (body, true)
        (view.font, view.adjustsFontForContentSizeCategory) = (body, true)
        button.titleLabel?.font = body
        button.titleLabel?.adjustsFontForContentSizeCategory = true
        text.adjustsFontForContentSizeCategory = true
        text.attributedText = NSAttributedString(string: "A", attributes: [.font: body])
        grow([field, view, button, text])
        #expect(field.font?.pointSize == 34)
        #expect(view.font?.pointSize == 34)
        #expect(button.titleLabel?.font.pointSize == 34)
        #expect(text.attributedText?.first(.font, as: UIFont.self)?.pointSize == 34)
    }

    @Test("A font that follows the size goes back with it")
    func back() {
        let usual = UITraitCollection(environment: ViewEnvironment())
        let large = UITraitCollection(environment: ViewEnvironment(textSize: 2))
        let font = UIFontMetrics.default.scaledFont(for: .systemFont(ofSize: 10))
        let grown = font.adapted(from: usual, to: large)
        #expect(grown?.pointSize == 20)
        #expect(grown?.adapted(from: large, to: usual)?.pointSize == 10)
    }
}
