// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// An action that asks for a text, such as a quick reply.
///
/// The text comes back in a ``UNTextInputNotificationResponse``. Where a desktop cannot take text in its own
/// notifications, the button opens a field on the host's page instead.
open class UNTextInputNotificationAction: UNNotificationAction, @unchecked Sendable {
    private let buttonTitle: String
    private let placeholder: String

    /// An action without an icon.
    ///
    /// The button beside the field says `textInputButtonTitle`; the empty field says `textInputPlaceholder`.
    public convenience init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        self.init(
            identifier: identifier,
            title: title,
            options: options,
            icon: nil,
            textInputButtonTitle: textInputButtonTitle,
            textInputPlaceholder: textInputPlaceholder
        )
    }

    /// An action with an icon; see ``UNNotificationActionIcon`` for what becomes of it.
    public init(
        identifier: String,
        title: String,
        options: UNNotificationActionOptions = [],
        icon: UNNotificationActionIcon?,
        textInputButtonTitle: String,
        textInputPlaceholder: String
    ) {
        buttonTitle = textInputButtonTitle
        placeholder = textInputPlaceholder
        super.init(identifier: identifier, title: title, options: options, icon: icon)
    }

    /// The label of the button beside the field.
    open var textInputButtonTitle: String { buttonTitle }
    /// The text that the field shows while it is empty.
    open var textInputPlaceholder: String { placeholder }

    // MARK: NSObject, NSSecureCoding

    /// Compares classes and everything they hold.
    open override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? UNTextInputNotificationAction else { return false }
        return buttonTitle == other.buttonTitle && placeholder == other.placeholder
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let button = coder.text(forKey: "textInputButtonTitle"),
            let field = coder.text(forKey: "textInputPlaceholder")
        else { return nil }
        buttonTitle = button
        placeholder = field
        super.init(coder: coder)
    }

    /// Archives what an action has, and both texts.
    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(buttonTitle as NSString, forKey: "textInputButtonTitle")
        coder.encode(placeholder as NSString, forKey: "textInputPlaceholder")
    }
}
