// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A value of a project's file.
package indirect enum ProjectValue: ExpressibleByStringLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    case text(String)
    case list([ProjectValue])
    case dictionary([(String, ProjectValue)])

    package init(stringLiteral value: String) { self = .text(value) }
    package init(arrayLiteral elements: ProjectValue...) { self = .list(elements) }
    package init(dictionaryLiteral elements: (String, ProjectValue)...) { self = .dictionary(elements) }

    package static func texts(_ texts: [String]) -> ProjectValue { .list(texts.map { .text($0) }) }

    /// The value as Xcode writes it, at so many tabs.
    package func written(_ depth: Int) -> String {
        let tabs = String(repeating: "\t", count: depth)
        switch self {
        case .text(let text):
            if !text.isEmpty, text.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "_./".contains($0)) }) {
                return text
            }
            return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
                + "\""
        case .list(let values):
            return "(\n" + values.map { "\(tabs)\t\($0.written(depth + 1)),\n" }.joined() + "\(tabs))"
        case .dictionary(let pairs):
            let lines = pairs.map { "\(tabs)\t\(Self.text($0.0).written(0)) = \($0.1.written(depth + 1));\n" }
            return "{\n" + lines.joined() + "\(tabs)}"
        }
    }
}

/// A project of Xcode in a folder of its own, which goes with the fixture.
///
/// The project is written as Xcode writes one: objects in the order of their kinds, and the app beside its extensions.
package final class ProjectFixture {
    package let folder: URL
    private var objects: [(id: String, name: String, values: [(String, ProjectValue)])] = []
    private var count = 0
    private var groups: [String] = []
    private var targets: [String] = []
    /// Settings of the project.
    package var settings: [(String, ProjectValue)] = [("SDKROOT", "iphoneos"), ("SWIFT_VERSION", "5.0")]
    /// The file of the project's own settings, by its identifier.
    package var configurationFile: String?

    package init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("project-\(UUID().uuidString)")
            .resolvingSymlinksInPath()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    package var project: URL { folder.appendingPathComponent("Chat.xcodeproj") }

    /// Writes a file below the folder.
    package func write(_ text: String, _ path: String) throws {
        let file = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Adds an object, and returns its identifier.
    @discardableResult
    package func add(_ kind: String, _ name: String = "", _ values: [(String, ProjectValue)]) -> String {
        count += 1
        let id = String(format: "5A%022X", count)
        objects.append((id, name, [("isa", .text(kind))] + values))
        return id
    }

    /// A file that lies where its group does, in a group of the old kind.
    package func file(_ path: String, tree: String = "<group>") -> String {
        let name = String(path.split(separator: "/").last ?? "")
        return add("PBXFileReference", name, [("path", .text(path)), ("sourceTree", .text(tree))])
    }

    package func group(_ path: String?, _ children: [String], isTop: Bool = true) -> String {
        var values: [(String, ProjectValue)] = [("children", .texts(children))]
        if let path { values.append(("path", .text(path))) }
        let id = add("PBXGroup", path ?? "", values + [("sourceTree", "<group>")])
        if isTop { groups.append(id) }
        return id
    }

    /// Adds a group, a folder or a file to the project's own.
    package func addTop(_ id: String) { groups.append(id) }

    package func phase(_ kind: String, _ files: [String]) -> String {
        add(kind, kind, [("files", .texts(files.map { add("PBXBuildFile", "", [("fileRef", .text($0))]) }))])
    }

    package func configurations(
        _ settings: [(String, ProjectValue)],
        release: [(String, ProjectValue)] = [],
        file: String? = nil
    ) -> String {
        let all = ["Debug", "Release"].map { name in
            var values: [(String, ProjectValue)] = [
                ("buildSettings", .dictionary(settings + (name == "Release" ? release : []))), ("name", .text(name)),
            ]
            if let file { values.append(("baseConfigurationReference", .text(file))) }
            return add("XCBuildConfiguration", name, values)
        }
        return add(
            "XCConfigurationList",
            "",
            [("buildConfigurations", .texts(all)), ("defaultConfigurationName", "Release")]
        )
    }

    /// Adds a target, and returns its identifier.
    @discardableResult
    package func target(
        _ name: String,
        type: String = "com.apple.product-type.app-extension",
        phases: [String] = [],
        _ settings: [(String, ProjectValue)] = [],
        release: [(String, ProjectValue)] = [],
        file: String? = nil,
        _ values: [(String, ProjectValue)] = []
    ) -> String {
        let list = configurations(settings, release: release, file: file)
        let id = add(
            "PBXNativeTarget",
            name,
            [
                ("buildConfigurationList", .text(list)), ("buildPhases", .texts(phases)), ("name", .text(name)),
                ("productName", .text(name)), ("productType", .text(type)),
            ] + values
        )
        targets.append(id)
        return id
    }

    /// Changes an object that was added.
    package func change(_ id: String, _ key: String, _ value: ProjectValue) {
        guard let place = objects.firstIndex(where: { $0.id == id }) else { return }
        objects[place].values.removeAll { $0.0 == key }
        objects[place].values.append((key, value))
    }

    /// Writes the project.
    package func save() throws {
        let list = configurations(settings, file: configurationFile)
        let main = group(nil, groups, isTop: false)
        let root = add(
            "PBXProject",
            "Project object",
            [
                ("buildConfigurationList", .text(list)), ("developmentRegion", "en"), ("mainGroup", .text(main)),
                ("projectDirPath", ""), ("targets", .texts(targets)),
            ]
        )
        let lines = objects.map { id, name, values in
            "\t\t\(id)\(name.isEmpty ? "" : " /* \(name) */") = \(ProjectValue.dictionary(values).written(2));\n"
        }
        try write(
            "// !$*UTF8*$!\n{\n\tarchiveVersion = 1;\n\tclasses = {\n\t};\n\tobjectVersion = 56;\n\tobjects = {\n\n"
                + lines.joined() + "\t};\n\trootObject = \(root) /* Project object */;\n}\n",
            "Chat.xcodeproj/project.pbxproj"
        )
    }

    /// The Info.plist of a notification extension, as Xcode's template has it beside a generated list.
    package static func information(
        _ point: String = "com.apple.usernotifications.service",
        _ principal: String = "$(PRODUCT_MODULE_NAME).NotificationService",
        more: String = ""
    ) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0">
        <dict>
        \t<key>NSExtension</key>
        \t<dict>
        \t\t<key>NSExtensionPointIdentifier</key>
        \t\t<string>\(point)</string>
        \t\t<key>NSExtensionPrincipalClass</key>
        \t\t<string>\(principal)</string>
        \t</dict>
        \(more)</dict>
        </plist>

        """
    }

    /// The class of a service extension that appends a text to each title.
    package static func service(_ text: String = "\" [here]\"") -> String {
        """
        import UserNotifications

        class NotificationService: UNNotificationServiceExtension {
            override func didReceive(
                _ request: UNNotificationRequest,
                withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
            ) {
                let content = request.content.mutableCopy() as! UNMutableNotificationContent
                content.title += \(text)
                contentHandler(content)
            }
        }

        """
    }
}
