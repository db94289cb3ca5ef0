// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The inputs of a bundle's build; sources are read once.
struct BuildInputs {
    private let files: ExtensionSources
    private let information: BundleInformation
    private let rewritten: RewrittenSources
    private let interfaces: InterfaceSources
    /// The modules beside the extension, each behind those that it imports.
    private let modules: [CompiledModule]
    /// The modules that every source sees without importing them.
    let bridgedModules: [ImportedModule]
    /// The start that Info.plist names, or the one that the sources have.
    private let start: BundleInformation.Start

    init(
        _ files: ExtensionSources,
        information: BundleInformation,
        modules: [ModuleSources] = []
    ) throws(CommandError) {
        self.modules = try CompiledModule.ordered(modules)
        var bridged: [ImportedModule] = []
        for path in files.bridgingHeaders {
            let header = try BridgingHeader(at: path)
            bridged += header.modules
            for (place, name) in header.headers {
                Terminal.warning(
                    "\(place): \"\(name)\" is left out: only Swift is compiled; write in Swift what the extension needs "
                        + "of it, or put that into #if canImport(ObjectiveC)"
                )
            }
        }
        bridgedModules = bridged
        self.files = files
        self.information = information
        var sources: [String: [UInt8]] = [:]
        for path in files.swift {
            sources[path] = Array(try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit))
        }
        rewritten = RewrittenSources(sources)
        for path in rewritten.unread {
            Terminal.warning(
                "\(path): its brackets or conditions do not match as far as this program reads Swift, or it goes "
                    + "beyond a limit (\(SwiftTokens.wordLimit) bytes in a word, "
                    + "\(DeclarationReader.attributeLimit) attributes before a declaration, "
                    + "\(DeclarationReader.blockLimit) \"#if\" and \(DeclarationReader.depthLimit) braces in one "
                    + "another), so that selectors and storyboards do not find what it declares; move such "
                    + "declarations to a file of their own"
            )
        }
        let controllers = ContentControllers(rewritten.classes, sources: sources)
        start = try Self.start(information, controllers)
        let main: String? = if case .storyboard(let name) = start { name } else { nil }
        interfaces = try InterfaceSources(files, classes: rewritten.classes, main: main, language: information.language)
        try checkController(controllers)
    }

    /// Finds the class with which an extension begins whose Info.plist does not name it.
    private static func start(
        _ information: BundleInformation,
        _ controllers: ContentControllers
    ) throws(CommandError) -> BundleInformation.Start {
        if let start = information.start { return start }
        let place = "\(information.startFile):\(information.startLine)"
        let only = try controllers.only(place: place)
        Terminal.warning(
            "\(place): NSExtension names neither a storyboard nor a class, which iOS asks for; the extension begins "
                + "with \(only.name), its one view controller"
        )
        return .principalClass(only.name)
    }

    /// Refuses a storyboard that is not there, and a controller that shows no notifications.
    private func checkController(_ controllers: ContentControllers) throws(CommandError) {
        guard information.point == .content else { return }
        let place = "\(information.startFile):\(information.startLine)"
        switch start {
        case .storyboard(let name):
            guard let storyboard = interfaces.storyboard(name) else {
                throw CommandError(
                    "\(place): NSExtensionMainStoryboard is \"\(name)\", and there is no \(name).storyboard with the "
                        + "sources",
                    hint: "name its file or its folder beside the sources"
                )
            }
            guard let controller = storyboard.initialController else { return }
            try controllers.check(
                rewritten.className(for: controller.className),
                what: "the initial view controller",
                place: "\(storyboard.path):\(controller.line)"
            )
        case .principalClass(let name):
            try controllers.check(
                rewritten.className(for: name),
                what: "NSExtensionPrincipalClass",
                place: place
            )
        }
    }

    /// The files of asset catalogues that the bundle gets.
    var pictures: [AssetCatalog.File] { interfaces.pictures }

    /// The sources as the compiler gets them, by the paths of the originals and of what was made of interface files.
    private var sources: [String: [UInt8]] { rewritten.texts.merging(interfaces.texts) { own, _ in own } }

    /// The start of the extension's program.
    ///
    /// The compiler points at Info.plist when the class is not what it should be.
    private var main: String {
        let program = information.point.program
        let named = modules.filter { $0.registration != nil }
        let calls =
            named.map { "import \($0.sources.name)" } + named.compactMap(\.registration).map { "\($0)()" }
            + rewritten.registrations.map { "\($0)()" } + [interfaces.registration].compactMap(\.self)
        let start =
            switch start {
            // Info.plist may have the name that the class has for Objective-C.
            case .principalClass(let name): "\(program.server).serve(\(rewritten.className(for: name))())"
            case .storyboard(let name): "\(program.server).serve(storyboard: \(SwiftLiteral.text(name)))"
            }
        let place = "file: \(SwiftLiteral.text(information.startFile)), line: \(information.startLine)"
        let types = ["#if canImport(FoundationCompatibility)"] + rewritten.replacements + ["#endif"]
        return (program.modules.map { "import \($0)" } + types + calls + ["#sourceLocation(\(place))", start, ""])
            .joined(separator: "\n")
    }

    /// The modules that the sources name, in the order of files and lines.
    var mentionedModules: [ImportedModule] {
        bridgedModules + modules.flatMap(\.mentioned)
            + sources.sorted { $0.key < $1.key }.flatMap { ImportedModule.mentioned(in: $0.value, path: $0.key) }
    }

    func stamp(_ compiler: ExtensionCompiler) throws -> String {
        var stamp = BuildStamp()
        for module in modules {
            stamp.add(module.sources.name)
            stamp.add(module.sources.languageMode)
            for argument in module.sources.compilerArguments { stamp.add(argument) }
        }
        for texts in modules.map(\.texts) + [sources] {
            for (path, source) in texts.sorted(by: { $0.key < $1.key }) {
                stamp.add(path)
                stamp.add(Data(source))
            }
        }
        for path in files.resources + files.stringTables.map(\.path) + pictures.map(\.source) {
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

    /// The imports of modules that nobody has, in the order of files and lines.
    func missingModules(_ compiler: ExtensionCompiler) -> [ImportedModule] {
        let imports =
            modules.flatMap(\.imports)
            + sources.sorted { $0.key < $1.key }.flatMap { ImportedModule.all(in: $0.value, path: $0.key) }
        let own = Set(modules.map(\.sources.name))
        return imports.filter { !own.contains($0.name) && !compiler.has(module: $0.name) }
    }

    /// Prints what the compiler says; throws when there is no executable then.
    func compile(_ compiler: ExtensionCompiler, into executable: URL) throws {
        let work = FileManager.default.temporaryDirectory.appendingPathComponent("extension-build-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: work, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: work) }
        let output = try compiler.compile(sources, beside: modules, main: main, into: executable, work: work)
        Terminal.passOn(output.text)
        guard output.succeeded else {
            let advice = output.advice(missing: missingModules(compiler))
            Terminal.report(CommandError("the extension was not built, see the compiler's errors above"))
            advice.forEach(Terminal.hint)
            if interfaces.paths.contains(where: { output.text.contains("\($0):") }) {
                Terminal.hint(
                    "a line of a storyboard or xib names a class or property that the sources have not, or a value "
                        + "that it does not take: change the class, or the file in Interface Builder"
                )
            }
            if output.text.contains(information.startFile + ":"), case .principalClass(let name) = start {
                Terminal.hint(
                    "NSExtensionPrincipalClass names \"\(rewritten.className(for: name))\": "
                        + information.point.program.typeRule
                )
            }
            throw ExitCode.refused
        }
    }
}
