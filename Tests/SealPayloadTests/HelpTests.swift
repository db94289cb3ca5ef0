// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The help of the command, and the manual page and completions that are made of it.
struct HelpTests {
    private static let pages = [
        ["--help"], ["seal", "--help"], ["keygen", "--help"], ["open", "--help"], ["check", "--help"],
        ["attach", "--help"],
    ]
    private static let subcommands = pages.dropFirst().map { $0[0] }

    private func help(_ words: [String]) throws -> String {
        let result = try Workbench().run(words)
        #expect(result.exitCode == 0)
        #expect(result.errors.isEmpty)
        return String(decoding: result.output, as: UTF8.self)
    }

    @Test(arguments: pages)
    func `help ends in an example that runs`(_ words: [String]) throws {
        let text = try help(words)
        let example = try #require(text.components(separatedBy: "\n\nExample:\n").dropFirst().first)
        #expect(example.split(separator: "\n").allSatisfy { $0.hasPrefix("  ") })
        let result = try Workbench().shell("mkdir empty && cd empty\n\(example)")
        #expect(result.exitCode == 0, "\(String(decoding: result.errors, as: UTF8.self))")
    }

    @Test func `every subcommand is among those whose help is tested`() throws {
        let list = try #require(try help(["--help"]).components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first)
        let names = list.split(separator: "\n").filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "See" }
        #expect(Set(Self.subcommands).isSuperset(of: names.prefix { !$0.hasPrefix("seal-payload") }))
        #expect(names.contains("attach"))
    }

    // MARK: Manual and completions

    private static func tool(_ name: String) -> URL? {
        ["/usr/bin/\(name)", "/bin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
            .map { URL(filePath: $0) }
    }

    /// Everything that scripts/manual writes, in the bench's folder `made`.
    private func made() throws -> Workbench {
        let bench = try Workbench()
        let script = URL(filePath: #filePath).appending(path: "../../../scripts/manual").standardizedFileURL.path
        let result = try bench.shell("\(script) \"$(command -v seal-payload)\" made")
        #expect(result.exitCode == 0, "\(String(decoding: result.errors, as: UTF8.self))")
        return bench
    }

    @Test(.enabled(if: tool("python3") != nil, "no python3"))
    func `the manual page has every option of every subcommand`() throws {
        let page = try made().text(of: "made/man1/seal-payload.1")
        for words in Self.pages {
            let options = try help(words).split(separator: "\n").filter { $0.hasPrefix("  -") }
                .compactMap { $0.split(separator: " ").first { $0 != "-h," } }
            #expect(!options.isEmpty)
            for option in options where option != "--help" && option != "-h" {
                #expect(page.contains(".It Fl \(option.dropFirst().replacing("-", with: "\\-"))"))
            }
        }
    }

    @Test(.enabled(if: tool("python3") != nil && tool("mandoc") != nil, "no mandoc: scripts/setup test installs it"))
    func `the manual page has no fault that mandoc would find`() throws {
        let result = try made().shell("mandoc -T lint made/man1/seal-payload.1 >&2")
        #expect(String(decoding: result.errors, as: UTF8.self).isEmpty)
        #expect(result.exitCode == 0)
    }

    @Test(.enabled(if: tool("python3") != nil && tool("man") != nil, "no man"))
    func `man renders the page without a warning`() throws {
        let result = try made().shell("MANWIDTH=80 man --warnings -l made/man1/seal-payload.1")
        #expect(String(decoding: result.errors, as: UTF8.self).isEmpty)
        #expect(String(decoding: result.output, as: UTF8.self).contains("SEAL-PAYLOAD(1)"))
    }

    @Test(.enabled(if: tool("python3") != nil, "no python3"), arguments: ["bash", "zsh", "fish"])
    func `completions parse and know the options`(_ shell: String) throws {
        let bench = try made()
        let name = ["bash": "seal-payload", "zsh": "_seal-payload", "fish": "seal-payload.fish"][shell] ?? ""
        let text = try bench.text(of: "made/\(shell)/\(name)")
        for word in ["rotate", "prune", "explain", "batch", "request-id", "accept"] { #expect(text.contains(word)) }
        for format in ["home-assistant", "bark-cbc", "sealed-box"] { #expect(text.contains(format)) }
        guard Self.tool(shell) != nil else { return }
        #expect(try bench.shell("\(shell) -n made/\(shell)/\(name)").exitCode == 0)
    }
}
