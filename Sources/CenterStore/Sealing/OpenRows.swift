// SPDX-License-Identifier: Apache-2.0

import DatabaseFile

/// Texts and files that a store with a key still holds open, because they came before the key.
///
/// The store seals them at its start, in steps, before anybody reads or writes. A process that dies meanwhile leaves
/// the rest to the next one.
struct OpenRows {
    /// Rows of one transaction, and bytes of the files that lie twice until its end.
    private static let rowsPerStep = 500
    private static let bytesPerStep: Int64 = 64 << 20

    private struct OpenContent {
        let body: Int64
        let installation: Int64
    }

    private let books: CenterBooks
    private let shelf: FileShelf
    private var tables: BookTables { books.tables }
    /// The sealed copies of files, by the numbers of the open ones: several contents may have one file.
    private var copies: [Int64: FileShelf.File] = [:]
    /// The copies of the step that is under way.
    private var made: [FileShelf.File] = []

    init(_ books: CenterBooks, _ shelf: FileShelf) {
        self.books = books
        self.shelf = shelf
    }

    /// Seals all of them, and returns how many texts that were; of a store without a key, none.
    mutating func seal() throws -> Int {
        guard let seal = tables.stored.seal else { return 0 }
        let isDone =
            try tables.statement("SELECT 1 FROM facts WHERE name = ?1").bind(Fact.allSealed)
            .first { _ in true } ?? false
        guard !isDone else { return 0 }
        // Copies that an earlier try left would keep their room.
        _ = try shelf.sweep { file in try FileBook.isKept(file) { try tables.statement($0) } }
        let contents = try openContents()
        var next = 0
        while next < contents.count {
            made = []
            do {
                try books.transaction {
                    let end = min(next + Self.rowsPerStep, contents.count)
                    while next < end, made.reduce(0, { $0 + $1.byteCount }) < Self.bytesPerStep {
                        try self.seal(contents[next], seal)
                        next += 1
                    }
                }
            } catch {
                shelf.discard(made)
                throw error
            }
            try tables.boundLog(books.limits.log)
        }
        let others = try books.transaction {
            let others = try sealTexts(seal) + sealSilent(seal)
            try removeUnused()
            for table in ["head", "history"] {
                try tables.statement(
                    "UPDATE \(table) SET category = NULL, argument = NULL WHERE category NOT NULL OR argument NOT NULL"
                ).run()
            }
            try tables.statement("INSERT OR REPLACE INTO facts VALUES (?1, x'')").bind(Fact.allSealed).run()
            return others
        }
        // What was overwritten may still lie in the log.
        tables.eraseSoon()
        try tables.settleLog()
        return contents.count + others
    }

    // MARK: - Contents

    private func openContents() throws -> [OpenContent] {
        let rows = ["head", "history", "waiting", "pending", "response"]
            .map { "SELECT body, installation FROM \($0)" }.joined(separator: " UNION ")
        var contents: [OpenContent] = []
        try tables.statement(
            "SELECT DISTINCT body, installation FROM (\(rows)) JOIN content ON id = body WHERE plain IS NOT NULL"
        ).each { contents.append(OpenContent(body: $0.integer(0), installation: $0.integer(1))) }
        return contents
    }

    private mutating func seal(_ content: OpenContent, _ seal: StoreSeal) throws {
        let plain =
            try tables.statement("SELECT plain FROM content WHERE id = ?1").bind(content.body)
            .first { $0.isNull(0) ? nil : $0.blob(0) } ?? nil
        guard var bytes = plain else { return }
        // One that is damaged is sealed as it is, and names no file any more.
        guard let read = NotificationContent(stored: bytes) else {
            try tables.files.release(content.body) { try tables.statement($0) }
            return try store(bytes, content, seal)
        }
        if !read.files.isEmpty {
            let sealed = try withSealedFiles(read)
            try tables.files.release(content.body) { try tables.statement($0) }
            try tables.files.add(sealed.files.map(\.id), of: content.body) { try tables.statement($0) }
            bytes = sealed.stored
        }
        try store(bytes, content, seal)
    }

    private func store(_ bytes: [UInt8], _ content: OpenContent, _ seal: StoreSeal) throws {
        let sealed = try seal.seal(bytes, as: .content, of: content.installation) { try tables.statement($0) }
        try tables.statement("UPDATE content SET key = ?2, plain = NULL, sealed = ?3 WHERE id = ?1")
            .bind(content.body, content.installation, sealed).run()
    }

    private mutating func withSealedFiles(_ content: NotificationContent) throws -> NotificationContent {
        var content = content
        for index in content.attachments.indices {
            guard case .kept(let file, let type, let thumbnail) = content.attachments[index].state, file.key == nil
            else { continue }
            do throws(FileShelf.Refusal) {
                if copies[file.id] == nil, let copy = try shelf.seal(file) {
                    copies[file.id] = copy
                    made.append(copy)
                }
            } catch {
                // What the disk does not give back any more would stop every start.
                guard case .unreadable = error else { throw error }
                content.attachments[index].state = .refused(reason: "unreadable")
                continue
            }
            // Without a copy the file is gone, and stays so.
            guard let copy = copies[file.id] else { continue }
            content.attachments[index].state = .kept(copy, type: type, thumbnail: thumbnail)
        }
        return content
    }

    /// Removes contents that no row names, which nobody can ask for.
    private func removeUnused() throws {
        var unused: [Int64] = []
        try tables.statement("SELECT id FROM content WHERE plain IS NOT NULL").each { unused.append($0.integer(0)) }
        for body in unused { try tables.deleteContent(body) }
    }

    // MARK: - Other texts

    private func sealTexts(_ seal: StoreSeal) throws -> Int {
        var texts: [(id: Int64, installation: Int64, text: String)] = []
        try tables.statement("SELECT id, installation, text FROM response WHERE text IS NOT NULL").each { row in
            texts.append((row.integer(0), row.integer(1), row.text(2)))
        }
        for (id, installation, text) in texts {
            let sealed = try seal.seal(Array(text.utf8), as: .text, of: installation) { try tables.statement($0) }
            try tables.statement("UPDATE response SET text = NULL, sealed_text = ?2 WHERE id = ?1").bind(id, sealed)
                .run()
        }
        return texts.count
    }

    private func sealSilent(_ seal: StoreSeal) throws -> Int {
        var pushes: [(installation: Int64, payload: [UInt8])] = []
        try tables.statement("SELECT installation, payload FROM silent WHERE sealed_payload IS NULL").each { row in
            pushes.append((row.integer(0), row.blob(1)))
        }
        for (installation, payload) in pushes {
            let sealed = try seal.seal(payload, as: .silent, of: installation) { try tables.statement($0) }
            try tables.statement("UPDATE silent SET payload = x'', sealed_payload = ?2 WHERE installation = ?1")
                .bind(installation, sealed).run()
        }
        return pushes.count
    }
}
