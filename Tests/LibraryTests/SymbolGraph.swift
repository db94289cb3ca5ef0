// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The part of the compiler's symbol graph that tests look at.
struct SymbolGraph: Decodable {
    struct Module: Decodable {
        let name: String
    }

    struct Fragment: Decodable {
        let spelling: String
        /// The mangled name of a type that a declaration mentions.
        let preciseIdentifier: String?
    }

    struct Comment: Decodable {}

    struct Symbol: Decodable {
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let docComment: Comment?

        var text: String { declarationFragments.map(\.spelling).joined() }
    }

    struct Relationship: Decodable, Equatable {
        let kind: String
        let target: String
        let targetFallback: String?
    }

    let module: Module
    let symbols: [Symbol]
    let relationships: [Relationship]

    /// Extracts the public declarations of a module built beside this test: one graph for its own types, one for each
    /// module whose types it extends.
    static func extract(_ module: String) throws -> [SymbolGraph] {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let products = URL(filePath: program).deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        #if arch(arm64)
        let target = "aarch64-unknown-linux-gnu"
        #else
        let target = "x86_64-unknown-linux-gnu"
        #endif
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swift", "symbolgraph-extract", "-module-name", module, "-target", target,
            "-I", products.appending(path: "Modules").path, "-I", products.appending(path: "CLinux.build").path,
            "-I", PackageRoot.url.appending(path: "Sources/CSodium").path, "-minimum-access-level", "public",
            "-skip-synthesized-members", "-output-dir", folder.path,
        ]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return try files.map { try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)) }
    }
}

/// The folder that holds Package.swift.
enum PackageRoot {
    static let url: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Tests/Vectors").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()
}
