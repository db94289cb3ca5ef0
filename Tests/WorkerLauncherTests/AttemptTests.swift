// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Testing

/// A hostile worker against every profile, under stage 1 alone: the table of attempts is the specification.
@Suite(.timeLimit(.minutes(3)), .serialized)
struct AttemptTests {
    private struct Line {
        let attempt: Attempt
        var outcomes: [String]
    }

    @Test func `every attempt ends as the table says, in every profile of this machine`() throws {
        let attempts = (Attempt.all + Attempt.mutual).sorted { $0.row < $1.row }
        var lines = attempts.map { Line(attempt: $0, outcomes: []) }
        var profiles: [Character] = []
        for wanted: Character in ["A", "B", "C", "D"] {
            let ground = try AttemptGround(LauncherUnderTest(["--profile", "\(wanted)"]))
            let profile = ground.launcher.profile
            guard profile == wanted else { continue }
            profiles.append(profile)
            let before = (ground.launcherState, try ground.launcher.openDescriptorCount())
            for index in lines.indices {
                let attempt = lines[index].attempt
                let isPromised = attempt.expected(in: profile) != nil
                let outcome = isPromised ? try ground.outcome(of: attempt) : "–"
                lines[index].outcomes.append(outcome)
                #expect(
                    attempt.isAsExpected(outcome, in: profile),
                    "\(profile) \(attempt.row) \(attempt.what): \(outcome)"
                )
                #expect(ground.isBystanderAlive, "\(profile) \(attempt.row) \(attempt.what)")
            }
            #expect(before == (ground.launcherState, try ground.launcher.openDescriptorCount()))
        }
        print(Self.table(lines, profiles: profiles))
        #expect(profiles.contains("D"))
    }

    /// For a person, and for the note beside a release.
    private static func table(_ lines: [Line], profiles: [Character]) -> String {
        let columns = profiles.map { String($0).padding(toLength: 16, withPad: " ", startingAt: 0) }
        let head = "  # attempt, stage 1 only".padding(toLength: 48, withPad: " ", startingAt: 0)
        let rows = lines.map { line in
            let number = String(repeating: " ", count: line.attempt.row < 10 ? 2 : 1) + "\(line.attempt.row) "
            let outcomes = line.outcomes.map { $0.padding(toLength: 16, withPad: " ", startingAt: 0) }
            let name = (number + line.attempt.what).padding(toLength: 48, withPad: " ", startingAt: 0)
            return name + outcomes.joined()
        }
        return ([head + columns.joined()] + rows).joined(separator: "\n")
    }
}
