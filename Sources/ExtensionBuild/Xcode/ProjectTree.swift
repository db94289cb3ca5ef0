// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The places of a project's files and folders on the disk.
///
/// A place counts from that of the group around it, from the project's folder, or from `/`.
struct ProjectTree {
    private var places: [String: URL] = [:]

    init(_ project: ProjectFile) {
        let sourceRoot = project.sourceRoot
        // A group that holds itself is passed through once.
        var waiting: [(object: ProjectObject, around: URL)] = [
            project.root.object("mainGroup"), project.root.object("productRefGroup"),
        ]
        .compactMap(\.self).map { ($0, sourceRoot) }
        while let (object, around) = waiting.popLast() {
            guard places[object.id] == nil, let place = Self.place(of: object, in: around, sourceRoot) else { continue }
            places[object.id] = place
            waiting += object.objects("children").map { ($0, place) }
        }
    }

    /// Returns the place of a file, a group or a synchronised folder; `nil` for one that comes with Xcode or a product.
    func place(of object: ProjectObject) -> URL? { places[object.id] }

    private static func place(of object: ProjectObject, in around: URL, _ sourceRoot: URL) -> URL? {
        let base: URL
        switch object.text("sourceTree") {
        case "<group>", nil: base = around
        case "SOURCE_ROOT", "PROJECT_DIR", "SRCROOT": base = sourceRoot
        case "<absolute>": base = URL(fileURLWithPath: "/")
        default: return nil
        }
        guard let path = object.text("path"), !path.isEmpty else { return base }
        return path.hasPrefix("/")
            ? URL(fileURLWithPath: path).standardizedFileURL : base.appendingPathComponent(path).standardizedFileURL
    }
}
