// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HostRuntime

/// The account of a build that `--explain` prints: what would be built of what, and what is missing.
struct BuildExplanation {
    /// The rows, each of a word and of what is said of it.
    private(set) var rows: [(word: String, text: String)] = []
    private let isPossible: Bool

    init(_ plan: BuildPlan, _ target: ExtensionTarget?, missing: [ImportedModule]) {
        let information = plan.information
        isPossible = missing.isEmpty
        if let target {
            rows.append(
                ("target", "\(target.name) of \(target.project.path), \(target.settings["CONFIGURATION"] ?? "")")
            )
        }
        rows.append(
            (
                "extension",
                "\(information.identifier), a \(information.point == .service ? "service" : "content") extension"
            )
        )
        rows.append(("module", "\(information.module), in Swift \(plan.languageMode)"))
        rows.append(("Info.plist", information.startFile))
        if !plan.compilerArguments.isEmpty { rows.append(("flags", plan.compilerArguments.joined(separator: " "))) }
        add("sources", plan.sources.swift)
        for module in plan.modules { add("module \(module.name)", module.files) }
        add("interfaces", plan.sources.interfaces)
        add("texts", plan.sources.stringTables.map(\.path))
        add("catalogues", plan.sources.catalogs)
        add("resources", plan.sources.resources)
        add("left out", plan.sources.foreign)
        var told: Set<String> = []
        for module in missing where told.insert(module.name).inserted {
            rows.append(("missing", CompilerOutput.advice(on: module)))
        }
    }

    private mutating func add(_ word: String, _ files: [String]) {
        for file in files.sorted() { rows.append((word, file)) }
    }

    /// Prints the rows, a word once above its files; throws the exit status if something is missing.
    func print() throws {
        let width = (rows.map(\.word.count).max() ?? 0) + 2
        var last = ""
        for (word, text) in rows {
            let shown = word == last ? "" : word
            last = word
            Swift.print(shown.padding(toLength: width, withPad: " ", startingAt: 0) + text.withoutHidden)
        }
        if !isPossible { throw ExitCode.refused }
    }
}
