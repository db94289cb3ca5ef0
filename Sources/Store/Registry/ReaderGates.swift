// SPDX-License-Identifier: Apache-2.0

internal import GRDB

/// The apps whose alerts a reader of the records has off, in the registry's tables.
struct ReaderGates {
    let reader: String

    /// Returns the topics of when the reader was last heard of.
    func topics(_ database: Database) throws -> Set<String> {
        try Set(String.fetchAll(database, sql: "SELECT topic FROM gates WHERE reader = ?", arguments: [reader]))
    }

    /// Keeps these topics in place of the former ones.
    func replace(by topics: Set<String>, _ database: Database) throws {
        try database.execute(sql: "DELETE FROM gates WHERE reader = ?", arguments: [reader])
        for topic in topics {
            try database.execute(sql: "INSERT INTO gates (reader, topic) VALUES (?, ?)", arguments: [reader, topic])
        }
    }
}
