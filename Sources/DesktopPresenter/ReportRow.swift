// SPDX-License-Identifier: Apache-2.0

/// A line for people on one thing that may be there: yes or no, a name, and what follows.
package enum ReportRow {
    package static func text(_ name: String, _ isThere: Bool, _ then: String, _ otherwise: String) -> String {
        let padding = String(repeating: " ", count: max(0, 10 - name.count))
        return (isThere ? "yes  " : "no   ") + name + padding + (isThere ? then : otherwise)
    }

    static func actions(_ facts: DaemonFacts) -> String {
        text("actions", facts.hasActions, "a click and buttons answer", "a popup cannot be answered")
    }

    static func reply(_ facts: DaemonFacts) -> String {
        text("reply", facts.hasReplyField, "an answer is written in the popup", "answers are written on the page")
    }

    /// The line on sounds, which what shows popups plays, or a program of the desktop.
    static func sound(_ facts: DaemonFacts, _ player: SoundProgram?, by screen: String) -> String {
        text(
            "sound",
            facts.playsSounds || player != nil,
            facts.playsSounds ? "the \(screen) plays it" : "\(player?.rawValue ?? "") plays it",
            "it is left to the page or a terminal"
        )
    }

    /// The line on the settings portal, by its Do Not Disturb; `nil` means that it says none.
    package static func settings(_ isOn: Bool?) -> String {
        let state = isOn == true ? "on: popups are held back" : "off"
        return text(
            "settings",
            isOn != nil,
            "the settings portal says that Do Not Disturb is \(state)",
            "no settings portal says whether Do Not Disturb is on; a daemon may"
        )
    }
}
