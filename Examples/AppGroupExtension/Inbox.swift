// SPDX-License-Identifier: Apache-2.0

import Foundation

struct Message: Codable {
    let title: String
    let body: String
    var date = Date()
}

/// The messages that arrived while the app was closed; the app reads their files when it starts, and sets the number of
/// unread ones to 0.
struct Inbox {
    private let folder: URL
    private let defaults: UserDefaults

    /// Opens the inbox in the group's container; `nil` when the target's entitlements do not have the group.
    init?(group: String) {
        guard let container = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: group),
            let defaults = UserDefaults(suiteName: group)
        else { return nil }
        folder = container.appendingPathComponent("Inbox", isDirectory: true)
        self.defaults = defaults
    }

    /// Stores a message; returns how many are unread.
    func add(_ message: Message) throws -> Int {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent(UUID().uuidString).appendingPathExtension("json")
        try JSONEncoder().encode(message).write(to: file, options: .atomic)
        let unread = defaults.integer(forKey: "unread") + 1
        defaults.set(unread, forKey: "unread")
        return unread
    }
}
