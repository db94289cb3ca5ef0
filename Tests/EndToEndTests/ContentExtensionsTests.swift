// SPDX-License-Identifier: Apache-2.0

import HostTesting
import Sampling
import Testing

/// Content extensions as iOS projects have them, built unmodified and worked by the real programs.
@Suite(.timeLimit(.minutes(30)))
struct ContentExtensionsTests {
    private static func cases() throws -> [ContentExtensionCase] {
        Sample.of(try ContentExtensionCase.all(), atMost: 8, "content extensions")
    }

    @Test(arguments: try cases())
    func `a content extension is built unmodified and shows the scene that its folder has`(
        extension content: ContentExtensionCase
    ) async throws {
        try #require(!content.trials.isEmpty, "\(content.name).steps is missing")
        try await TemporaryFolder.with { folder in
            let (bundle, built) = try await content.build(in: folder)
            try #require(built.status == 0, "\(built.errors)")
            #expect(!built.errors.contains("warning:"), "\(built.errors)")
            for trial in content.trials {
                let differences = try await content.differences(of: trial, bundle: bundle, in: folder)
                for difference in differences { Issue.record(Comment(rawValue: difference)) }
            }
        }
    }
}
