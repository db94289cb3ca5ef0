// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// Rows 31 and 32: bundles that are not what was checked, and machines that offer less; as the table of attempts.
@Suite(.timeLimit(.minutes(5)))
struct PlaceTests {
    private struct Row {
        let what: String
        let executable: String
        /// Other than the folder that was opened.
        let place: Place
        let expected: [Character: String]
    }

    private enum Place {
        case same, link, other
    }

    /// Without mounts the folder that was opened is the one that is used, whatever its path leads to by now.
    private static func rooted(_ step: String) -> [Character: String] {
        ["A": step, "B": step, "C": "runs what was checked", "D": "runs what was checked"]
    }

    private static func everywhere(_ step: String) -> [Character: String] {
        ["A": step, "B": step, "C": step, "D": step]
    }

    private static let rows = [
        Row(
            what: "a link in the bundle's path",
            executable: "launcher-probe",
            place: .link,
            expected: rooted("bundle view")
        ),
        Row(
            what: "another folder in its place",
            executable: "launcher-probe",
            place: .other,
            expected: rooted("bundle was replaced")
        ),
        Row(
            what: "an executable that is a link",
            executable: "link",
            place: .same,
            expected: everywhere("open executable")
        ),
        Row(
            what: "an executable outside",
            executable: "../X.appex/launcher-probe",
            place: .same,
            expected: everywhere("executable name")
        ),
        Row(
            what: "an executable that all may write",
            executable: "open-to-all",
            place: .same,
            expected: everywhere("executable is world-writable")
        ),
    ]

    /// The options of poor-machine that leave a machine with no more than the profile.
    private static let lacks: [Character: [String]] = [
        "A": [], "B": ["--no-user-namespaces"], "C": ["--one-user"], "D": ["--one-user", "--no-landlock"],
    ]

    /// The same for a user who is not root, and has no profile B.
    private static let lacksOfOther: [Character: [String]] = [
        "A": [], "C": ["--no-user-namespaces"], "D": ["--no-user-namespaces", "--no-landlock"],
    ]

    /// A launcher as root, or as another user.
    private final class Origin {
        let isOther: Bool
        private var folders: [Bundle] = []

        init(isOther: Bool) { self.isOther = isOther }

        func launcher(_ arguments: [String], on machine: [String] = []) throws -> LauncherUnderTest {
            guard isOther else { return try LauncherUnderTest(arguments, wrapper: machine) }
            let (launcher, folder) = try OtherUser.launcher(arguments, on: machine)
            folders.append(folder)
            return launcher
        }
    }

    @Test func `nothing runs but what was checked, and a poorer machine is told from a richer one`() throws {
        try compare(Origin(isOther: false), lacks: Self.lacks)
    }

    @Test(.enabled(if: geteuid() == 0, "only root can be another user"))
    func `and for an ordinary user`() throws {
        try compare(Origin(isOther: true), lacks: Self.lacksOfOther)
    }

    private func compare(_ origin: Origin, lacks: [Character: [String]]) throws {
        let profiles =
            try ["A", "B", "C", "D"].filter { try origin.launcher(["--profile", "\($0)"]).profile == $0 }
            as [Character]
        if origin.isOther { #expect(profiles == ["A", "C", "D"]) }
        print("  # attempt".padding(toLength: 40, withPad: " ", startingAt: 0) + profiles.map(Self.cell).joined())
        for row in Self.rows {
            let outcomes = try profiles.map { try outcome(of: row, in: $0, origin) }
            print(
                " 31 \(row.what)".padding(toLength: 40, withPad: " ", startingAt: 0) + outcomes.map(Self.cell).joined()
            )
            #expect(outcomes == profiles.map { row.expected[$0] }, "\(row.what)")
        }
        guard geteuid() == 0 else { return }
        let found = try profiles.map { profile in
            let machine = [Products.path(of: "poor-machine")] + (lacks[profile] ?? [])
            return try origin.launcher([], on: machine).profile
        }
        print(
            " 32 find more than there is".padding(toLength: 40, withPad: " ", startingAt: 0)
                + found.map(Self.cell).joined()
        )
        #expect(found == profiles)
    }

    private func outcome(of row: Row, in profile: Character, _ origin: Origin) throws -> String {
        let launcher = try origin.launcher(["--profile", "\(profile)"])
        let (bundle, other) = (try Bundle(), try Bundle())
        bundle.openToAll()
        other.openToAll()
        symlink("launcher-probe", bundle.path + "/link")
        symlink(bundle.path, other.path + "/link.appex")
        try bundle.add("open-to-all", "text", mode: 0o757)
        let path: String? =
            switch row.place {
            case .same: nil
            case .link: other.path + "/link.appex"
            case .other: other.path
            }
        let order = try launcher.order(row.executable, in: bundle, slot: 1, path: path)
        defer { order.closeAll() }
        switch try launcher.nextEvent() {
        case .failed(_, let step, _): return step
        case .started: return "runs what was checked"
        case let event: return "\(event)"
        }
    }

    private static func cell(_ value: some CustomStringConvertible) -> String {
        value.description.padding(toLength: 30, withPad: " ", startingAt: 0)
    }
}
