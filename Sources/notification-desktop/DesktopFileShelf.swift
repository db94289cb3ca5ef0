// SPDX-License-Identifier: Apache-2.0

import DesktopPresenter
import Foundation
import Glibc

/// The folder of the user's applications, as far as an agent writes desktop files there.
///
/// A file is there whole or not at all: it is written beside its place, and renamed. An agent that is killed leaves at
/// most a file whose name ends with its process and `.part`, which the next one removes.
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
    /// A file of the same name that belongs to another centre, or to nobody, stays as it is. One that cannot be written
    /// does not keep the others from it: a folder that takes none of them throws.
    func put(_ files: [OwnDesktopFile]) throws {
        let wanted = Set(files.map(\.name))
        for name in try names() where !wanted.contains(name) {
            let isPart = name.hasPrefix(".")
            if isPart ? isLeft(name) : center(of: name) == center { unlink(folder + "/" + name) }
        }
        var isTaken = false
        var failure: (any Error)?
        for file in files {
            let path = folder + "/" + file.name
            let former = DataFolders.bytes(of: path, limit: DesktopFile.byteLimit)
            guard former != Array(file.text.utf8), former == nil || center(of: file.name) == center else { continue }
            do {
                try write(file, to: path)
                isTaken = true
            } catch { failure = failure ?? error }
        }
        if let failure, !isTaken { throw failure }
    }

    /// True if the agent that wrote a part has ended; this one writes none meanwhile.
    private func isLeft(_ part: String) -> Bool {
        guard let process = part.split(separator: ".").dropLast().last.flatMap({ pid_t($0) }), process > 0 else {
            return false
        }
        return process == getpid() || kill(process, 0) != 0 && errno == ESRCH
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
            let isPart = name.hasPrefix(".nestbox.") && name.contains(".desktop.") && name.hasSuffix(".part")
            if isFile || isPart { names.append(name) }
        }
        return names
    }

    private func write(_ file: OwnDesktopFile, to path: String) throws {
        let part = "\(folder)/.\(file.name).\(getpid()).part"
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
