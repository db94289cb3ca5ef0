// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an extension is compiled against: modules, and one archive with all their code.
///
/// `scripts/extension-sdk` makes it, beside the programs: a folder with `modules` and `libExtensionSDK.a`.
struct ExtensionSDK {
    let folder: String

    var modules: String { folder + "/modules" }
    var archive: String { folder + "/libExtensionSDK.a" }

    /// The one that was named, or else the one that stands beside this program or where an installation has it.
    static func find(named: String?, program: String = programFolder) throws(CommandError) -> ExtensionSDK {
        let candidates =
            named.map { [$0] } ?? [program + "/extension-sdk", program + "/../lib/nestbox/extension-sdk"]
        for folder in candidates {
            let sdk = ExtensionSDK(folder: URL(fileURLWithPath: folder).standardizedFileURL.path)
            if FileManager.default.fileExists(atPath: sdk.archive) { return sdk }
        }
        throw CommandError(
            named.map { "\"\($0)\" is no extension SDK" } ?? "there is no extension SDK beside \(Terminal.program)",
            hint: "scripts/extension-sdk of the project makes it; --sdk names another place"
        )
    }

    /// True when a module of that name can be imported.
    func has(module: String) -> Bool {
        FileManager.default.fileExists(atPath: "\(modules)/\(module).swiftmodule")
            || FileManager.default.fileExists(atPath: "\(modules)/\(module)/module.modulemap")
    }

    private static var programFolder: String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    }
}
