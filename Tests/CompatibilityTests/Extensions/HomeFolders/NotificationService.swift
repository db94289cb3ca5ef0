// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private let documents = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    private let library = NSSearchPathForDirectoriesInDomains(.libraryDirectory, .userDomainMask, true)[0]
    private lazy var caches = FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first!

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        do {
            try Data("1".utf8).write(to: documents.appendingPathComponent("inbox.json"))
            try Data("22".utf8).write(to: caches.appendingPathComponent("avatar.png"), options: .atomic)
            let support = try FileManager.default.url(for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
            try "333".write(to: support.appendingPathComponent("state.txt"), atomically: true, encoding: .utf8)
            FileManager.default.createFile(atPath: library + "/log.txt", contents: Data("4444".utf8))
            try "5".write(toFile: NSHomeDirectory() + "/Documents/plain.txt", atomically: true, encoding: .utf8)
            content.subtitle = try FileManager.default.contentsOfDirectory(atPath: library).sorted().joined(separator: ", ")
        } catch {
            content.subtitle = "error \(error)"
        }
        content.title = "\(URL.documentsDirectory == documents) \(URL.cachesDirectory == caches)"
        let home = NSHomeDirectory()
        let folders = [documents.path, library, caches.path].map { $0.replacingOccurrences(of: home, with: "~") }
        content.body = folders.joined(separator: " ")
        contentHandler(content)
    }
}
