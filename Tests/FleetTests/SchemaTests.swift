// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import Testing

@Suite("The schema of a fleet's database and its document")
struct SchemaTests {
    static let document = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs/fleet.md")

    @Test("docs/fleet.md lists the functions that hosts may call, and no others")
    func functions() throws {
        let text = try String(contentsOf: Self.document, encoding: .utf8)
        let section = try #require(
            text.components(separatedBy: "\n## ").first { $0.hasPrefix("What may a host do there?") }
        )
        let rows = section.split(separator: "\n").compactMap { $0.wholeMatch(of: /\| `(\w+)` \|.*\|/)?.1 }
        #expect(rows.map(String.init).sorted() == FleetSchema.hostFunctions.sorted())
    }
}
