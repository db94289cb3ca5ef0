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
            row("body", facts.hasBody, "a popup has the text", "a popup has the title alone"),
            row("markup", facts.readsMarkup, "what a sender writes is escaped", "text goes as it is"),
            row("actions", facts.hasActions, "a click and buttons answer", "a popup cannot be answered"),
            row("reply", facts.hasReplyField, "an answer is written in the popup", "answers are written on the page"),
            row(
                "sound",
                facts.playsSounds || player != nil,
                facts.playsSounds ? "the daemon plays it" : "\(player?.rawValue ?? "") plays it",
                "it is left to the page or a terminal"
            ),
            row(
                "closing",
                !facts.keeps(.automatic),
                "a popup that is closed dismisses its notification",
                "a popup that is closed leaves its notification in the list"
            ),
        ]
    }

    private func row(_ name: String, _ isThere: Bool, _ then: String, _ otherwise: String) -> String {
        let padding = String(repeating: " ", count: max(0, 10 - name.count))
        return (isThere ? "yes  " : "no   ") + name + padding + (isThere ? then : otherwise)
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
