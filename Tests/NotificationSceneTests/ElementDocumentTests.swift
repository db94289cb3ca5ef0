// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The table of elements in docs/extensions.md names those that there are, and no others.
struct ElementDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
        "../.."
    )

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    @Test func `each element is in the table`() throws {
        let folder = "Sources/NotificationScene/Elements"
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.appendingPathComponent(folder).path)
        let sources = try files.map { try Self.text("\(folder)/\($0)") }.joined()
        let declared = sources.matches(of: /public struct (\w+): SceneContent/).map { String($0.1) }
        let table = try #require(try Self.text("docs/extensions.md").split(separator: "| element | shows |").last)
        let rows = table.split(separator: "\n\n").first ?? ""
        let named = rows.matches(of: /`(\w+)`/).map { String($0.1) }
        #expect(declared.count > 10)
        #expect(Set(named) == Set(declared))
        #expect(named.count == declared.count)
    }
}
