// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import Testing

@testable import UIKit

/// A button of an author that says what it shows by overriding.
private final class OwnButton: UIButton {
    override var currentTitle: String? { "own" }
    override var currentImage: UIImage? { nil }
    override var currentTitleColor: UIColor { .red }
}

/// The label of a button, and what the button shows now.
@MainActor @Suite struct ButtonPartTests {
    @Test("A font that the label gets after a layout is kept and drawn, and the button grows")
    func font() throws {
        let (root, button) = (UIView.box(300, 200), UIButton(type: .system))
        button.setTitle("Send", for: .normal)
        root.with(button)
        button.leadingAnchor.constraint(equalTo: root.leadingAnchor).isActive = true
        button.topAnchor.constraint(equalTo: root.topAnchor).isActive = true
        let before = button.placed
        button.titleLabel?.font = .systemFont(ofSize: 40)
        let after = button.placed
        #expect(button.titleLabel?.font == .systemFont(ofSize: 40))
        #expect(before.width == 37)
        #expect(after.width == 98)
        #expect(after.height > before.height)
        let controller = UIViewController()
        controller.view = root
        let window = UIWindow(frame: rect(0, 0, 300, 200))
        window.rootViewController = controller
        let nodes = window.draw(in: ViewEnvironment(), number: { _ in nil }).set
        let fonts = nodes.compactMap { if case .button(let button) = $0.kind { button.font } else { nil } }
        #expect(fonts.map(\.size) == [40])
    }

    @Test("A subclass says what the button shows now")
    func current() {
        let button = OwnButton()
        button.setTitle("other", for: .normal)
        #expect((button as UIButton).currentTitle == "own")
        #expect((button as UIButton).currentTitleColor == .red)
    }
}
