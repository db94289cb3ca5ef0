// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import Locking

/// A folder that one process makes for itself, which nobody else reads, and which goes with the process.
///
/// The process holds a lock on its folder. It removes the folder when it exits; what a process leaves that was killed
/// is removed by the next one that makes such a folder, because the kernel has released the lock.
final class ProcessFolder: Sendable {
    private static let prefix = "nestbox-files-"
    /// Times that a folder is made anew which another process has taken for a left one.
    private static let attemptLimit = 3

    let path: String
    /// Open for the lock alone.
    private let descriptor: CInt

    /// Makes a folder below another one; `nil` means that it cannot be made.
    init?(in parent: String) {
        Self.sweep(parent)
        for _ in 0..<Self.attemptLimit {
            guard let (path, descriptor) = Self.make(in: parent) else { continue }
            self.path = path
            self.descriptor = descriptor
            Self.removeAtExit(path)
            return
        }
        return nil
    }

    deinit {
        Self.remove(path, descriptor)
        close(descriptor)
    }

    /// False once something else has removed the folder.
    var isThere: Bool { Self.isLinked(descriptor) }

    private static func make(in parent: String) -> (path: String, descriptor: CInt)? {
        var template = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return nil }
        let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            rmdir(path)
            return nil
        }
        // Between the two calls another process may have taken it for one that was left.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isLinked(descriptor) else {
            close(descriptor)
            rmdir(path)
            return nil
        }
        return (path, descriptor)
    }

    private static func isLinked(_ descriptor: CInt) -> Bool {
        var facts = stat()
        return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0
    }

    /// Removes the folders of processes of this user that are gone.
    private static func sweep(_ parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            var facts = stat()
            guard fstat(descriptor, &facts) == 0, facts.st_uid == geteuid() else { continue }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(path, descriptor) }
        }
    }

    /// Removes the files of an open folder, and the folder; one that has something else in it stays.
    private static func remove(_ path: String, _ descriptor: CInt) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] {
            unlinkat(descriptor, name, 0)
        }
        rmdir(path)
    }

    // MARK: The end of the process

    private struct Exit {
        /// A child that was forked and ends has the same list, and removes nothing.
        var process: pid_t = 0
        var paths: [String] = []
    }

    private static let exit = Locked(Exit())

    private static func removeAtExit(_ path: String) {
        let isFirst = exit.withLock { exit in
            defer {
                exit.process = getpid()
                exit.paths.append(path)
            }
            return exit.paths.isEmpty
        }
        if isFirst { atexit { ProcessFolder.removeAll() } }
    }

    private static func removeAll() {
        let exit = exit.withLock(\.self)
        guard exit.process == getpid() else { return }
        for path in exit.paths {
            let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            remove(path, descriptor)
            close(descriptor)
        }
    }
}
