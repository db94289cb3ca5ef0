// SPDX-License-Identifier: Apache-2.0

/// The lines for people on the notification portal: whether an agent uses it, its version, and what it cannot do.
package struct PortalReport {
    /// The reason for which an agent shows popups by the portal.
    package enum Use: Sendable {
        case flatpak
        /// A person has asked for it.
        case asked
        /// The agent shows popups by the daemon.
        case none
    }

    private let facts: DaemonFacts?
    private let use: Use
    private let player: SoundProgram?

    /// Takes the facts, of which `nil` means that no portal has answered, and the program that plays sounds for one
    /// that does not, if there is one.
    package init(_ facts: DaemonFacts?, use: Use, player: SoundProgram?) {
        (self.facts, self.use, self.player) = (facts, use, player)
    }

    package var lines: [String] {
        guard let facts else {
            let otherwise =
                use == .none
                ? #"none answers, and none is used: this is no Flatpak, and "--portal" was not given"#
                : "nobody shows notifications as org.freedesktop.portal.Desktop; install xdg-desktop-portal"
            return [ReportRow.text("portal", false, "", otherwise)]
        }
        let reason =
            switch use {
            case .flatpak: "used, since this is a Flatpak"
            case .asked: #"used because of "--portal""#
            case .none:
                #"not used: this is no Flatpak, and "--portal" was not given; it cannot "#
                    + lacks(of: facts).joined(separator: ", ")
            }
        let said = "version \(facts.version) answers, and is \(reason)"
        return [ReportRow.text("portal", use != .none, said, said)] + (use == .none ? [] : rows(of: facts))
    }

    private func rows(of facts: DaemonFacts) -> [String] {
        [
            ReportRow.actions(facts), ReportRow.reply(facts),
            ReportRow.sound(facts, player, by: "portal"),
            ReportRow.text("closing", false, "", "it is not told that a popup was closed: its notification stays"),
            ReportRow.text("badge", false, "", "no number of an app is on an icon"),
        ]
    }

    private func lacks(of facts: DaemonFacts) -> [String] {
        (facts.hasReplyField ? [] : ["take an answer in a popup"]) + (facts.playsSounds ? [] : ["play sounds"])
            + ["tell that a popup was closed", "put numbers on icons"]
    }
}
