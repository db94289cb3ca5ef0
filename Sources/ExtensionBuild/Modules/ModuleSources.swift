// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A module of Swift that is compiled beside an extension which imports it: a framework of its project, or a folder.
struct ModuleSources {
    let name: String
    /// The paths of its Swift files.
    let files: [String]
    /// Swift's language mode: 4, 4.2, 5 or 6.
    let languageMode: String
    let compilerArguments: [String]
    /// True if it asks `Bundle.module` for resources, which lie in the extension's bundle.
    var hasResources = false

    /// True if a text can name a module.
    static func isName(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else { return false }
        return text.utf8.count <= 128
            && text.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }
}

/// A module with its sources as the compiler gets them.
struct CompiledModule {
    let sources: ModuleSources
    private let rewritten: RewrittenSources
    /// The function that tells the runtime the names of the module's classes; `nil` when there is nothing to tell.
    let registration: String?
    let imports: [ImportedModule]
    let mentioned: [ImportedModule]

    init(_ sources: ModuleSources) throws(CommandError) {
        self.sources = sources
        var texts: [String: [UInt8]] = [:]
        for path in sources.files {
            texts[path] = Array(try BundleFile.contents(of: path, atMost: BundleFile.sourceByteCountLimit))
        }
        rewritten = RewrittenSources(texts)
        let sorted = rewritten.texts.sorted { $0.key < $1.key }
        imports = sorted.flatMap { ImportedModule.all(in: $0.value, path: $0.key) }
        mentioned = sorted.flatMap { ImportedModule.mentioned(in: $0.value, path: $0.key) }
        registration = rewritten.registrations.isEmpty ? nil : "_extensionHostNamesOf\(sources.name)"
    }

    /// The sources, by the paths of the originals, and the file that was made.
    var texts: [String: [UInt8]] {
        var made =
            sources.hasResources ? "import Foundation\nextension Bundle { static var module: Bundle { .main } }\n" : ""
        let calls = rewritten.registrations.map { "\($0)()" }.joined(separator: "; ")
        if let registration { made += "public func \(registration)() { \(calls) }\n" }
        guard !made.isEmpty else { return rewritten.texts }
        let folder = URL(fileURLWithPath: sources.files[0]).deletingLastPathComponent()
        let path = folder.appendingPathComponent("_extensionHost\(sources.name).swift").path
        return rewritten.texts.merging([path: Array(made.utf8)]) { own, _ in own }
    }

    /// Modules in an order in which each comes behind those that it imports.
    ///
    /// Throws for modules that import each other, and for two of one name.
    static func ordered(_ modules: [ModuleSources]) throws(CommandError) -> [CompiledModule] {
        var waiting: [CompiledModule] = []
        for sources in modules {
            guard !waiting.contains(where: { $0.sources.name == sources.name }) else {
                throw CommandError("there are two modules \"\(sources.name)\"", hint: "name each with --module once")
            }
            waiting.append(try CompiledModule(sources))
        }
        var ordered: [CompiledModule] = []
        while !waiting.isEmpty {
            let names = Set(waiting.map(\.sources.name))
            let next = waiting.firstIndex { module in
                !module.imports.contains { $0.name != module.sources.name && names.contains($0.name) }
            }
            guard let next else {
                throw CommandError(
                    "the modules \(names.sorted().joined(separator: ", ")) import each other",
                    hint: "Swift compiles one behind the other: take an import out, or make one module of them"
                )
            }
            ordered.append(waiting.remove(at: next))
        }
        return ordered
    }
}
