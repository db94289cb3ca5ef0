// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import SceneModel

/// The tables of PROTOCOL.md, "Views", beside the code.
struct DocumentedScenesTests {
    private static let section: Substring? = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../PROTOCOL.md")
        guard let text = try? String(contentsOf: file, encoding: .utf8),
            let start = text.range(of: "\n## Views\n"),
            let end = text.range(of: "\n## ", range: start.upperBound..<text.endIndex)
        else { return nil }
        return text[start.upperBound..<end.lowerBound]
    }()

    /// The rows of the table whose head begins with a word, cell by cell.
    private func rows(of head: String) throws -> [[String]] {
        let section = try #require(Self.section)
        let start = try #require(section.range(of: "\n| \(head) |"))
        let table = section[start.upperBound...].split(separator: "\n").dropFirst().prefix { $0.hasPrefix("|") }
        return table.dropFirst().map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    private func words(_ cell: String) -> [String] {
        cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .compactMap { $0.offset.isMultiple(of: 2) ? nil : String($0.element) }
    }

    /// The members of every node, which stand in the second table of members.
    private static let common: Set = [
        "id", "k", "up", "c", "f", "a", "bg", "radius", "clip", "hidden", "border", "shadow", "t", "grow", "tap",
        "label",
    ]

    @Test
    func `the table of kinds has each kind, with the members that its sample has`() throws {
        let rows = try rows(of: "kind")
        let kinds = rows.flatMap { words($0[0]) }
        #expect(kinds.sorted() == SceneKind.Name.allCases.map(\.rawValue).sorted())
        var members: [String: Set<String>] = [:]
        for text in SceneUpdateTests.nodes {
            let node = try JSONObject(parsing: Array(text.utf8).span)
            let kind = try #require(node["k"]?.string)
            members[kind, default: []].formUnion(node.members.map(\.key).filter { !Self.common.contains($0) })
        }
        for row in rows {
            // What stands in brackets are values of a member, or members below one.
            let cell = row[1].replacing(/\([^)]*\)/, with: "").replacing("`[width, height]`", with: "")
            let told = Set(words(cell))
            let had = Set(words(row[0]).flatMap { members[$0] ?? [] })
            #expect(had.isSubset(of: told), "\(row[0])")
        }
    }

    @Test
    func `the members of an update and of every node stand in their tables`() throws {
        let section = try #require(Self.section)
        let update = SceneUpdate(
            acknowledged: 1,
            set: [.root],
            gone: [1],
            size: SceneSize(1, 1),
            title: "a",
            actions: [],
            mediaButton: SceneMediaButton(kind: .default, frame: SceneFrame(0, 0, 1, 1)),
            blobs: [SceneBlob(hash: try #require(.sample), path: "a")],
            calls: [.dismiss],
            hasMore: true
        )
        let told = try rows(of: "member").flatMap { words($0[0]) }
        #expect(Set(told) == Set(update.body.members.map(\.key)))
        for member in Self.common { #expect(section.contains("`\(member)`")) }
        for event in NodeEvent.Name.allCases { #expect(section.contains("`\(event.rawValue)`")) }
    }

    @Test
    func `the limits are those of the code`() throws {
        let cells = try rows(of: "limit").map { $0[1] }
        func spelt(_ number: Int) -> String {
            number < 1_000 ? "\(number)" : "\(number / 1_000),\("\(1_000 + number % 1_000)".dropFirst())"
        }
        #expect(
            cells == [
                "\(SceneLimits.nodeCount); \(SceneLimits.depth); \(SceneLimits.childCount)",
                "\(spelt(SceneLimits.nodeTextByteCount)) bytes; \(spelt(SceneLimits.textByteCount)) bytes; "
                    + "\(SceneLimits.lineCount)",
                "±\(spelt(Int(SceneLimits.number.upperBound))); 0 to \(spelt(Int(SceneLimits.extent.upperBound)))",
            ]
        )
    }
}
