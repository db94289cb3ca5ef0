// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// The rows of `file`: which contents have which files of the shelf, several contents one file among them.
///
/// A file goes when the transaction in which its last content went is on the disk. A process that dies between the two
/// leaves a file that no row names; the next one removes it.
final class FileBook: Book {
    private let shelf: FileShelf
    /// Files that lost a content in the open transaction.
    private var released: Set<Int64> = []
    /// Files that no content has any more, once the open transaction is on the disk.
    private var doomed: [Int64] = []

    init(_ shelf: FileShelf) {
        self.shelf = shelf
    }

    /// Notes the files of a new content.
    func add(_ files: [Int64], of content: Int64, _ statement: (String) throws -> HotStatement) throws {
        for file in files { try statement("INSERT OR IGNORE INTO file VALUES (?1, ?2)").bind(content, file).run() }
    }

    /// Notes that a content has the files of another one as well.
    func share(_ content: Int64, with copy: Int64, _ statement: (String) throws -> HotStatement) throws {
        try statement("INSERT INTO file SELECT ?2, name FROM file WHERE content = ?1").bind(content, copy).run()
    }

    /// Takes the files from a content that goes.
    func release(_ content: Int64, _ statement: (String) throws -> HotStatement) throws {
        var files: [Int64] = []
        try statement("SELECT name FROM file WHERE content = ?1").bind(content).each { files.append($0.integer(0)) }
        guard !files.isEmpty else { return }
        try statement("DELETE FROM file WHERE content = ?1").bind(content).run()
        released.formUnion(files)
    }

    /// Finds out which files nobody has any more: the last step of a transaction.
    func settle(_ statement: (String) throws -> HotStatement) throws {
        for file in released.sorted() where try !Self.isKept(file, statement) { doomed.append(file) }
    }

    static func isKept(_ file: Int64, _ statement: (String) throws -> HotStatement) throws -> Bool {
        try statement("SELECT 1 FROM file INDEXED BY kept WHERE name = ?1").bind(file).first { _ in true } ?? false
    }

    func committed() {
        for file in doomed { shelf.remove(file) }
        rolledBack()
    }

    func rolledBack() {
        released = []
        doomed = []
    }
}
