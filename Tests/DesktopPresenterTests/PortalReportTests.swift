// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import DesktopPresenter

/// The lines on the notification portal, and on the settings portal.
struct PortalReportTests {
    private static let first = DaemonFacts(name: "portal", version: "1", capabilities: ["actions", "body"])
    private static let second = DaemonFacts(
        name: "portal",
        version: "2",
        capabilities: ["actions", "body", "sound", DaemonFacts.takingSounds, "inline-reply"]
    )

    @Test func `a portal that is used has its version, the reason, and what it cannot do`() {
        let lines = PortalReport(Self.first, use: .asked, player: nil).lines
        #expect(
            lines == [
                "yes  portal    version 1 answers, and is used because of \"--portal\"",
                "yes  actions   a click and buttons answer", "no   reply     answers are written on the page",
                "no   sound     it is left to the page or a terminal",
                "no   closing   it is not told that a popup was closed: its notification stays",
                "no   badge     no number of an app is on an icon",
            ]
        )
        let newer = PortalReport(Self.second, use: .flatpak, player: nil).lines
        #expect(newer.first == "yes  portal    version 2 answers, and is used, since this is a Flatpak")
        #expect(
            newer[2...3] == ["yes  reply     an answer is written in the popup", "yes  sound     the portal plays it"]
        )
        let played = PortalReport(Self.first, use: .flatpak, player: .paplay).lines
        #expect(played[3] == "yes  sound     paplay plays it")
    }

    @Test func `a portal that is not used is one line`() {
        let start = #"is not used: this is no Flatpak, and "--portal" was not given; it cannot "#
        let rest = "tell that a popup was closed, put numbers on icons"
        let first = PortalReport(Self.first, use: .none, player: .paplay).lines
        #expect(
            first == ["no   portal    version 1 answers, and \(start)take an answer in a popup, play sounds, \(rest)"]
        )
        let second = PortalReport(Self.second, use: .none, player: nil).lines
        #expect(second == ["no   portal    version 2 answers, and \(start)\(rest)"])
    }

    @Test func `without a portal it is said whether one is needed`() {
        let unused = PortalReport(nil, use: .none, player: nil).lines
        #expect(
            unused == [
                #"no   portal    none answers, and none is used: this is no Flatpak, and "--portal" was not given"#
            ]
        )
        for use in [PortalReport.Use.flatpak, .asked] {
            let lines = PortalReport(nil, use: use, player: nil).lines
            let what = "nobody shows notifications as org.freedesktop.portal.Desktop; install xdg-desktop-portal"
            #expect(lines == ["no   portal    \(what)"])
        }
    }

    @Test(
        arguments: [
            (true, "yes  settings  the settings portal says that Do Not Disturb is on: popups are held back"),
            (false, "yes  settings  the settings portal says that Do Not Disturb is off"),
            (nil, "no   settings  no settings portal says whether Do Not Disturb is on; a daemon may"),
        ] as [(Bool?, String)]
    )
    func `the settings portal has a line`(isOn: Bool?, line: String) {
        #expect(ReportRow.settings(isOn) == line)
    }
}
