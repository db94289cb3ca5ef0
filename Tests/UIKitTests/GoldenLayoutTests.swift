// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import UIKit

/// The frames of 71 layouts, as the files of GoldenLayouts have them: the same with each hash seed and on each machine.
///
/// With `REWRITE_GOLDEN_LAYOUTS=1` what comes out becomes what is expected, to be read before it is kept: each number
/// there was reasoned out by UIKit's rules.
@MainActor @Suite struct GoldenLayoutTests {
    nonisolated private static let families: [(String, [GoldenLayout])] = [
        ("constraints", GoldenLayout.constraints), ("priorities", GoldenLayout.priorities),
        ("texts", GoldenLayout.texts), ("stacks", GoldenLayout.stacks), ("frames", GoldenLayout.frames),
        ("directions", GoldenLayout.directions),
    ]
    nonisolated private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("GoldenLayouts")

    @Test("Frames are those of the golden file", arguments: families.map(\.0))
    func frames(family: String) throws {
        if ProcessInfo.processInfo.environment["REWRITE_GOLDEN_LAYOUTS"] == "1" {
            try Self.text(of: family).write(to: Self.file(of: family), atomically: true, encoding: .utf8)
        }
        try Self.compare(family)
    }

    @Test(
        "Frames are those of the golden file in three more processes, each with a hash seed of its own",
        arguments: 1...3
    )
    func seeds(_: Int) async {
        // Where hashes are the same in each process, nothing is shown here.
        #expect(ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil)
        await #expect(processExitsWith: .success) {
            for (family, _) in GoldenLayoutTests.families { try await GoldenLayoutTests.compare(family) }
        }
    }

    private static func text(of family: String) -> String {
        (families.first { $0.0 == family }?.1 ?? []).map(\.text).joined(separator: "\n")
    }

    nonisolated private static func file(of family: String) -> URL { folder.appendingPathComponent("\(family).txt") }

    private static func compare(_ family: String) throws {
        let expected = try String(contentsOf: file(of: family), encoding: .utf8).components(separatedBy: "\n\n")
        let seen = text(of: family).components(separatedBy: "\n\n")
        #expect(seen.count == expected.count)
        for (one, other) in zip(seen, expected) { #expect(one == other) }
    }

    @Test("A layout is the same when it is made again")
    func again() {
        for (_, layouts) in Self.families {
            for layout in layouts { #expect(layout.text == layout.text) }
        }
    }

    @Test("There are at least sixty layouts, and no two have one name")
    func names() {
        let names = Self.families.flatMap { $0.1.map(\.name) }
        #expect(names.count >= 60)
        #expect(Set(names).count == names.count)
    }
}
