// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The inputs of a bundle's build; sources are read once.
struct BuildInputs {
    private let files: ExtensionSources
    private let information: BundleInformation
    /// By the paths of the originals.
    private let sources: [String: [UInt8]]
    private let principalClass: String

    init(_ files: ExtensionSources, information: BundleInformation) throws(CommandError) {
        self.files = files
        self.information = information
        var sources: [String: [UInt8]] = [:]
        var classes: [String: String] = [:]
        for path in files.swift {
            let data = try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit)
            let source = ObjectiveCAttributes(Array(data))
            sources[path] = source.stripped
            classes.merge(source.classes) { $1 }
        }
        self.sources = sources
        // Info.plist may have the name that the class has for Objective-C.
        principalClass = classes[information.principalClass] ?? information.principalClass
    }

    /// The start of the extension's program.
    ///
    /// The compiler points at Info.plist when the class is not what it should be.
    private var main: String {
        """
        import \(information.point.program.module)
        #sourceLocation(file: \(Self.literal(information.principalClassFile)), line: \(information.principalClassLine))
        \(information.point.program.server).serve(\(principalClass)())
        """
    }

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    /// The modules that the sources name, in the order of files and lines.
    var mentionedModules: [ImportedModule] {
        sources.sorted { $0.key < $1.key }.flatMap { ImportedModule.mentioned(in: $0.value, path: $0.key) }
    }

    func stamp(_ compiler: ExtensionCompiler) throws -> String {
        var stamp = BuildStamp()
        for (path, source) in sources.sorted(by: { $0.key < $1.key }) {
            stamp.add(path)
            stamp.add(Data(source))
        }
        for path in files.resources + files.stringTables.map(\.path) {
            stamp.add(fileAt: path)
        }
        stamp.add(main)
        stamp.add(try information.xml(stamp: ""))
        for option in compiler.options { stamp.add(option) }
        stamp.add(ExtensionCompiler.linkerScript)
        for archive in compiler.sdk.archives { stamp.add(fileAt: archive) }
        stamp.add(fileAt: try ExtensionCompiler.onPath())
        return stamp.text
    }

    /// True for a folder with a bundle that a build has made, whole or not.
    static func isMade(_ place: URL) -> Bool {
        let file = place.appendingPathComponent("Info.plist").path
        return (try? BundleFile.propertyList(at: file) as? [String: Any])?[BuildStamp.key] is String
    }

    /// The stamp of a bundle; `nil` means that the bundle is not there or not whole.
    static func stamp(ofBundle place: URL) -> String? {
        let file = place.appendingPathComponent("Info.plist").path
        guard let plist = try? BundleFile.propertyList(at: file) as? [String: Any],
            let executable = plist["CFBundleExecutable"] as? String,
            FileManager.default.isExecutableFile(atPath: place.appendingPathComponent(executable).path)
        else { return nil }
        return plist[BuildStamp.key] as? String
    }

    /// Prints what the compiler says; throws when there is no executable then.
    func compile(_ compiler: ExtensionCompiler, into executable: URL) throws {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("extension-build-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: work) }
        let output = try compiler.compile(sources, main: main, into: executable, work: work)
        Terminal.passOn(output.text)
        guard output.succeeded else {
            let imports = sources.sorted { $0.key < $1.key }.flatMap { ImportedModule.all(in: $0.value, path: $0.key) }
            let advice = output.advice(missing: imports.filter { !compiler.has(module: $0.name) })
            Terminal.report(CommandError("the extension was not built, see the compiler's errors above"))
            advice.forEach(Terminal.hint)
            if output.text.contains(information.principalClassFile + ":") {
                Terminal.hint(
                    "NSExtensionPrincipalClass names \"\(principalClass)\": " + information.point.program.typeRule
                )
            }
            throw ExitCode.refused
        }
    }
}
