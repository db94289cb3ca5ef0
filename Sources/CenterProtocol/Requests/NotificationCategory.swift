// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A kind of an app's notifications: which actions they offer, and how they look where previews are hidden.
///
/// Source: Apple, "UNNotificationCategory".
package struct NotificationCategory: Sendable, Equatable {
    /// Categories of one app.
    package static let limit = 64
    /// Bytes of all categories of one app, written compactly as one list.
    package static let byteCountLimit = 65_536
    /// Intents that a category names.
    package static let intentLimit = 64

    package var identifier: String
    /// The buttons, the most important first.
    package var actions: [CategoryAction]
    package var intentIdentifiers: [String]
    package var options: CategoryOptions
    /// `nil` means the text of the owner's language.
    package var hiddenPreviewsBodyPlaceholder: String?
    /// `nil` means the text of the owner's language.
    package var summaryFormat: String?

    package init(
        identifier: String,
        actions: [CategoryAction] = [],
        intentIdentifiers: [String] = [],
        options: CategoryOptions = [],
        hiddenPreviewsBodyPlaceholder: String? = nil,
        summaryFormat: String? = nil
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.summaryFormat = summaryFormat
    }
}

/// Something a user can do right from a notification.
///
/// Source: Apple, "UNNotificationAction"; "UNTextInputNotificationAction".
package struct CategoryAction: Sendable, Equatable {
    /// Actions of one category.
    package static let limit = 16

    /// The field of an action that asks for a text.
    package struct TextInput: Sendable, Equatable {
        package var button: String
        package var placeholder: String

        package init(button: String, placeholder: String) {
            self.button = button
            self.placeholder = placeholder
        }
    }

    /// The picture beside the title.
    package enum Icon: Sendable, Equatable {
        /// An image of the app, by its name.
        case template(String)
        /// One of Apple's symbols, by its name.
        case system(String)
    }

    package var identifier: String
    package var title: String
    package var options: ActionOptions
    /// `nil` means that the action asks for no text.
    package var text: TextInput?
    package var icon: Icon?

    package init(
        identifier: String,
        title: String,
        options: ActionOptions = [],
        text: TextInput? = nil,
        icon: Icon? = nil
    ) {
        self.identifier = identifier
        self.title = title
        self.options = options
        self.text = text
        self.icon = icon
    }
}

// MARK: JSON

extension NotificationCategory {
    package static func list(_ categories: [NotificationCategory]) -> JSON { .array(categories.map(\.json)) }

    /// Reads the member `categories` of an object, whatever else it has; `nil` means that they are damaged.
    package static func list(of object: JSONObject) -> [NotificationCategory]? {
        var members = Members(object, .lenient)
        return try? list(in: &members)
    }

    private var json: JSON {
        var object: JSONObject = [
            "identifier": .string(identifier), "actions": .array(actions.map(\.json)), "options": options.json,
        ]
        if !intentIdentifiers.isEmpty { object["intentIdentifiers"] = .array(intentIdentifiers.map(JSON.string)) }
        object["hiddenPreviewsBodyPlaceholder"] = hiddenPreviewsBodyPlaceholder.map(JSON.string)
        object["summaryFormat"] = summaryFormat.map(JSON.string)
        return .object(object)
    }

    private init(_ members: inout Members) throws(MemberFault) {
        let texts = 0...Self.byteCountLimit
        identifier = try members.identifier()
        actions = try members.elements("actions", atMost: CategoryAction.limit, CategoryAction.init)
        options = try members.words("options")
        intentIdentifiers =
            try members.optionalTexts(
                "intentIdentifiers",
                CenterNames.identifierByteCounts,
                atMost: Self.intentLimit
            ) ?? []
        hiddenPreviewsBodyPlaceholder = try members.optionalText("hiddenPreviewsBodyPlaceholder", texts)
        summaryFormat = try members.optionalText("summaryFormat", texts)
    }

    /// Takes `categories`: no two of them have one identifier, and all together have 64 KiB at most.
    static func list(in members: inout Members) throws(MemberFault) -> [NotificationCategory] {
        let categories = try members.elements("categories", atMost: limit, NotificationCategory.init)
        let path = members.path(of: "categories")
        guard Set(categories.map(\.identifier)).count == categories.count else { throw .repeated("\(path).identifier") }
        var bytes: [UInt8] = []
        list(categories).write(to: &bytes)
        guard bytes.count <= byteCountLimit else { throw .tooLong(path, byteCount: bytes.count) }
        return categories
    }
}

extension CategoryAction {
    package var json: JSON {
        var object: JSONObject = [
            "identifier": .string(identifier), "title": .string(title), "options": options.json,
        ]
        object["text"] = text.map { ["button": .string($0.button), "placeholder": .string($0.placeholder)] }
        switch icon {
        case .template(let name): object["icon"] = ["template": .string(name)]
        case .system(let name): object["icon"] = ["system": .string(name)]
        case nil: break
        }
        return .object(object)
    }

    package init(_ members: inout Members) throws(MemberFault) {
        let texts = 0...NotificationCategory.byteCountLimit
        identifier = try members.identifier()
        title = try members.text("title", texts)
        options = try members.words("options")
        if var field = try members.optionalMembers("text") {
            text = TextInput(
                button: try field.text("button", texts),
                placeholder: try field.text("placeholder", texts)
            )
            try field.end()
        }
        if var icon = try members.optionalMembers("icon") {
            if let name = try icon.optionalText("template", CenterNames.identifierByteCounts) {
                self.icon = .template(name)
            } else {
                self.icon = .system(try icon.text("system", CenterNames.identifierByteCounts))
            }
            try icon.end()
        }
    }
}
