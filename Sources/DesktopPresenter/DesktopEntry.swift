// SPDX-License-Identifier: Apache-2.0

import enum CenterProtocol.CenterNames

/// The id of a desktop file, and the places on the bus and in the folders that it gives.
///
/// Source: Desktop Entry Specification 1.5, "Desktop file ID" and "D-Bus Activation".
package struct DesktopEntry: Sendable, Equatable {
    /// Folders below `applications/` that an id is looked for in, each beginning with the next "-".
    private static let folderLimit = 4

    package let id: String

    /// Judges an id; `nil` means that it is none.
    package init?(_ id: String) {
        guard CenterNames.isDesktopEntry(id) else { return nil }
        self.id = id
    }

    /// The name of its program on the bus; `nil` means that the id is no such name.
    ///
    /// Source: D-Bus Specification, "Bus names".
    package var busName: String? {
        let elements = id.split(separator: ".", omittingEmptySubsequences: false)
        let areNames = elements.allSatisfy { element in
            element.utf8.first.map { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
        }
        return elements.count > 1 && areNames ? id : nil
    }

    /// The object of its program on the bus.
    package var objectPath: String { "/" + id.replacing(".", with: "/").replacing("-", with: "_") }

    /// The places of the file below a folder of data, the likeliest first: a "-" of the id may stand for a folder.
    package var paths: [String] {
        var paths = [id]
        while paths.count <= Self.folderLimit, let last = paths.last, let dash = last.firstIndex(of: "-") {
            paths.append(last.replacingCharacters(in: dash...dash, with: "/"))
        }
        return paths.filter { !$0.contains("/.") && !$0.contains("//") && !$0.hasSuffix("/") }
            .map { "applications/\($0).desktop" }
    }
}

extension String {
    fileprivate func replacingCharacters(in range: ClosedRange<Index>, with text: String) -> String {
        var copy = self
        copy.replaceSubrange(range, with: text)
        return copy
    }
}
