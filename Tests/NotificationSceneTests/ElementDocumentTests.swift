// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Documents name the elements and symbols that there are, and no others.
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

    @Test func `the page's symbols are those that its document lists`() throws {
        let drawn = try Self.text("Sources/CPage/Files/scene-symbols.js").matches(of: /(?m)^  "([a-z.]+)":/)
        let chapter = try #require(
            try Self.text("docs/page.md").split(separator: "## Which symbols does it have?").last
        )
        let listed = (chapter.split(separator: "\n## ").first ?? "").matches(of: /`([a-z.]+)`/)
        #expect(drawn.count > 20)
        #expect(listed.map { String($0.1) } == drawn.map { String($0.1) })
    }
}
