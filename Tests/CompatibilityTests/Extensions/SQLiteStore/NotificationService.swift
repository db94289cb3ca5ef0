// SPDX-License-Identifier: Apache-2.0

import SQLite3
import UserNotifications

private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A store of messages as apps write it by hand, over the C interface.
final class MessageStore {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var database: OpaquePointer?

    init(url: URL) throws {
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX
        guard sqlite3_open_v2(url.path, &database, flags, nil) == SQLITE_OK else { throw failure("open") }
        try execute("PRAGMA journal_mode=WAL")
        try execute("CREATE TABLE IF NOT EXISTS message (id TEXT PRIMARY KEY, body TEXT NOT NULL, date REAL)")
    }

    deinit { sqlite3_close_v2(database) }

    func store(_ id: String, _ body: String) throws {
        try execute("BEGIN IMMEDIATE")
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO message VALUES (?, ?, ?)", -1, &statement, nil) == SQLITE_OK
        else { throw failure("prepare") }
        sqlite3_bind_text(statement, 1, id, -1, transient)
        sqlite3_bind_text(statement, 2, (body as NSString).utf8String, -1, nil)
        sqlite3_bind_double(statement, 3, Date().timeIntervalSince1970)
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure("step") }
        try execute("COMMIT")
    }

    func value(_ sql: String, _ parameter: String? = nil) throws -> String {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
        defer { sqlite3_finalize(statement) }
        if let parameter { sqlite3_bind_text(statement, 1, parameter, -1, transient) }
        guard sqlite3_step(statement) == SQLITE_ROW, let text = sqlite3_column_text(statement, 0) else { return "none" }
        return String(cString: text)
    }

    private func execute(_ sql: String) throws {
        guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    private func failure(_ what: String) -> Failure {
        Failure(description: "\(what): \(String(cString: sqlite3_errmsg(database)))")
    }
}

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        do {
            let store = try MessageStore(url: folder.appendingPathComponent("messages.sqlite"))
            try store.store(request.identifier, content.body)
            let all = try store.value("SELECT count(*) FROM message")
            let same = try store.value("SELECT count(*) FROM message WHERE body = ?", content.body)
            content.title = "\(all) stored, \(same) of them \(content.body)"
            content.subtitle = try store.value("PRAGMA journal_mode") + ", " + store.value("PRAGMA integrity_check")
        } catch {
            content.subtitle = "error \(error)"
        }
        contentHandler(content)
    }
}
