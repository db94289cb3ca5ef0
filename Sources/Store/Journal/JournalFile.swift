// SPDX-License-Identifier: Apache-2.0

import DatabaseFile
import GRDB

/// `journal.sqlite` in the state folder, and the ways to open it.
package struct JournalFile: Sendable {
    package static let name = "journal.sqlite"

    /// Absolute.
    package var path: String { file.path }

    private let file: WriteAheadFile

    init(folder: String, patience: Duration = JournalLimits().patience) {
        file = WriteAheadFile(
            JournalSchema.database(at: "\(folder)/\(Self.name)"),
            // Three bodies of 2 KB, where 4 KB have room for one: fewer bytes to write.
            pageByteCount: 8192,
            erasesDeleted: false,
            label: "journal",
            patience: patience
        )
    }

    /// A connection that writes.
    func open(isDurable: Bool, creating: Bool = true) throws(StoreError) -> DatabaseQueue {
        try file.open(isDurable: isDurable, creating: creating) { try JournalSchema.prepare($0, path: path) }
    }

    /// A connection that reads beside the one that writes.
    func openForReading() throws(StoreError) -> DatabaseQueue {
        try file.openForReading()
    }

    /// Keeps a second host from the same journal; the command for dead letters needs none.
    static func lock(folder: String) throws(StoreError) -> FolderLock {
        try FolderLock(
            folder: folder,
            name: "journal.lock",
            inUse: StoreError(
                .unusable,
                "\"\(folder)\" is in use by another extension-host",
                hint: "give each host a state folder of its own"
            )
        )
    }
}
