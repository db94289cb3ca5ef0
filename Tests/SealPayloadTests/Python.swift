// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A Python that has the packages a script needs: any `python3` on PATH, or the one that scripts/clients makes.
enum Python {
    /// `nil` means that none has them all.
    static func interpreter(with modules: [String]) -> URL? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = (path.split(separator: ":") + ["/usr/bin"]).map { URL(filePath: String($0)) }
        return (folders + [repository.appending(path: ".build/clients/bin")]).map { $0.appending(path: "python3") }
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
    /// Runs a script's interpreter; `folder` and this project's programs come first on its path.
    func run(_ program: URL, _ arguments: [String], input: Data = Data(), path folder: String = "") throws -> Result {
        let products = Self.program.deletingLastPathComponent().path
        let environment = [
            "PATH": "\(folder):\(products):/usr/local/bin:/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1",
            "LC_ALL": "C.UTF-8",
        ]
        return try run(program, arguments, input: input, environment: environment)
    }
}
