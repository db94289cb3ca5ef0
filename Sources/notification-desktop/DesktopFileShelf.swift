// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import Glibc

/// The folders of the user's applications and of their pictures, as far as an agent writes there.
///
/// A picture belongs to whom the desktop file of its name belongs: the file is written before the picture, and goes
/// after it.
struct DesktopFileShelf: Sendable {
    private let applications: OwnFolder
    private let pictures: OwnFolder
    /// The theme of the pictures, whose date tells desktops that one of them is another.
    private let theme: String
    private let center: String

    /// Takes the folder of the user's data, and the centre whose files are written.
    init(in data: String, of center: String) {
        applications = OwnFolder(data + "/applications", ".desktop")
        theme = data + "/icons/hicolor"
        // One folder for all of them: desktops scale a picture of another size.
        pictures = OwnFolder(theme + "/256x256/apps", ".png")
        self.center = center
    }

    /// Has the folder hold these files of the centre and no other ones of it; throws what the system says.
    ///
    /// A file of the same name that belongs to another centre, or to nobody, stays as it is. One that cannot be written
    /// does not keep the others from it: a folder that takes none of them throws.
    func put(_ files: [OwnDesktopFile]) throws {
        try applications.make()
        let wanted = Set(files.map(\.name))
        for name in try applications.names() where !wanted.contains(name) && center(of: name) == center {
            pictures.remove(Self.picture(of: name))
            applications.remove(name)
        }
        applications.removeParts()
        pictures.removeParts()
        var isTaken = false
        var failure: (any Error)?
        for file in files {
            let former = applications.bytes(of: file.name, limit: DesktopFile.byteLimit)
            guard former == nil || center(of: file.name) == center else { continue }
            if former != nil, !file.hasPicture { pictures.remove(Self.picture(of: file.name)) }
            do {
                if former != Array(file.text.utf8) { try applications.put(Array(file.text.utf8), as: file.name) }
                isTaken = true
            } catch { failure = failure ?? error }
        }
        if let failure, !isTaken { throw failure }
    }

    /// Writes the picture of a file of the centre's; false means that it is none, or cannot be written.
    func put(_ picture: OwnPicture, of file: String) -> Bool {
        guard center(of: file) == center else { return false }
        let name = Self.picture(of: file)
        guard pictures.bytes(of: name, limit: OwnPicture.byteLimit) != picture.bytes else { return true }
        do {
            try pictures.make()
            try pictures.put(picture.bytes, as: name)
        } catch {
            return false
        }
        // Icon Theme Specification, "Implementation Notes": the theme's own folder is looked at alone.
        utimensat(AT_FDCWD, theme, nil, 0)
        return true
    }

    private func center(of name: String) -> String? {
        applications.bytes(of: name, limit: DesktopFile.byteLimit).flatMap(DesktopFile.init)?.center
    }

    /// The name of the picture of a desktop file, which the file names without its end.
    private static func picture(of file: String) -> String { "\(file.dropLast(".desktop".count)).png" }
}
