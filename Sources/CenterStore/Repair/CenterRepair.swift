// SPDX-License-Identifier: Apache-2.0

package import DatabaseFile
private import GRDB
private import Glibc

/// Makes a whole database of what can be read of a damaged one, and keeps the damaged one beside it.
///
/// Rows are copied one after the other from both ends of each table, those whose other halves are gone are left out,
/// and sums and hashes are made anew. Whoever watches loads its list again. A record of a host that was stored and
/// whose number is lost may come again.
package struct CenterRepair {
    /// The result of a repair.
    package struct Report: Sendable, Equatable {
        package var notifications = 0
        package var history = 0
        package var requests = 0
        package var responses = 0
        /// The tables that were not read to their ends.
        package var partly: [String] = []
        /// Rows that were read and are of no use, because they or what they name is damaged.
        package var dropped = 0
        /// The topics of apps whose keys are damaged or lost, so that what was sealed under them is none of the new
        /// database.
        package var lostKeys: [String] = []
        /// The path at which the damaged database is now.
        package var former = ""
    }

    private let path: String
    private let folder: String
    private let key: StoreKey?
    /// The name under which the new database is made.
    private var draft: String { path + ".repair" }

    private init(folder: String, key: StoreKey?) {
        self.folder = folder
        self.key = key
        path = "\(folder)/\(CenterStore.name)"
    }

    /// Repairs the database in a folder whose centre does not run; `stamp` ends the name of the damaged one.
    ///
    /// Errors: a centre has the folder, there is no database, it is a later version's or another program's, nothing of
    /// it can be read, or it is sealed and the key is another one or `nil`. The folder is as it was then.
    package static func run(folder: String, stamp: String, key: StoreKey? = nil) throws(StoreError) -> Report {
        let lock = try CenterStore.lock(folder: folder)
        defer { lock.release() }
        let repair = CenterRepair(folder: folder, key: key)
        let own = CenterSchema.database(at: repair.path)
        guard access(repair.path, F_OK) == 0 else {
            throw StoreError(.unusable, "there is no \"\(repair.path)\"", hint: "name the folder of a centre")
        }
        try own.judge()
        try repair.takeUpInterrupted()
        try own.refuseForeign()
        repair.clear()
        do {
            var report = try repair.copy()
            report.former = try repair.swap(stamp)
            return report
        } catch {
            repair.clear()
            throw StoreError(error, path: repair.path)
        }
    }

    private func clear() {
        for suffix in ["", "-wal", "-shm"] { unlink(draft + suffix) }
    }

    // MARK: - Copying

    private func copy() throws -> Report {
        let file = WriteAheadFile(
            CenterSchema.database(at: draft),
            pageByteCount: 4096,
            erasesDeleted: true,
            label: "repair",
            patience: CenterLimits().patience
        )
        let target = try file.open(isDurable: false) { try CenterSchema.prepare($0, path: draft) }
        defer { try? target.close() }
        let source = try RepairSource(path)
        let report = try target.writeWithoutTransaction { database in
            var report = Report()
            try database.inTransaction(.immediate) {
                try source.copyAll(to: database, &report)
                let (seal, lost) = try SealState(database, path: path).sealToRepair(under: key)
                report.lostKeys = lost.sorted()
                let mender = RepairMender(database, seal)
                try mender.mend(&report)
                try mender.count(&report)
                return .commit
            }
            guard try String.fetchOne(database, sql: "PRAGMA integrity_check") == "ok" else {
                throw StoreError(.corrupt, "what was made of \"\(path)\" is not whole")
            }
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.checkpoint(.truncate)
            return report
        }
        return report
    }

    // MARK: - The place of the old one

    /// Puts the new database in the place of the damaged one, which has its other name before it loses this one.
    ///
    /// The log moves first, so that the new database is never beside it. While the damaged database has two names, no
    /// centre opens it, and the next repair begins where it was.
    private func swap(_ stamp: String) throws(StoreError) -> String {
        let former = "\(path).damaged-\(stamp)"
        try must(sync(draft))
        try must(link(path, former))
        do throws(StoreError) {
            for suffix in ["-shm", "-wal"] where access(path + suffix, F_OK) == 0 {
                try must(rename(path + suffix, former + suffix))
            }
            try must(sync(folder))
            try must(rename(draft, path))
        } catch {
            undo(former)
            throw error
        }
        clear()
        try must(sync(folder))
        return former
    }

    /// Gives the log back to a database whose repair did not end, and takes its second name.
    private func undo(_ former: String) {
        for suffix in ["-wal", "-shm"] where access(former + suffix, F_OK) == 0 {
            rename(former + suffix, path + suffix)
        }
        unlink(former)
        _ = sync(folder)
    }

    /// Undoes a repair that was interrupted between the two names.
    private func takeUpInterrupted() throws(StoreError) {
        guard Self.isInterrupted(path) else { return }
        var own = stat()
        guard lstat(path, &own) == 0, let listing = opendir(folder) else { return }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            var other = stat()
            let place = "\(folder)/\(name)"
            guard name.hasPrefix(CenterStore.name + ".damaged-"), lstat(place, &other) == 0, other.st_ino == own.st_ino
            else { continue }
            undo(place)
        }
    }

    /// True if the database has a second name, which it has between the steps of a repair alone.
    static func isInterrupted(_ path: String) -> Bool {
        var facts = stat()
        return lstat(path, &facts) == 0 && facts.st_nlink > 1
    }

    /// Refuses a database whose repair has to be taken up first.
    static func refuseInterrupted(_ path: String) throws(StoreError) {
        guard !isInterrupted(path) else {
            throw StoreError(
                .unusable,
                "the repair of \"\(path)\" was interrupted",
                hint: "run \"notification-center repair\" again"
            )
        }
    }

    private func must(_ result: CInt) throws(StoreError) {
        guard result == 0 else {
            throw StoreError(.unusable, "\"\(path)\" is not put in its place: \(String(cString: strerror(errno)))")
        }
    }

    private func sync(_ path: String) -> CInt {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return -1 }
        defer { close(descriptor) }
        return fsync(descriptor)
    }
}
