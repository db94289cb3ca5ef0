// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The modules that an extension is compiled against, and the archives with all their code.
///
/// `scripts/extension-sdk` makes it, beside the programs: a folder with `modules` and `libExtensionSDK.a`, and in it a
/// folder `crypto` with the same for cryptography, where some extension uses that.
struct ExtensionSDK {
    let folder: String
    /// True if the extension is compiled and linked with the part for cryptography.
    private(set) var usesCrypto = false

    init(folder: String) {
        self.folder = folder
    }

    /// Folders that a compiler searches for modules.
    var modules: [String] {
        [folder + "/modules"] + (usesCrypto ? [cryptoFolder + "/modules"] : [])
    }

    var archives: [String] {
        [Self.archive(in: folder)] + (usesCrypto ? [cryptoArchive] : [])
    }

    private var cryptoFolder: String { folder + "/crypto" }
    private var cryptoArchive: String { cryptoFolder + "/libExtensionSDKCrypto.a" }
    private static func archive(in folder: String) -> String { folder + "/libExtensionSDK.a" }

    /// The one that was named, or else the one that stands beside this program or where an installation has it.
    static func find(named: String?, program: String = programFolder) throws(CommandError) -> ExtensionSDK {
        let candidates =
            named.map { [$0] } ?? [program + "/extension-sdk", program + "/../lib/nestbox/extension-sdk"]
        for folder in candidates {
            let sdk = ExtensionSDK(folder: URL(fileURLWithPath: folder).standardizedFileURL.path)
            if FileManager.default.fileExists(atPath: archive(in: sdk.folder)) { return sdk }
        }
        throw CommandError(
            named.map { "\"\($0)\" is no extension SDK" } ?? "there is no extension SDK beside \(Terminal.program)",
            hint: "scripts/extension-sdk of the project makes it; --sdk names another place"
        )
    }

    /// True when a module of that name can be imported.
    func has(module: String) -> Bool {
        modules.contains { folder in
            FileManager.default.fileExists(atPath: "\(folder)/\(module).swiftmodule")
                || FileManager.default.fileExists(atPath: "\(folder)/\(module)/module.modulemap")
        }
    }

    static var programFolder: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }
}

// The part for cryptography: BoringSSL takes minutes to compile, and most extensions use none of it.
extension ExtensionSDK {
    /// The Swift modules of that part.
    static let cryptoModules: Set<String> = [
        "CommonCrypto", "CommonCryptoFunctions", "Crypto", "CryptoBoringWrapper", "CryptoExtras", "CryptoKit",
        "SwiftASN1",
    ]

    /// Adds the part for cryptography when a source names one of its modules, and builds it when it is not there.
    ///
    /// A module that the caller compiled may import that part too, so that it is added for further arguments of the
    /// compiler where it is there.
    /// - Throws: `CommandError` when the SDK is not the one beside a program that stands in its checkout, since another
    ///   folder is only read, or when that build fails.
    mutating func addCrypto(
        for mentioned: [ImportedModule],
        hasFurtherArguments: Bool,
        program: String = programFolder
    ) throws(CommandError) {
        var isThere: Bool { FileManager.default.fileExists(atPath: cryptoArchive) }
        if let use = mentioned.first(where: { Self.cryptoModules.contains($0.name) }) {
            if !isThere { try buildCrypto(for: use, program: program) }
            usesCrypto = true
        } else {
            usesCrypto = hasFurtherArguments && isThere
        }
    }

    /// The script of the checkout in which a program was built, at `.build/TRIPLE/CONFIGURATION` or in such a folder
    /// beside it; `nil` means that the program stands elsewhere.
    private static func script(besides program: String) -> String? {
        let build = URL(fileURLWithPath: program).deletingLastPathComponent().deletingLastPathComponent()
        let script = build.deletingLastPathComponent().appendingPathComponent("scripts/extension-sdk").path
        guard build.lastPathComponent.hasPrefix(".build"), FileManager.default.isExecutableFile(atPath: script) else {
            return nil
        }
        return script
    }

    private func buildCrypto(for use: ImportedModule, program: String) throws(CommandError) {
        guard let script = Self.script(besides: program), folder == program + "/extension-sdk" else {
            throw CommandError(
                "\(use.place) names \(use.name), which the extension SDK in \"\(folder)\" was made without",
                hint: "run this in the checkout that made it: scripts/extension-sdk --with-crypto \(folder)"
            )
        }
        Terminal.note("\(use.place) names \(use.name): its part of the extension SDK is built now, once")
        let status = try ChildProgram(path: script, arguments: ["--with-crypto", folder]).run().status
        guard status == 0 else {
            throw CommandError(
                "the part of the extension SDK that has \(use.name) was not built, see above",
                hint: "mend what is named there, and run it again: \(script) --with-crypto \(folder)"
            )
        }
    }
}
