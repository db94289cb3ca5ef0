// SPDX-License-Identifier: Apache-2.0

import UserNotificationCenter

/// A popup as a daemon is asked to show it: the arguments of `Notify`.
///
/// Source: Desktop Notifications Specification 1.2, "org.freedesktop.Notifications.Notify" and "Hints".
package struct Popup: Sendable, Equatable {
    package struct Button: Sendable, Equatable {
        package let key: String
        package let label: String
    }

    package enum Hint: Sendable, Equatable {
        case byte(UInt8)
        case flag(Bool)
        case text(String)
    }

    /// The time for which a popup stays: a daemon's own, or until a person closes it.
    package enum Expiry: Int32, Sendable {
        case daemon = -1
        case never = 0
    }

    /// The key of the field for an answer, which the daemons that have one know.
    package static let replyKey = "inline-reply"
    package static let defaultKey = "default"
    /// Buttons beside the click on the popup itself.
    static let buttonLimit = 2

    package var appName: String
    /// The daemon's id of the popup whose place it takes; 0 means none.
    package var replaces: UInt32
    package var summary: String
    package var body: String
    package var buttons: [Button]
    /// The hints by their names.
    package var hints: [String: Hint]
    package var expiry: Expiry
}

/// The choice that a key of a popup stands for.
enum PopupChoice: Sendable, Equatable {
    case open
    case action(String)

    /// The action of a response to the centre.
    var action: String {
        switch self {
        case .open: "default"
        case .action(let identifier): identifier
        }
    }
}

/// The rule by which a notification becomes a popup: a pure function of the notification and of the daemon's facts.
///
/// Source: presenters.md §8, rules 2, 3, 5, 7 and 8.
struct PopupRule {
    let daemon: DaemonFacts
    let language: SummaryLanguage

    func popup(
        of notification: DesktopNotification,
        from name: String,
        entry: String? = nil,
        summary: String?,
        replaces: UInt32,
        playsSound: Bool
    ) -> Popup {
        let title = [notification.title, notification.subtitle].map(PopupText.line).filter { !$0.isEmpty }
        var lines = [notification.body, summary ?? ""].map(PopupText.lines).filter { !$0.isEmpty }
        if daemon.readsMarkup { lines = lines.map(PopupText.escaped) }
        let appName = PopupText.line(name)
        var popup = Popup(
            appName: appName,
            replaces: replaces,
            summary: title.isEmpty ? appName : title.joined(separator: ": "),
            body: daemon.hasBody ? lines.joined(separator: "\n") : "",
            buttons: buttons(of: notification),
            hints: [
                "urgency": .byte(Self.urgency(of: notification.level)),
                // One list of the past is the centre's; a daemon's own knows of no removal elsewhere.
                "transient": .flag(true),
                "x-gnome-privacy-scope": .text("user"),
            ],
            expiry: notification.level == .critical ? .never : .daemon
        )
        popup.hints["desktop-entry"] = entry.map(Popup.Hint.text)
        popup.hints[playsSound ? "sound-name" : "suppress-sound"] =
            playsSound ? .text("message-new-instant") : .flag(true)
        if let field = replyAction(of: notification)?.field {
            popup.hints["x-kde-reply-placeholder-text"] = .text(PopupText.line(field.placeholder))
            popup.hints["x-kde-reply-submit-button-text"] = .text(PopupText.line(field.button))
        }
        return popup
    }

    /// The choice that a button's key stands for; `nil` means that the popup has no such button.
    func choice(_ key: String, in notification: DesktopNotification) -> PopupChoice? {
        guard daemon.hasActions else { return nil }
        if key == Popup.defaultKey { return .open }
        return offered(of: notification).first { $0.key == key }.map { .action($0.action.identifier) }
    }

    /// The action that an answer in the popup's field belongs to.
    func replyAction(of notification: DesktopNotification) -> DesktopNotification.Action? {
        offered(of: notification).first { $0.key == Popup.replyKey }?.action
    }

    private func buttons(of notification: DesktopNotification) -> [Popup.Button] {
        guard daemon.hasActions else { return [] }
        return [Popup.Button(key: Popup.defaultKey, label: Self.open(in: language))]
            + offered(of: notification).map { key, action in
                Popup.Button(key: key, label: PopupText.line(action.title))
            }
    }

    /// The actions of a popup with their keys, in the order of the category.
    ///
    /// The keys are ours, since an app may call an action "default". An action for a person who is known is left out,
    /// because a session may be locked, and so is one that asks for a text where there is no field, or a second one.
    private func offered(
        of notification: DesktopNotification
    ) -> [(key: String, action: DesktopNotification.Action)] {
        guard daemon.hasActions else { return [] }
        var offered: [(key: String, action: DesktopNotification.Action)] = []
        for (place, action) in notification.actions.enumerated() where !action.needsAuthentication {
            guard offered.count < Popup.buttonLimit else { break }
            if action.field == nil {
                offered.append(("action-\(place)", action))
            } else if daemon.hasReplyField, !offered.contains(where: { $0.key == Popup.replyKey }) {
                offered.append((Popup.replyKey, action))
            }
        }
        return offered
    }

    private static func urgency(of level: InterruptionLevel) -> UInt8 {
        switch level {
        case .passive, .active: 1
        case .timeSensitive, .critical: 2
        }
    }

    /// The label of the click on the popup itself, which some daemons draw as a button.
    static func open(in language: SummaryLanguage) -> String {
        switch language {
        case .english: "Open"
        case .spanish, .portuguese: "Abrir"
        }
    }
}
