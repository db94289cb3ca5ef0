// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import NotificationPayload

/// The rule by which the answer of a person to a notification is taken: a pure function.
///
/// An action is looked up in the actions of an open view, in the category as registered now, and in the category as it
/// was when the notification was delivered, in this order: what a person saw is never unknown.
/// Source: center.md §12.
package struct ResponseRule: Sendable {
    /// Bytes of a typed text.
    package static let textByteCountLimit = 16_384
    /// The system's own actions, as a delegate reads them.
    package static let defaultIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
    package static let dismissIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

    /// `nil` means that the notification's category is not registered now.
    package var registered: NotificationCategory?
    /// `nil` means that the category was not registered when the notification was delivered.
    package var delivered: NotificationCategory?
    /// The actions that an open view of the notification offers in place of the category's.
    package var viewActions: [CategoryAction] = []

    package init(registered: NotificationCategory?, delivered: NotificationCategory? = nil) {
        self.registered = registered
        self.delivered = delivered
    }

    /// Judges an answer that names an action by `default`, `dismiss` or an identifier of the app.
    ///
    /// An action of the app goes before the two words, because an app may have one of that name; Apple's long
    /// identifiers always mean the system's own.
    package func plan(action name: String, text: String?, on surface: Surface) throws(ResponseFault) -> ResponsePlan {
        guard CenterNames.identifierByteCounts.contains(name.utf8.count) else { throw .unknownAction }
        if name.isWord(Self.defaultIdentifier) { return .default }
        if name.isWord(Self.dismissIdentifier) { return dismissal }
        if let action = action(name) { return try plan(action, text: text, on: surface) }
        if name.isWord("default") { return .default }
        if name.isWord("dismiss") { return dismissal }
        throw .unknownAction
    }

    /// The explicit dismissal by a person, whatever the notification's category.
    ///
    /// The app gets a response only if its category asks for one.
    package var dismissal: ResponsePlan {
        let options = (registered ?? delivered)?.options ?? []
        return ResponsePlan(
            identifier: Self.dismissIdentifier,
            isForApp: options.contains(.customDismissAction),
            launch: .background
        )
    }

    private func action(_ name: String) -> CategoryAction? {
        let offers = [viewActions, registered?.actions ?? [], delivered?.actions ?? []]
        return offers.lazy.compactMap { $0.first { $0.identifier.isWord(name) } }.first
    }

    private func plan(
        _ action: CategoryAction,
        text: String?,
        on surface: Surface
    ) throws(ResponseFault) -> ResponsePlan {
        if surface == .lock, action.options.contains(.authenticationRequired) { throw .needsAuthentication }
        var plan = ResponsePlan(
            identifier: action.identifier,
            launch: action.options.contains(.foreground) ? .foreground : .background
        )
        guard action.text != nil else { return plan }
        guard let text else { throw .textMissing }
        guard text.utf8.count <= Self.textByteCountLimit else { throw .textTooLong(byteCount: text.utf8.count) }
        guard !text.utf8.contains(0) else { throw .textHasNUL }
        plan.text = text
        return plan
    }
}

/// The kind of surface on which a person answers.
package enum Surface: Sendable, CaseIterable {
    /// The person is known.
    case open
    /// A lock view, in front of which anybody may stand.
    case lock
}

/// The reason for which an answer is not taken.
package enum ResponseFault: Error, Equatable {
    /// The action is only for who is known: 403.
    case needsAuthentication
    /// The action is none of the notification's: 422, like those that follow.
    case unknownAction
    /// The action asks for a text, and none came, or an empty one.
    case textMissing
    case textTooLong(byteCount: Int)
    case textHasNUL
}
