// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Sampling
import Testing

/// Extensions in the idioms of those that are out there: each is built as it is and run for real.
@Suite(.timeLimit(.minutes(15)))
struct UnmodifiedExtensionTests {
    private static let cases = Sample.of(
        CompatibilityCase.kinds.flatMap { kind in kind.cases.map { (kind: kind.name, case: $0) } },
        atMost: 12,
        "extensions for phones",
        kind: \.kind
    ).map(\.case)

    @Test func `extensions for phones build and run unmodified, as the table says`() async throws {
        try #require(
            FileManager.default.fileExists(atPath: Programs.folder + "/extension-sdk"),
            "scripts/extension-sdk has not run"
        )
        let results = try await TemporaryFolder.with { folder in
            try FileManager.default.copyItem(
                atPath: Programs.root + "/Tests/CompatibilityTests/Media",
                toPath: folder.path + "/www"
            )
            return try await WebServer.with(folder) { server in
                try await run(Self.cases, mediaPort: server.port)
            }
        }
        print(CompatibilityResult.table(results))
        for result in results {
            for difference in result.differences {
                Issue.record(Comment(rawValue: result.extension.title + ": " + difference))
            }
        }
    }

    /// In the order of the cases; two at a time.
    private func run(_ cases: [CompatibilityCase], mediaPort: Int) async throws -> [CompatibilityResult] {
        try await withThrowingTaskGroup(of: (Int, CompatibilityResult).self) { group in
            var results: [Int: CompatibilityResult] = [:]
            for (number, extensionCase) in cases.enumerated() {
                if number > 1, let (done, result) = try await group.next() { results[done] = result }
                group.addTask { (number, try await CompatibilityResult.of(extensionCase, mediaPort: mediaPort)) }
            }
            for try await (done, result) in group { results[done] = result }
            return results.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    @Test func `every folder of the suite is a case`() throws {
        let folder = Programs.root + "/Tests/CompatibilityTests/Extensions"
        let names = Set(CompatibilityCase.all.map(\.name).filter { !$0.contains("/") })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == names.sorted())
        #expect(names.count >= 40)
        #expect(CompatibilityCase.all.filter { $0.mode == "6" }.count >= 30)
    }
}
