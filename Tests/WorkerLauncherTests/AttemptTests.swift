// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A hostile worker against every profile, under stage 1 alone and under both: the table of attempts is the
/// specification.
@Suite(.timeLimit(.minutes(20)), .serialized)
struct AttemptTests {
    private static let isRoot = geteuid() == 0

    @Test func `every attempt ends as the table says, in every profile of this machine`() throws {
        let table = try AttemptTable(user: nil) { try AttemptGround(LauncherUnderTest(["--profile", "\($0)"])) }
        print(table.text(title: Self.isRoot ? "as root" : "as user \(geteuid())"))
        #expect(table.profiles.contains("D"))
    }

    @Test(.enabled(if: isRoot, "needs root to become an ordinary user"))
    func `and the same for an ordinary user`() throws {
        var folders: [Bundle] = []
        let table = try AttemptTable(user: OtherUser.number) { profile in
            let (launcher, folder) = try OtherUser.launcher(["--profile", "\(profile)"])
            folders.append(folder)
            return try AttemptGround(launcher, user: OtherUser.number)
        }
        print(table.text(title: "as an ordinary user"))
        #expect(table.profiles.contains("D"))
        #expect(!table.profiles.contains("B"))
    }

    @Test func `only stage 2 stops what sandbox.md says it alone stops`() {
        let rows = Set((Attempt.all + Attempt.mutual + Attempt.grants).filter(\.needsStage2).map(\.row))
        #expect(rows == [3, 4, 5, 6, 7, 8, 9, 10, 11, 20, 22, 23, 25, 28])
    }
}

/// All attempts, by all kinds of workers, in all profiles there are.
private struct AttemptTable {
    private var outcomes: [[String]]
    private(set) var profiles: [Character] = []
    private let attempts: [Attempt]

    init(user: uid_t?, _ makeGround: (Character) throws -> AttemptGround) throws {
        attempts = (Attempt.all + Attempt.mutual + Attempt.grants).sorted { $0.row < $1.row }
        outcomes = attempts.map { _ in [] }
        for wanted: Character in ["A", "B", "C", "D"] {
            let ground = try makeGround(wanted)
            guard ground.launcher.profile == wanted else { continue }
            profiles.append(wanted)
            try fill(on: ground)
        }
    }

    private mutating func fill(on ground: AttemptGround) throws {
        let profile = ground.launcher.profile
        let before = (ground.launcherState, try ground.launcher.openDescriptorCount())
        for (index, attempt) in attempts.enumerated() {
            for kind in WorkerKind.allCases {
                let isPromised = attempt.expected(of: kind, on: ground) != nil
                let outcome = isPromised ? try ground.outcome(of: attempt, by: kind) : "-"
                outcomes[index].append(outcome)
                let place = "\(profile), \(kind.heading): \(attempt.row) \(attempt.what)"
                if !attempt.isAsExpected(outcome, of: kind, on: ground) { Issue.record("\(place): \(outcome)") }
                #expect(ground.isBystanderAlive, "\(place)")
            }
        }
        #expect(!ground.listener.wasReached)
        #expect(before == (ground.launcherState, try ground.launcher.openDescriptorCount()))
    }

    /// For a person, and for the note beside a release; all ASCII, since SwiftPM drops what it reads in pieces.
    func text(title: String) -> String {
        let headings = profiles.flatMap { profile in WorkerKind.allCases.map { "\(profile) \($0.heading)" } }
        let head = Self.cell("  # attempt, \(title)", 42) + headings.map { Self.cell($0, 14) }.joined()
        let rows = zip(attempts, outcomes).map { attempt, outcomes in
            let number = String(repeating: " ", count: attempt.row < 10 ? 2 : 1) + "\(attempt.row) "
            return Self.cell(number + attempt.what, 42) + outcomes.map { Self.cell($0, 14) }.joined()
        }
        return ([head] + rows).joined(separator: "\n")
    }

    private static func cell(_ text: String, _ width: Int) -> String {
        text.prefix(width - 1).padding(toLength: width, withPad: " ", startingAt: 0)
    }
}
