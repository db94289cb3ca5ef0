// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A Python that has the packages a script needs: any `python3` on PATH.
enum Python {
    /// Nil when none has them all.
    static func interpreter(with modules: [String]) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":") + ["/usr/bin"]).map { URL(filePath: String($0)).appending(path: "python3") }
            .first { has(modules, $0) }
    }

    private static func has(_ modules: [String], _ interpreter: URL) -> Bool {
        guard FileManager.default.isExecutableFile(atPath: interpreter.path) else { return false }
        let process = Process()
        process.executableURL = interpreter
        process.arguments = ["-c", "import " + modules.joined(separator: ", ")]
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    static let sodium = interpreter(with: ["nacl"])
    static let cryptography = interpreter(with: ["cryptography"])
    static let both = interpreter(with: ["nacl", "cryptography"])
    static let hpke = interpreter(with: ["pyhpke", "cryptography"])
}

/// The folder that holds Package.swift.
let repository = URL(filePath: #filePath).appending(path: "../../..").standardizedFileURL

extension Workbench {
    /// Runs any program in the bench's folder, this project's programs first on its path.
    func run(_ program: URL, _ arguments: [String], input: Data = Data(), path: String = "") throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        let products = Self.program.deletingLastPathComponent().path
        process.environment = [
            "PATH": "\(path):\(products):/usr/local/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C",
        ]
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
}
