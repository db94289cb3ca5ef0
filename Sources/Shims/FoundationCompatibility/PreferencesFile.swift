// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostLog
import Locking
import WorkerFolders

/// A property list on disk that several processes of an app change, each key by itself.
///
/// A change reads the file, changes the key and puts a new file in its place, under a lock that all processes take;
/// who reads needs no lock and sees the file of before or after.
final class PreferencesFile: Sendable {
    /// The largest size of the file in bytes; Apple warns of 1 MB on phones.
    static let maximumByteCount = 4 << 20

    /// The state of the file on disk, by which a change is noticed: what another process wrote has another inode.
    private struct Version: Equatable {
        var inode: UInt64 = 0
        var seconds = 0
        var nanoseconds = 0
        var byteCount: Int64 = 0
    }

    // SAFETY: values are property lists, copied on their way in, and handed out as Foundation's immutable types.
    private struct State: @unchecked Sendable {
        var version: Version?
        var values: [String: Any] = [:]
        var registered: [String: Any] = [:]
    }

    private let path: String
    private let state = Locked(State())

    init(path: String) {
        self.path = path
    }

    /// The file of a suite; nil outside a worker.
    convenience init?(suiteName: String) {
        guard let path = Self.path(of: suiteName) else { return nil }
        self.init(path: path)
    }

    private static func path(of suiteName: String) -> String? {
        guard let scratch = WorkerFolders.scratch else { return nil }
        let folder: String
        if let group = AppGroup(suiteName) {
            folder = "\(group.path)/Library/Preferences"
        } else {
            if suiteName.hasPrefix("group.") { AppGroup.warnOfUnlisted(suiteName) }
            folder = "\(scratch)/home/Library/Preferences"
        }
        // A name is a file name here: nothing may lead out of the folder.
        let name = suiteName.replacingOccurrences(of: "/", with: "_")
        guard !name.isEmpty, name.utf8.count <= 200, !name.contains("\0") else { return nil }
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        return "\(folder)/\(name).plist"
    }

    func value(forKey key: String) -> Any? {
        state.withLock { state in
            refresh(&state)
            return Result(state.values[key] ?? state.registered[key])
        }.value
    }

    var all: [String: Any] {
        state.withLock { state in
            refresh(&state)
            return Result(state.registered.merging(state.values) { $1 })
        }.value
    }

    func register(_ values: [String: Any]) {
        let values = Result(values)
        state.withLock { $0.registered.merge(values.value) { $1 } }
    }

    /// Stores a value for the key; `nil` removes the key.
    func set(_ value: Any?, forKey key: String) {
        let value = Result(value)
        let isWritten = state.withLock { state in
            let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard lock >= 0 else { return false }
            defer { close(lock) }
            guard flock(lock, LOCK_EX) == 0 else { return false }
            refresh(&state)
            state.values[key] = value.value
            return write(&state)
        }
        if !isWritten { HostLog.warnOnce("preferences cannot be written: the change is lost with the process") }
    }

    // SAFETY: property lists, as in `State`.
    private struct Result<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    // MARK: The file

    private func refresh(_ state: inout State) {
        guard let version = Self.version(of: path), version != state.version else { return }
        guard version.byteCount <= Self.maximumByteCount, let data = FileManager.default.contents(atPath: path),
            let values = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        else { return }
        state.values = values
        state.version = version
    }

    private func write(_ state: inout State) -> Bool {
        guard
            let data = try? PropertyListSerialization.data(fromPropertyList: state.values, format: .binary, options: 0),
            data.count <= Self.maximumByteCount
        else { return false }
        let new = path + ".new"
        guard FileManager.default.createFile(atPath: new, contents: data, attributes: [.posixPermissions: 0o600]),
            rename(new, path) == 0
        else { return false }
        state.version = Self.version(of: path)
        return true
    }

    private static func version(of path: String) -> Version? {
        var facts = stat()
        guard stat(path, &facts) == 0 else { return nil }
        return Version(
            inode: UInt64(facts.st_ino),
            seconds: facts.st_mtim.tv_sec,
            nanoseconds: facts.st_mtim.tv_nsec,
            byteCount: Int64(facts.st_size)
        )
    }
}
