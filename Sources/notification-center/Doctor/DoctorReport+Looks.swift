// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import CenterProtocol
import CenterStore
import DatabaseFile
import Foundation
import Glibc
import HostConfinement

// What lies on the disk, and what the machine gives.
extension DoctorReport {
    /// Bytes that a centre fills in minutes when many notifications come: its log, and some files.
    private static let leastRoom = 64 << 20

    /// Looks at the folder of the database, and at that of the sockets where it is another one.
    mutating func lookAtFolders(_ folder: CenterFolder, of owner: OwnerName) {
        look(at: folder.path, as: "folder", isMade: folder.given == nil)
        if folder.sockets != folder.path { look(at: folder.sockets, as: "sockets' folder", isMade: false) }
        do { try folder.judgePaths(of: [owner]) } catch {
            add("length of paths", hindrance: error.message, hint: error.hint)
        }
    }

    /// `isMade` means that a start also makes the folders above it.
    private mutating func look(at path: String, as name: String, isMade: Bool) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else {
            let above = (path as NSString).deletingLastPathComponent
            guard errno == ENOENT, isMade || access(above, W_OK | X_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                return add(
                    name,
                    hindrance: "\"\(path)\" cannot be made: \(reason)",
                    hint: "make the folder above it first"
                )
            }
            return add(name, true, "\(path), to be made by the first start")
        }
        do {
            try CenterFolder.judge(facts, of: path, isShared: facts.st_mode & 0o077 == 0o011)
        } catch {
            return add(name, hindrance: error.message, hint: error.hint)
        }
        guard facts.st_mode & 0o700 == 0o700 else {
            return add(name, hindrance: "its own user may not use the folder \"\(path)\"", hint: "chmod 700 \(path)")
        }
        let user = getpwuid(facts.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(facts.st_uid)"
        let mode = String(facts.st_mode & 0o777, radix: 8)
        let passage = facts.st_mode & 0o011 == 0 ? "" : ", for owners of other users"
        add(name, true, "\(path), of \(user), mode \(mode)\(passage)")
    }

    mutating func lookAtDatabase(_ folder: CenterFolder, _ storeKey: StoreKeyFile) {
        let key: StoreKey?
        do { key = try storeKey.read(for: folder) } catch {
            return add("store key", hindrance: error.message, hint: error.hint)
        }
        do {
            guard let found = try CenterInspection(folder: folder.path) else {
                add("database", true, "to be made by the first start")
                if key != nil { add("store key", true, "what is stored will be sealed under it") }
                return
            }
            let newest = CenterInspection.newest
            let change = found.version < newest ? ", which a start brings to \(newest)" : ""
            add("database", true, "tables of version \(found.version)\(change)")
            do {
                let seal = try found.seal(under: key)
                add("store key", true, seal.words)
            } catch { add("store key", hindrance: error.message, hint: error.hint) }
        } catch {
            add("database", hindrance: error.message, hint: error.hint)
        }
    }

    mutating func lookAtMachine(_ folder: CenterFolder) {
        lookAtRoom(folder)
        let version = HostConfinement.version
        add(
            "Landlock",
            version > 0,
            version > 0
                ? "version \(version): the process reads and writes its folder, and executes nothing"
                : "not in this kernel: the process may do what its user may"
        )
        let limit = Self.descriptorLimit
        let places = min(CenterService.webLimit, limit / 2)
        let sockets = min(CenterService.socketLimit, limit)
        add(
            "descriptors",
            limit >= 2 * CenterService.webLimit,
            "\(limit) at most: \(sockets) connections at the sockets, \(places) at a port"
                + (limit >= 2 * CenterService.webLimit ? "" : "; more take LimitNOFILE= of the unit, or \"ulimit -Hn\"")
        )
    }

    private mutating func lookAtRoom(_ folder: CenterFolder) {
        var place = folder.path
        var facts = statvfs()
        // The nearest folder that is there.
        while statvfs(place, &facts) != 0, place != "/" { place = (place as NSString).deletingLastPathComponent }
        let free = Int(clamping: UInt64(facts.f_bavail) * UInt64(facts.f_frsize))
        add("room on the disk", free >= Self.leastRoom, "\(free >> 20) MiB are free")
    }

    /// The descriptors that a start takes.
    private static var descriptorLimit: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
        return min(Int(clamping: limit.rlim_max), 65_536)
    }
}

extension CenterInspection.Seal {
    fileprivate var words: String {
        switch self {
        case .open: "none is needed: texts lie open on the disk"
        case .sealed: "it opens what is sealed"
        case .sealedByStart: "texts lie open, and a start seals them under it"
        }
    }
}
