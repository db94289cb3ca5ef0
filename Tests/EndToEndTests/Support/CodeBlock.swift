// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting

/// A code block of a document, as it is printed.
struct CodeBlock: Sendable {
    /// Below the checkout.
    let document: String
    /// Empty where none is named.
    let language: String
    /// With its last line feed.
    let text: String

    /// The name of the block in a list of blocks: document, language and first line.
    var name: String {
        "\(document) \(language): \(text.split(separator: "\n", maxSplits: 1).first ?? "")"
    }

    /// The blocks of a document, in order; only fences that begin their line count.
    static func all(of document: String) throws -> [CodeBlock] {
        let text = try String(contentsOfFile: Programs.root + "/" + document, encoding: .utf8)
        var blocks: [CodeBlock] = []
        var open: (language: String, lines: [Substring])?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let block = open {
                    let text = block.lines.map { $0 + "\n" }.joined()
                    blocks.append(CodeBlock(document: document, language: block.language, text: text))
                    open = nil
                } else {
                    open = (String(line.dropFirst(3)), [])
                }
            } else {
                open?.lines.append(line)
            }
        }
        return blocks
    }

    /// The blocks of a language, in order.
    static func texts(of document: String, in language: String) throws -> [String] {
        try all(of: document).filter { $0.language == language }.map(\.text)
    }

    /// The documents whose blocks a reader pastes.
    static func documents() throws -> [String] {
        let files = try FileManager.default.contentsOfDirectory(atPath: Programs.root + "/docs")
        return ["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    }
}
