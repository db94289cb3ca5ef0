// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// One file of `Scripts`: commands with everything that goes in and must come out.
///
/// `$ seal-payload …` begins a step, whose lines follow: `< ` input, `<@ file` input from a file, `> ` output,
/// `>@ file` output that is kept in a file instead, `! ` standard error, `? ` the exit code (0 without it). `{file}` in
/// a command stands for the content of a file; single quotes hold words together. Other lines are for the reader.
struct Script: Sendable, CustomTestStringConvertible {
    struct Step: Sendable {
        var line: Int
        var command: String
        var input = ""
        var inputFile: String?
        var output = ""
        var outputFile: String?
        var errors = ""
        var exitCode: Int32 = 0
    }

    let name: String
    let steps: [Step]
    var testDescription: String { name }

    static let all: [Script] = {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Scripts")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { try? Script(folder.appending(path: $0)) }
    }()

    init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        var steps: [Step] = []
        let lines = try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        for (index, line) in lines.enumerated() {
            let halves = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            let rest = halves.count == 2 ? String(halves[1]) : ""
            guard halves.first != "$" else {
                steps.append(Step(line: index + 1, command: rest))
                continue
            }
            guard let last = steps.indices.last else { continue }
            switch halves.first {
            case "<": steps[last].input += rest + "\n"
            case "<@": steps[last].inputFile = rest
            case ">": steps[last].output += rest + "\n"
            case ">@": steps[last].outputFile = rest
            case "!": steps[last].errors += rest + "\n"
            case "?": steps[last].exitCode = Int32(rest) ?? -1
            default: break
            }
        }
        self.steps = steps
    }
}

/// A folder with the example keys, and the real command run in it.
final class Workbench {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let keys = URL(filePath: #filePath).appending(path: "../../../keys-example").standardizedFileURL
        for name in ["recipient.key", "recipient.pub", "sender.key", "sender.pub"] {
            let bytes = try Data(contentsOf: keys.appending(path: name))
            try bytes.write(to: folder.appending(path: name))
            // git keeps no 0600.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
        }
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func path(_ name: String) -> String { folder.appending(path: name).path }

    func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    func text(of name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    /// The products stand in one folder with the tests.
    static let program: URL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "seal-payload")

    struct Result {
        let output: Data
        let errors: Data
        let exitCode: Int32
    }

    func run(_ arguments: [String], input: Data = Data()) throws -> Result {
        try run(Self.program, arguments, input: input, environment: [:])
    }

    /// Runs lines of bash that find `seal-payload` on their path, and end with the first that fails.
    func shell(_ lines: String, input: Data = Data()) throws -> Result {
        let path = "\(Self.program.deletingLastPathComponent().path):/usr/bin:/bin"
        let arguments = ["-euo", "pipefail", "-c", lines]
        return try run(URL(filePath: "/bin/bash"), arguments, input: input, environment: ["PATH": path])
    }

    /// Runs any program in the bench's folder.
    func run(
        _ program: URL,
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String]
    ) throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = environment
        // Files, not pipes: a step can neither block nor lose the end of what it says.
        try input.write(to: folder.appending(path: ".in"))
        for name in [".out", ".err"] { try Data().write(to: folder.appending(path: name)) }
        process.standardInput = try FileHandle(forReadingFrom: folder.appending(path: ".in"))
        process.standardOutput = try FileHandle(forWritingTo: folder.appending(path: ".out"))
        process.standardError = try FileHandle(forWritingTo: folder.appending(path: ".err"))
        try process.run()
        process.waitUntilExit()
        return Result(
            output: try Data(contentsOf: folder.appending(path: ".out")),
            errors: try Data(contentsOf: folder.appending(path: ".err")),
            exitCode: process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        )
    }

    /// The words of a command line, `{file}` replaced.
    func words(_ command: String) throws -> [String] {
        try command.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index % 2 == 1 ? [String(part)] : part.split(separator: " ").map(String.init)
        }.map { word in
            guard let start = word.firstIndex(of: "{"), let end = word.lastIndex(of: "}"),
                FileManager.default.fileExists(atPath: path(String(word[word.index(after: start)..<end])))
            else { return word }
            let name = String(word[word.index(after: start)..<end])
            let contents = try String(contentsOfFile: path(name), encoding: .utf8)
            return word[..<start] + contents.trimmingCharacters(in: .whitespacesAndNewlines)
                + word[word.index(after: end)...]
        }
    }
}
