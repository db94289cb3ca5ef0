// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A folder that goes with this value.
final class TemporaryFolder: Sendable {
    private let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "library-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Two open files.
    struct Files {
        let descriptors: (Int32, Int32)

        func close() {
            Foundation.close(descriptors.0)
            Foundation.close(descriptors.1)
        }
    }

    func files(_ first: String, _ second: String) throws -> Files {
        let descriptors = [first, second].map { open(path($0), O_RDWR | O_CREAT | O_CLOEXEC, 0o600) }
        try #require(descriptors.allSatisfy { $0 >= 0 })
        return Files(descriptors: (descriptors[0], descriptors[1]))
    }
}
