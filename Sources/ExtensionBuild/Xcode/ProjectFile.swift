// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The file of a project of Xcode: objects that refer to one another by their identifiers.
///
/// Source: the file `project.pbxproj` as Xcode 13 to 26 write it; Apple documents no format.
final class ProjectFile {
    /// The bytes that the file of a project may have.
    private static let byteCountLimit = 32 << 20

    /// The project's path, which ends in `.xcodeproj`.
    let path: String
    private let text: String
    private let objects: [String: [String: Any]]
    private let rootID: String

    init(at path: String) throws(CommandError) {
        self.path = path
        let file = "\(path)/project.pbxproj"
        let data = try BundleFile.contents(of: file, atMost: Self.byteCountLimit)
        let values: [String: Any]
        do throws(PropertyList.Mistake) {
            let bytes = try PropertyListText.utf8(of: data)
            text = String(decoding: bytes, as: UTF8.self)
            var list = OpenStepPropertyList(bytes)
            // Other programs than Xcode write projects as XML, which Xcode reads as well.
            let value = text.hasPrefix("<?xml") ? try PropertyList.value(of: data) : try list.value()
            guard let dictionary = value as? [String: Any] else {
                throw PropertyList.Mistake(line: 1, reason: "its outermost value is no dictionary")
            }
            values = dictionary
        } catch {
            throw CommandError(
                "\(error.line.map { "\(file):\($0)" } ?? file): not the file of a project: \(error.reason)",
                hint: "open the project in Xcode and save it again, or take the file of an older commit"
            )
        }
        objects = values["objects"] as? [String: [String: Any]] ?? [:]
        rootID = values["rootObject"] as? String ?? ""
        guard objects[rootID]?["isa"] as? String == "PBXProject" else {
            throw CommandError(
                "\(file): not the file of a project: its rootObject is no PBXProject",
                hint: "open the project in Xcode and save it again, or take the file of an older commit"
            )
        }
    }

    /// The project itself.
    var root: ProjectObject { ProjectObject(file: self, id: rootID, values: objects[rootID] ?? [:]) }

    /// The project's name, which is that of its folder without the ending.
    var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

    /// The folder that holds the project.
    var folder: URL { URL(fileURLWithPath: path).standardizedFileURL.deletingLastPathComponent() }

    /// The folder from which the paths of the project count.
    var sourceRoot: URL {
        guard let path = root.text("projectDirPath"), !path.isEmpty else { return folder }
        return URL(fileURLWithPath: path, relativeTo: folder).standardizedFileURL
    }

    /// Returns the object of an identifier; `nil` for one that is not there.
    func object(_ id: String) -> ProjectObject? {
        objects[id].map { ProjectObject(file: self, id: id, values: $0) }
    }

    /// All objects of a kind, such as `PBXNativeTarget`, by their identifiers.
    func objects(of kind: String) -> [ProjectObject] {
        objects.filter { $0.value["isa"] as? String == kind }.sorted { $0.key < $1.key }
            .map { ProjectObject(file: self, id: $0.key, values: $0.value) }
    }

    /// "FILE:LINE" of an object, for what is said about it.
    fileprivate func place(of id: String) -> String {
        let file = "\(path)/project.pbxproj"
        // An object begins a line; those that refer to it are followed by "," or ";".
        for ending in [" = {", " /*"] {
            var rest = text[...]
            while let found = rest.range(of: "\t\(id)\(ending)") {
                let line = text[found.upperBound...].prefix { $0 != "\n" }
                if ending == " = {" || line.contains(" = {") {
                    return "\(file):\(text[..<found.lowerBound].count { $0 == "\n" || $0 == "\r\n" } + 1)"
                }
                rest = text[found.upperBound...]
            }
        }
        return file
    }
}

/// An object of a project.
struct ProjectObject {
    fileprivate let file: ProjectFile
    let id: String
    fileprivate let values: [String: Any]

    /// The kind, such as `PBXFileReference`.
    var kind: String { text("isa") ?? "" }
    /// The name, which for files and folders is that of the path where none is given.
    var name: String { text("name") ?? text("path").map { URL(fileURLWithPath: $0).lastPathComponent } ?? "" }
    /// "FILE:LINE" of the object in its file.
    var place: String { file.place(of: id) }

    func text(_ key: String) -> String? { values[key] as? String }

    /// The texts of a list; other values in it are passed over.
    func texts(_ key: String) -> [String] { (values[key] as? [Any])?.compactMap { $0 as? String } ?? [] }

    func dictionary(_ key: String) -> [String: Any] { values[key] as? [String: Any] ?? [:] }

    /// The object to which a value refers.
    func object(_ key: String) -> ProjectObject? { text(key).flatMap(file.object) }

    /// The objects to which the values of a list refer; those that are not there are passed over.
    func objects(_ key: String) -> [ProjectObject] { texts(key).compactMap(file.object) }
}
