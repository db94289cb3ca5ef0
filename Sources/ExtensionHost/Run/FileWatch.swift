// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Waits for changes of files, and of all that is below folders.
///
/// Below a folder, names that begin with a dot, and bundles, are passed over: editors keep their own files beside what
/// they edit, and a build may put its bundle there.
final class FileWatch {
    /// A watched folder with the names in it that count.
    private struct Folder {
        /// The path without links.
        let path: String
        var names: Set<String> = []
        /// True when other names count as well.
        var isWhole = false
    }

    private static let events = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE)

    /// A descriptor that is readable once something has changed that may count.
    let descriptor: Int32
    /// The files and folders that never count, by their paths without links.
    private let passedOver: Set<String>
    private var folders: [Int32: Folder] = [:]

    /// Prepares a watch that passes over files and folders, such as those that the one who waits has written.
    init(passingOver paths: [String] = []) throws(CommandError) {
        passedOver = Set(paths.map(Self.withoutLinks))
        descriptor = inotify_init1(Int32(IN_CLOEXEC))
        guard descriptor >= 0 else {
            throw CommandError(
                "files cannot be watched: \(String(cString: strerror(errno)))",
                hint: "a user may run as many watches as /proc/sys/fs/inotify/max_user_instances says"
            )
        }
    }

    deinit {
        close(descriptor)
    }

    /// Watches a file by its folder, since editors put a new file in the old one's place, or a folder with all folders
    /// below; returns false while it is missing, and then its arrival is a change.
    func add(_ path: String) throws(CommandError) -> Bool {
        let url = URL(fileURLWithPath: path)
        var arrivalFault: CommandError?
        // Before the look: one that comes behind it is a change.
        do throws(CommandError) { try watchArrival(of: url) } catch { arrivalFault = error }
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        // A folder is watched itself, also where the one around it may not be read.
        guard exists, isFolder.boolValue else {
            if let arrivalFault { throw arrivalFault }
            return exists
        }
        guard try watch(url) else { return false }
        let below = FileManager.default.enumerator(
            at: url,
            includingPropertiesForKeys: [.isDirectoryKey],
            options: [.skipsHiddenFiles]
        )
        while let file = below?.nextObject() as? URL {
            guard (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true else { continue }
            if file.pathExtension == "appex" || passedOver.contains(Self.withoutLinks(file.path)) {
                below?.skipDescendants()
            } else {
                // One that is gone already is none of the folders to be watched.
                _ = try watch(file)
            }
        }
        return true
    }

    /// Watches for the name in the folder around it, or for the part of its path which is missing.
    private func watchArrival(of url: URL) throws(CommandError) {
        var place = url
        while try !watch(place.deletingLastPathComponent(), name: place.lastPathComponent), place.path != "/" {
            place = place.deletingLastPathComponent()
        }
    }

    /// Watches for a name in a folder, or for all names; returns false if there is no such folder.
    private func watch(_ folder: URL, name: String? = nil) throws(CommandError) -> Bool {
        let number = inotify_add_watch(descriptor, folder.path, Self.events)
        guard number >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return false }
            throw CommandError(
                "\"\(folder.path)\" cannot be watched: \(String(cString: strerror(errno)))",
                hint: "it must be readable, and a user may watch as many folders as "
                    + "/proc/sys/fs/inotify/max_user_watches says"
            )
        }
        var watched = folders[number] ?? Folder(path: Self.withoutLinks(folder.path))
        if let name { watched.names.insert(name) } else { watched.isWhole = true }
        folders[number] = watched
        return true
    }

    /// Returns a tenth of a second after the last of several changes, whatever else happens in the folders.
    func waitForChange() {
        while !readChanges() {}
        waitForRest()
    }

    /// Returns a tenth of a second after the last change that follows.
    func waitForRest() {
        var readable = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        var end = ContinuousClock.now + .milliseconds(100)
        while true {
            let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
            guard rest > 0, poll(&readable, 1, Int32(rest.rounded(.up))) > 0 else { return }
            if readChanges() { end = .now + .milliseconds(100) }
        }
    }

    /// Reads what has changed, or waits until something has; true when one of the changes counts.
    func readChanges() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        let count = read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return false }
        var counts = false
        buffer.withUnsafeBytes { bytes in
            var place = 0
            while place + MemoryLayout<inotify_event>.size <= count {
                let event = bytes.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                let start = place + MemoryLayout<inotify_event>.size
                place = start + Int(event.len)
                let name = String(decoding: bytes[start..<min(place, count)].prefix { $0 != 0 }, as: UTF8.self)
                counts = counts || isWatched(name, in: event.wd)
            }
        }
        return counts
    }

    private func isWatched(_ name: String, in number: Int32) -> Bool {
        guard let folder = folders[number], !passedOver.contains(folder.path + "/" + name) else { return false }
        return folder.names.contains(name) || folder.isWhole && !name.hasPrefix(".") && !name.hasSuffix(".appex")
    }

    /// The path of a file without links; of one that is missing, the folder's path is without them.
    private static func withoutLinks(_ path: String) -> String {
        if let path = resolved(path) { return path }
        let url = URL(fileURLWithPath: path)
        return (resolved(url.deletingLastPathComponent().path) ?? "") + "/" + url.lastPathComponent
    }

    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
