// SPDX-License-Identifier: Apache-2.0

/// The source that makes the contents of storyboards, xibs and asset catalogues known to UIKit by name.
package enum InterfaceRegistration {
    /// The name of the enumeration; `InterfaceFiles.register()` is the program's first call.
    package static let typeName = "InterfaceFiles"

    /// One source for all files of an extension; two files that would make types of one name are an error.
    ///
    /// Files of one name in several languages are one storyboard or xib. `languages` are nil where nothing is in
    /// another language than the development's.
    package static func swift(
        _ files: [Storyboard],
        catalogs: [AssetCatalog],
        languages: InterfaceLanguages? = nil
    ) -> Storyboard.Output {
        var troubles: [InterfaceTrouble] = []
        var taken: [String: String] = [:]
        var calls: [String] = []
        for (type, path) in files.map({ ($0.typeName, $0.path) }) + catalogs.map({ ($0.typeName, $0.path) }) {
            if let other = taken.updateValue(path, forKey: type) {
                let message = "its name is too much like that of \(other): rename one of the files"
                troubles.append(InterfaceTrouble(severity: .error, path: path, line: nil, message: message))
            }
        }
        var names: Set<String> = []
        for file in files where names.insert("\(file.name).\(file.kind.rawValue)").inserted {
            let variants = files.filter { $0.name == file.name && $0.kind == file.kind }
                .map { (language: $0.language, typeName: $0.typeName) }
            let name = SwiftText.literal(file.name)
            switch file.kind {
            case .storyboard:
                let choice = InterfaceLanguages.choice(of: variants) { "\($0).makeInitialViewController()" }
                calls.append("NibFiles.add(storyboard: \(name), initial: { \(choice) })")
            case .xib:
                let choice = InterfaceLanguages.choice(of: variants) { "\($0).makeObjects(owner: $0)" }
                calls.append("NibFiles.add(nib: \(name), objects: { \(choice) })")
            }
        }
        calls += catalogs.map { "\($0.typeName).register()" }
        let body = calls.map { "        \($0)\n" }.joined()
        let source = """
            import Foundation
            import UIKit

            enum \(typeName) {
                @MainActor static func register() {
            \(body)    }
            }

            """ + (languages?.swift ?? "")
        return Storyboard.Output(source: source, troubles: troubles)
    }
}
