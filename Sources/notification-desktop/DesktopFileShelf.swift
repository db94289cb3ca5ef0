// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import Foundation
import Glibc

/// The folder of the user's applications, as far as an agent writes desktop files there.
///
/// A file is there whole or not at all: it is written beside its place, and renamed. An agent that is killed leaves at
/// most a file whose name ends with `.part`, which the next one removes.
struct DesktopFileShelf: Sendable {
    /// Names of the folder that are looked at.
    private static let nameLimit = 20_000

    private let folder: String
    private let center: String

    /// Takes the folder of the user's data, and the centre whose files are written.
    init(in data: String, of center: String) {
        (folder, self.center) = (data + "/applications", center)
    }

    /// Has the folder hold these files of the centre and no other ones of it; throws what the system says.
    ///
    /// A file of the same name that belongs to another centre, or to nobody, stays as it is.
    func put(_ files: [OwnDesktopFile]) throws {
        let wanted = Set(files.map(\.name))
        for name in try names() where !wanted.contains(name) {
            if name.hasPrefix(".") || center(of: name) == center { unlink(folder + "/" + name) }
        }
        for file in files {
            let path = folder + "/" + file.name
            let former = DataFolders.bytes(of: path, limit: DesktopFile.byteLimit)
            guard former != Array(file.text.utf8), former == nil || center(of: file.name) == center else { continue }
            try write(file, to: path)
        }
    }

    private func center(of name: String) -> String? {
        DataFolders.bytes(of: folder + "/" + name, limit: DesktopFile.byteLimit).flatMap(DesktopFile.init)?.center
    }

    /// The names in the folder that may be those of an agent's files.
    private func names() throws -> [String] {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        guard let stream = opendir(folder) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { closedir(stream) }
        var names: [String] = []
        for _ in 0..<Self.nameLimit {
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            let isFile = name.hasPrefix("nestbox.") && name.hasSuffix(".desktop")
            let isPart = name.hasPrefix(".nestbox.") && name.hasSuffix(".desktop.part")
            if isFile || isPart { names.append(name) }
        }
        return names
    }

    private func write(_ file: OwnDesktopFile, to path: String) throws {
        let part = "\(folder)/.\(file.name).part"
        unlink(part)
        let descriptor = Glibc.open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        let bytes = Array(file.text.utf8)
        // A file of this size is written at once, or the disk is full.
        let isWritten = Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        guard isWritten, rename(part, path) == 0 else {
            unlink(part)
            throw POSIXError(isWritten ? .EIO : .ENOSPC)
        }
    }
}
