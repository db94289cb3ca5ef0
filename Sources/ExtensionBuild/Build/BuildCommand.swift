// SPDX-License-Identifier: Apache-2.0

package import ArgumentParser
import Foundation

package struct BuildCommand: ParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "build",
        abstract: "Builds a notification extension, a service or a view of notifications, into a bundle.",
        discussion: """
            A source is a Swift file or the extension's folder with all that is in it: Info.plist, entitlements, \
            localized texts, resources. The originals are not touched.

            Example:
              extension-host build NotificationService/ --identifier com.example.chat.service -o Chat.appex
            """
    )

    @Argument(help: "Swift files and folders of the extension.", completion: .file())
    var sources: [String]

    @Option(help: "The extension's Info.plist; by default the one in its folder.", completion: .file())
    var info: String?

    @Option(name: .shortAndLong, help: "The bundle to make; by default NAME.appex, NAME being the folder's.")
    var output: String?

    @Option(help: "The bundle's identifier, if Info.plist does not say it: the app's and one component more.")
    var identifier: String?

    @Option(help: "The module's name; by default the one that Info.plist says, or the bundle's.")
    var module: String?

    @Option(name: .customLong("setting"), help: "NAME=VALUE of a variable $(NAME) in Info.plist; may be repeated.")
    var settings: [String] = []

    @Option(help: "The extension's entitlements; by default those in its folder.", completion: .file())
    var entitlements: String?

    @Option(name: .customLong("strings"), help: "A table of localized texts; may be repeated.", completion: .file())
    var tables: [String] = []

    @Option(name: .customLong("resource"), help: "A file that the bundle carries; may be repeated.")
    var resources: [String] = []

    @Option(help: "The language of localized texts, and of the bundle.")
    var language = "en"

    @Option(help: "Swift's language mode: 5, as Xcode's extension targets have it, or 6.")
    var swiftVersion = "5"

    @Flag(
        name: .customLong("static"),
        inversion: .prefixedNo,
        help: "One piece with Swift's libraries, or beside them."
    )
    var isStatic = true

    @Option(help: "The extension SDK; by default the one beside this program.", completion: .directory)
    var sdk: String?

    @Option(
        name: .customLong("Xswiftc", withSingleDash: true),
        parsing: .unconditionalSingleValue,
        help: "An argument for swiftc; may be repeated."
    )
    var compilerArguments: [String] = []

    package init() {}

    package func validate() throws {
        guard ["5", "6"].contains(swiftVersion) else { throw ValidationError("--swift-version is 5 or 6") }
        for setting in settings where !setting.contains("=") {
            throw ValidationError("--setting \"\(setting)\" is not NAME=VALUE")
        }
    }

    package func run() throws {
        let place = try output(for: sources)
        let outcome = try build(at: place)
        Terminal.note(outcome == .unchanged ? "\(place.path) is up to date" : "made \(place.path)")
    }

    enum Built: Equatable {
        case made, unchanged
    }

    /// Builds, or finds that the bundle is what a build would make.
    func build(at place: URL) throws -> Built {
        let product = place.deletingPathExtension().lastPathComponent
        let files = try collected()
        let named = sources + files.swift + [info, entitlements].compactMap(\.self) + resources + tables
        try BundleAssembly.check(place, for: named)
        let information = try information(files, product: product)
        try CategoryClaims.check(information, at: place)
        var sdk = try ExtensionSDK.find(named: self.sdk)
        let inputs = try BuildInputs(files, information: information)
        try sdk.addCrypto(for: inputs.mentionedModules, hasFurtherArguments: !compilerArguments.isEmpty)
        let compiler = ExtensionCompiler(
            sdk: sdk,
            module: information.module,
            languageMode: swiftVersion,
            furtherArguments: compilerArguments,
            isStatic: isStatic,
            mayReachHosts: information.listsHosts
        )
        let stamp = try inputs.stamp(compiler)
        if BuildInputs.stamp(ofBundle: place) == stamp { return .unchanged }

        let assembly = try BundleAssembly(at: place)
        var isFinished = false
        defer { if !isFinished { assembly.discard() } }
        try inputs.compile(compiler, into: assembly.folder.appendingPathComponent(product))
        try assembly.add(try information.xml(stamp: stamp), as: "Info.plist")
        for resource in files.resources { try assembly.add(copyOf: resource) }
        for picture in inputs.pictures { try assembly.add(copyOf: picture.source, as: picture.target) }
        try assembly.add(tables: files.stringTables, developmentLanguage: language) { table, key in
            Terminal.warning("\(table.path): \"\(key)\" has plural forms; extensions here get the form \"other\" of it")
        }
        try assembly.finish()
        isFinished = true
        return .made
    }

    private func collected() throws(CommandError) -> ExtensionSources {
        var files = try ExtensionSources(sources)
        try files.addResources(resources)
        for table in tables {
            guard StringTableFile(URL(fileURLWithPath: table)) != nil else {
                throw CommandError(
                    "--strings \"\(table)\" is no .strings, .stringsdict or .xcstrings",
                    hint: "name any other file of the bundle with --resource"
                )
            }
        }
        try files.addResources(tables)
        for file in files.foreign {
            Terminal.warning("\"\(file)\" is left out: only Swift is compiled")
        }
        return files
    }

    private func information(
        _ files: ExtensionSources,
        product: String
    ) throws(CommandError) -> BundleInformation {
        var overrides: [String: String] = [:]
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            overrides[String(parts[0])] = String(parts[1])
        }
        let values = BuildSettings(
            product: product,
            module: module ?? BuildSettings.c99Identifier(product),
            identifier: identifier,
            language: language,
            overrides: overrides
        )
        guard let file = try one(of: files.informationFiles, named: info, what: "Info.plist", option: "--info") else {
            throw CommandError("there is no Info.plist with the sources", hint: "name it with --info")
        }
        let grants = try one(
            of: files.entitlements,
            named: entitlements,
            what: "entitlements",
            option: "--entitlements"
        )
        return try BundleInformation(
            PropertyListFile(path: file, settings: values),
            product: product,
            module: module,
            identifier: identifier,
            language: language,
            entitlements: grants.map { path throws(CommandError) in
                try Entitlements(PropertyListFile(path: path, settings: values))
            } ?? .none
        )
    }

    private func one(
        of found: [String],
        named: String?,
        what: String,
        option: String
    ) throws(CommandError) -> String? {
        if let named { return URL(fileURLWithPath: named).standardizedFileURL.path }
        guard found.count < 2 else {
            throw CommandError("there are \(found.count) \(what) with the sources", hint: "say which with \(option)")
        }
        return found.first
    }

    private func output(for sources: [String]) throws(CommandError) -> URL {
        let name = output ?? URL(fileURLWithPath: sources[0]).deletingPathExtension().lastPathComponent + ".appex"
        let place = URL(fileURLWithPath: name).standardizedFileURL
        guard place.pathExtension == "appex", place.lastPathComponent != ".appex" else {
            throw CommandError("\"\(name)\" is no name of a bundle", hint: "a bundle is called X.appex")
        }
        return place
    }
}
