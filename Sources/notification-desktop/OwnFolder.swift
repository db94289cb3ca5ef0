// SPDX-License-Identifier: Apache-2.0

import FoundationEssentials
import Glibc

/// A folder of the user's in which agents keep files whose names begin with `nestbox.`.
///
/// A file is there whole or not at all: it is written beside its place, and renamed. An agent that is killed leaves at
/// most a file whose name ends with its process and `.part`, which the next one removes.
struct OwnFolder: Sendable {
    /// Names of the folder that are looked at.
    private static let nameLimit = 20_000

    private let path: String
    /// The end of the names, as `.desktop`.
    private let suffix: String

    init(_ path: String, _ suffix: String) {
        (self.path, self.suffix) = (path, suffix)
    }

    /// Makes the folder, unless it is there.
    func make() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    /// The names of the files that may be those of agents; throws if the folder cannot be read.
    func names() throws -> [String] { try list { $0.hasPrefix("nestbox.") && $0.hasSuffix(suffix) } }

    /// Removes what agents have left that were killed.
    func removeParts() {
        let parts = try? list {
            $0.hasPrefix(".nestbox.") && $0.contains("\(suffix).") && $0.hasSuffix(".part") && Self.isLeft($0)
        }
        for part in parts ?? [] { remove(part) }
    }

    /// Reads a file, but no more than one byte behind a limit; `nil` means that there is no file to be read.
    func bytes(of name: String, limit: Int) -> [UInt8]? { DataFolders.bytes(of: "\(path)/\(name)", limit: limit) }

    /// Removes a file; one that is not there is none.
    func remove(_ name: String) { unlink("\(path)/\(name)") }

    /// Writes a file in the place of that of its name.
    func put(_ bytes: [UInt8], as name: String) throws {
        let part = "\(path)/.\(name).\(getpid()).part"
        unlink(part)
        let descriptor = Glibc.open(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        // A file of these sizes is written at once, or the disk is full.
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        guard isWritten, rename(part, "\(path)/\(name)") == 0 else {
            unlink(part)
            throw POSIXError(isWritten ? .EIO : .ENOSPC)
        }
    }

    /// True if the agent that wrote a part has ended; this one writes none meanwhile.
    private static func isLeft(_ part: String) -> Bool {
        guard let process = part.split(separator: ".").dropLast().last.flatMap({ pid_t($0) }), process > 0 else {
            return false
        }
        return process == getpid() || kill(process, 0) != 0 && errno == ESRCH
    }

    private func list(_ isMeant: (String) -> Bool) throws -> [String] {
        guard let stream = opendir(path) else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        defer { closedir(stream) }
        var names: [String] = []
        for _ in 0..<Self.nameLimit {
            guard let entry = readdir(stream) else { break }
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if isMeant(name) { names.append(name) }
        }
        return names
    }
}
