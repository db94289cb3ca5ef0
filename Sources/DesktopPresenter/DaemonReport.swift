// SPDX-License-Identifier: Apache-2.0

/// The lines for people on what a daemon can do, and what follows from it.
package struct DaemonReport {
    private let facts: DaemonFacts
    private let player: SoundProgram?

    /// Takes the facts, and the program that plays sounds for a daemon that does not, if the desktop has one.
    package init(_ facts: DaemonFacts, player: SoundProgram?) {
        (self.facts, self.player) = (facts, player)
    }

    package var lines: [String] {
        [
            ReportRow.text("body", facts.hasBody, "a popup has the text", "a popup has the title alone"),
            ReportRow.text("markup", facts.readsMarkup, "what a sender writes is escaped", "text goes as it is"),
            ReportRow.actions(facts), ReportRow.reply(facts),
            ReportRow.sound(facts, player, by: "daemon"),
            ReportRow.text(
                "closing",
                !facts.keeps(.automatic),
                "a popup that is closed dismisses its notification",
                "a popup that is closed leaves its notification in the list"
            ),
        ]
    }
}

extension Popup {
    /// A popup of the agent's own, by which a person sees that the daemon shows one.
    package static func trial(on daemon: DaemonFacts) -> Popup {
        Popup(
            appName: "Nestbox",
            replaces: 0,
            summary: "Nestbox: this is a popup",
            body: daemon.hasBody ? "notification-desktop doctor" : "",
            buttons: [],
            hints: ["urgency": .byte(1), "transient": .flag(true), "suppress-sound": .flag(true)],
            expiry: .daemon
        )
    }
}
