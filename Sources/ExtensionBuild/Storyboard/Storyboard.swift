// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A storyboard or xib of an iOS project, to be made into Swift source against UIKit.
///
/// `init(path:contents:)` reads the file; `swift(classes:options:)` gives one source, to be compiled in the module of
/// the extension, and what is to be said about the file. `InterfaceRegistration` gives the calls with which a program
/// makes the files' contents known to UIKit. The XML is Xcode's "format of Interface Builder 3.0", which Apple does not
/// describe: names are those that Xcode 15 and its predecessors since 6 write.
package struct Storyboard {
    package enum Kind: String, Sendable {
        /// Scenes, of which the initial view controller's is used.
        case storyboard
        /// Objects for an owner that is made elsewhere.
        case xib
    }

    /// The source of one file, and what is to be said about it.
    package struct Output {
        /// One enumeration with static functions; not to be compiled when there are errors.
        package let source: String
        /// The errors and warnings, in the order in which they were found.
        package let troubles: [InterfaceTrouble]

        package var hasErrors: Bool { troubles.contains { $0.severity == .error } }
    }

    package let path: String
    package let kind: Kind
    let root: InterfaceElement

    /// The file's name without its extension: "MainInterface".
    package var name: String {
        let file = path.split(separator: "/").last ?? ""
        return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file)
    }

    /// The language of the folder `LANGUAGE.lproj` that holds the file; nil in Base.lproj and outside of such folders.
    package var language: String? {
        let folder = path.split(separator: "/").dropLast().last ?? ""
        guard folder.hasSuffix(".lproj"), folder != "Base.lproj" else { return nil }
        return String(folder.dropLast(".lproj".count))
    }

    /// The name of the enumeration in the source: `MainInterface_storyboard`, or `MainInterface_storyboard_de` for a
    /// file in a language.
    package var typeName: String {
        SwiftText.typeName(ofFile: path) + (language.map { "_" + SwiftText.nameBytes(of: $0) } ?? "")
    }

    /// The class and the line of the initial view controller; nil without one.
    var initialController: (className: String, line: Int)? {
        guard let id = root.attribute("initialViewController") else { return nil }
        let scenes = root.children.filter { $0.name == "scenes" }.flatMap(\.children)
        let objects = scenes.flatMap(\.children).filter { $0.name == "objects" }.flatMap(\.children)
        return objects.first { $0.attribute("id") == id }
            .map { ($0.attribute("customClass") ?? "UIViewController", $0.line) }
    }

    /// Throws when the file is no storyboard or xib of an iOS project, or is beyond the bounds of `InterfaceElement`.
    package init(path: String, contents: Data) throws(CommandError) {
        self.path = path
        do {
            root = try InterfaceElement.root(of: contents)
        } catch {
            let place = error.line.map { "\(path):\($0)" } ?? path
            throw CommandError(
                "\(place): neither a storyboard nor a xib: \(error.reason)",
                hint: "open the file in Xcode and save it again"
            )
        }
        switch root["type"] {
        case "com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB": kind = .storyboard
        case "com.apple.InterfaceBuilder3.CocoaTouch.XIB": kind = .xib
        default:
            throw CommandError(
                "\(path):\(root.line): neither a storyboard nor a xib of an iOS project in the format 3.0",
                hint: "open the file in Xcode and save it again"
            )
        }
        guard root.name == "document", root["version"] == "3.0" else {
            throw CommandError(
                "\(path):\(root.line): a file of the format \"\(root["version"] ?? "")\", 3.0 is read",
                hint: "open the file in Xcode and save it again"
            )
        }
    }

    /// The file as Swift; `classes` are those of the extension's sources, whose names the file may hold.
    package func swift(classes: [InterfaceClass], options: InterfaceOptions = .init()) -> Output {
        // Elements remember what was read: each call has its own.
        let root = root.unread()
        root.readAttributes()
        let script = InterfaceScript(InterfaceClasses(classes), options, InterfaceResources(root), path: path)
        script.block("enum \(typeName) {") {
            switch kind {
            case .storyboard: SceneWriter(script: script, root: root).write(root)
            case .xib: NibWriter(script: script).write(root)
            }
        }
        Leftovers(script: script).report(root)
        let imports = script.modules.sorted().map { "import \($0)" }
        return Output(
            source: (imports + [""] + script.lines).joined(separator: "\n") + "\n",
            troubles: script.troubles.all
        )
    }
}
