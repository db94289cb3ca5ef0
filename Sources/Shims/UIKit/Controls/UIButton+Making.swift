// SPDX-License-Identifier: Apache-2.0

import Foundation
public import FoundationCompatibility

/// Ways to make a button, and what it shows now.
extension UIButton {
    /// The kind of a button, from its start on.
    public enum ButtonType: Int, Sendable {
        /// A title in white, in a font of 18 points.
        case custom
        /// A title in the tint, in a font of 15 points.
        case system
        /// The sign for more to know.
        case detailDisclosure
        /// The sign for more to know.
        case infoLight
        /// The sign for more to know.
        case infoDark
        /// A plus.
        case contactAdd
        /// A title in the tint.
        case plain
        /// A cross.
        case close
        /// The former name of `system`.
        public static let roundedRect = ButtonType.system
    }

    /// The purpose of a button.
    public enum Role: Int, Sendable {
        /// Nothing in particular.
        case normal
        /// The button that most people choose.
        case primary
        /// The button that leaves everything as it is.
        case cancel
        /// The button that takes something away.
        case destructive
    }

    /// A function that gives a button another configuration when its state has changed.
    public typealias ConfigurationUpdateHandler = @MainActor (_ button: UIButton) -> Void

    /// A button of a type.
    public convenience init(type buttonType: ButtonType) {
        self.init(frame: .zero)
        self.buttonType = buttonType
    }

    /// A button of a type with the title and the picture of an action, which it calls.
    public convenience init(type buttonType: ButtonType = .system, primaryAction: UIAction?) {
        self.init(frame: .zero, primaryAction: primaryAction)
        self.buttonType = buttonType
        frame.size = intrinsicContentSize
    }

    /// A button of a configuration, with what that does not say of an action, which it calls.
    public convenience init(configuration: Configuration, primaryAction: UIAction? = nil) {
        self.init(frame: .zero, primaryAction: primaryAction)
        buttonType = .system
        let (title, image) = (primaryAction?.title ?? "", primaryAction?.image)
        var configuration = configuration
        if configuration.title == nil, configuration.attributedTitle == nil, !title.isEmpty {
            configuration.title = title
        }
        if configuration.image == nil { configuration.image = image }
        states = ButtonStates()
        self.configuration = configuration
        frame.size = intrinsicContentSize
    }

    /// A button of the system's look with a picture, which calls an action of a target.
    public class func systemButton(with image: UIImage, target: Any?, action: Selector?) -> UIButton {
        let button = UIButton(type: .system)
        button.setImage(image, for: .normal)
        if let action { button.addTarget(target, action: action, for: .touchUpInside) }
        button.frame.size = button.intrinsicContentSize
        return button
    }
}
