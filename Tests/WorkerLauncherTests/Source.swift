// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The project's own files, for tests that compare what two of them say.
enum Source {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The text of a file below Sources.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent("Sources/" + path), encoding: .utf8)
    }

    /// The names in a folder, which is relative to the checkout.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent(folder).path).sorted()
    }
}
