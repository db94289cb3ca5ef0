// SPDX-License-Identifier: Apache-2.0

internal import DatabaseFile
internal import GRDB

extension RegistryFile {
    /// Returns the topics whose alerts a reader had off when it was last heard of.
    func gates(of reader: String) throws(StoreError) -> Set<String> {
        try read { database in
            try Set(String.fetchAll(database, sql: "SELECT topic FROM gates WHERE reader = ?", arguments: [reader]))
        }
    }

    /// Keeps these topics in place of the reader's former ones.
    func keepGates(_ topics: Set<String>, of reader: String) throws(StoreError) {
        try write { database in
            try database.execute(sql: "DELETE FROM gates WHERE reader = ?", arguments: [reader])
            for topic in topics {
                try database.execute(
                    sql: "INSERT INTO gates (reader, topic) VALUES (?, ?)",
                    arguments: [reader, topic]
                )
            }
        }
    }
}
