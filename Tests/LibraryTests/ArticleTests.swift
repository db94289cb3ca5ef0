// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The code that the articles and docs/sending.md show of the library is what SnippetTests run.
struct ArticleTests {
    private static let articles = PackageRoot.url.appending(path: "Sources/E2ECrypto/E2ECrypto.docc")

    /// The code of each file of Snippets, without the line of its licence.
    private static func snippets() throws -> [String: String] {
        let folder = PackageRoot.url.appending(path: "Tests/LibraryTests/Snippets")
        var snippets: [String: String] = [:]
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            let text = try String(contentsOf: file, encoding: .utf8)
            let parts = text.split(separator: "\n\n", maxSplits: 1)
            try #require(parts.count == 2 && parts[0] == "// SPDX-License-Identifier: Apache-2.0")
            snippets[file.lastPathComponent] = String(parts[1])
        }
        return snippets
    }

    private static func blocks(_ file: URL) throws -> [String] {
        let text = try String(contentsOf: file, encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
    }

    @Test func `every block of code in an article is a snippet, and every snippet is shown`() throws {
        let snippets = try Self.snippets()
        var unseen = Set(snippets.keys)
        let files = try FileManager.default.contentsOfDirectory(at: Self.articles, includingPropertiesForKeys: nil)
        try #require(files.count == 7)
        for file in files {
            for block in try Self.blocks(file) {
                let match = snippets.first { $0.value == block }
                #expect(match != nil, "\(file.lastPathComponent) shows what no snippet is:\n\(block)")
                if let name = match?.key { unseen.remove(name) }
            }
        }
        #expect(unseen == [])
    }

    @Test func `the page on sending shows the first snippet`() throws {
        let blocks = try Self.blocks(PackageRoot.url.appending(path: "docs/sending.md"))
        #expect(blocks.contains(try #require(try Self.snippets()["SealedBody.swift"])))
    }
}
