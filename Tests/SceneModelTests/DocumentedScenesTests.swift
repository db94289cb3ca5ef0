// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
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

    /// The rows of the table below a heading whose head begins with a cell, cell by cell.
    private func rows(of head: String, below heading: String = "### Scenes") throws -> [[String]] {
        let section = try #require(Self.section)
        let place = try #require(section.range(of: heading))
        let start = try #require(section.range(of: "\n| \(head) |", range: place.upperBound..<section.endIndex))
        let table = section[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .dropFirst().prefix { $0.hasPrefix("|") }
        return table.dropFirst().map { line in
            line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The words in code spans of a cell; true for those that may be absent.
    private func members(_ cell: String) -> [String: Bool] {
        // What stands in brackets, or behind a colon, are values and members below the one before.
        let plain = cell.replacing(/\s\([^)]*\)/, with: "").replacing(
            /: (?:at most 64 objects[^;]*|`\[[^`]*`)/,
            with: ""
        )
        var members: [String: Bool] = [:]
        let parts = plain.split(separator: "`", omittingEmptySubsequences: false)
        for index in stride(from: 1, to: parts.count - 1, by: 2) {
            members[String(parts[index])] = parts[index + 1].hasPrefix("?")
        }
        return members
    }

    private func words(_ cell: String) -> [String] { Array(members(cell).keys) }

    private func samples() throws -> [(kind: String, members: Set<String>)] {
        try SceneUpdateTests.nodes.map { text in
            let node = try JSONObject(parsing: Array(text.utf8).span)
            return (try #require(node["k"]?.string), Set(node.members.map(\.key)))
        }
    }

    @Test
    func `the tables of nodes have each kind and each member, and no other`() throws {
        let common = try rows(of: "member of every node").map { members($0[0]) }.reduce(into: [:]) {
            $0.merge($1) { $1 }
        }
        let rows = try rows(of: "kind")
        let kinds = rows.flatMap { words($0[0]) }
        #expect(kinds.sorted() == SceneKind.Name.allCases.map(\.rawValue).sorted())
        let samples = try samples()
        let seen = samples.reduce(into: Set()) { $0.formUnion($1.members) }
        #expect(seen.isSuperset(of: common.keys))
        for row in rows {
            let told = members(row[1])
            let kinds = Set(words(row[0]))
            let had = samples.filter { kinds.contains($0.kind) }
                .reduce(into: Set()) { $0.formUnion($1.members.subtracting(common.keys)) }
            #expect(had == Set(told.keys), "\(row[0])")
            // A member that must be there is in each sample; a text has one of two.
            for (member, isOptional) in told where !isOptional && !["text", "runs"].contains(member) {
                #expect(
                    samples.filter { kinds.contains($0.kind) }.allSatisfy { $0.members.contains(member) },
                    "\(member)"
                )
            }
        }
    }

    @Test
    func `the table of updates has each member, and no other`() throws {
        let update = SceneUpdate(
            acknowledged: 1,
            set: [.root],
            gone: [1],
            size: SceneSize(1, 1),
            title: "a",
            actions: [],
            mediaButton: SceneMediaButton(kind: .default, frame: SceneFrame(0, 0, 1, 1)),
            files: [SceneFile(number: 1, path: "a")],
            calls: [.dismiss],
            motion: SceneMotion(seconds: 1),
            hasMore: true
        )
        let rows = try rows(of: "member")
        let told = rows.flatMap { row in self.words(row[0]) }
        #expect(Set(told) == Set(update.body.members.map(\.key)))
        func cell(_ member: String) throws -> String { try #require(rows.first { $0[0] == "`\(member)`" })[1] }
        try expectWords(SceneMediaButton.Kind.self, in: cell("mediaButton"))
        try expectWords(SceneMotion.Curve.self, in: cell("motion"))
        try expectWords(SceneCall.ResponseOption.self, in: cell("calls"))
    }

    private func expectWords<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type, in text: String) {
        let list = Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        #expect(text.contains(list), "\(type)")
    }

    @Test
    func `the words are those of the code`() throws {
        let rows = try rows(of: "words of")
        func list(_ name: String) throws -> String { try #require(rows.first { $0[0] == name })[1] }
        func spelt<Word: RawRepresentable<String> & CaseIterable>(_ type: Word.Type) -> String {
            Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")
        }
        #expect(try list("`fit`") == spelt(SceneImage.Fit.self))
        #expect(try list("`align` of a text or field") == spelt(SceneAlignment.self))
        #expect(try list("`align` of a row or column") == spelt(SceneFlow.Alignment.self))
        #expect(try list("`keyboard`") == spelt(SceneField.Keyboard.self))
        #expect(try list("`mode`") == spelt(SceneDate.Mode.self))
        #expect(rows.count == 5)
    }

    @Test
    func `the tables of events have each event, and the environment's members`() throws {
        let events = try rows(of: "event", below: "### Events of a view").flatMap { words($0[0]) }
        #expect(events.sorted() == NodeEvent.Name.allCases.map(\.rawValue).sorted())
        let rows = try rows(of: "member", below: "### Events of a view")
        let environment = try #require(rows.first { $0[0] == "`environment`" })[1]
        #expect(Set(words(environment)) == Set(ViewEnvironment().json.members.map(\.key)))
        expectWords(ViewEnvironment.Style.self, in: environment)
        expectWords(ViewEnvironment.Direction.self, in: environment)
    }

    @Test
    func `the limits are those of the code`() throws {
        let cells = try rows(of: "limit").map { $0[1] }
        func spelt(_ number: Int) -> String {
            number < 1_000 ? "\(number)" : "\(number / 1_000),\("\(1_000 + number % 1_000)".dropFirst())"
        }
        func top(_ range: ClosedRange<Double>) -> String { spelt(Int(range.upperBound)) }
        #expect(
            cells == [
                "\(SceneLimits.nodeCount); \(SceneLimits.depth); \(SceneLimits.childCount)",
                "\(spelt(SceneLimits.nodeTextByteCount)) bytes; \(spelt(SceneLimits.textByteCount)) bytes; "
                    + "\(SceneLimits.lineCount)",
                "\(spelt(SceneLimits.nodeByteCount)) bytes; \(spelt(SceneLimits.byteCount)) bytes",
                "±\(top(SceneLimits.number)); 0 to \(top(SceneLimits.length)); 0 to \(top(SceneLimits.extent))",
            ]
        )
    }
}
