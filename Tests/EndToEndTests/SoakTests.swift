// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Sampling
import Testing

/// `make soak` in little: the same script, the same host, seconds in place of minutes.
@Suite(.timeLimit(.minutes(10)))
struct SoakTests {
    private static func soak(_ arguments: [String]) async throws -> CommandResult {
        let python = try #require(Programs.installed("python3"))
        return try await CommandResult.run(python, [Programs.root + "/scripts/soak"] + arguments)
    }

    private static let parts = ["neighbours", "expiries", "endurance", "isolated", "crashing"]

    @Test(arguments: Sample.of(parts, atMost: 2, "parts of the soak"))
    func `a short run holds its bounds`(part: String) async throws {
        let result = try await Self.soak(["--short", "--programs", Programs.folder, part])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        #expect(result.output.contains("ok   records"))
        #expect(!result.output.contains("MISS"))
    }

    @Test func `a part that is not known is wrong usage`() async throws {
        let result = try await Self.soak(["--short", "patience"])
        #expect(result.status == 2)
        #expect(result.errors.contains(#"unknown part "patience""#))
    }
}
