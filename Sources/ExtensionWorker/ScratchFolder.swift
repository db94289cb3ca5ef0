// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications
import WorkerProtocol

/// The one folder a worker may write to; the host takes attachments from there and from nowhere else.
package struct ScratchFolder: Sendable {
    /// Absolute, links resolved.
    private let path: String

    init(path: String) {
        self.path = Self.resolved(path)
    }

    /// The path below this folder where the host finds the file.
    ///
    /// A file that lies elsewhere, in the bundle for instance, is copied to `tmp/` first; nil when that cannot be done.
    func relativePath(of attachment: UNNotificationAttachment) -> String? {
        let source = Self.resolved(attachment.url.path)
        if let relative = relativePath(of: source) { return relative }
        let folder = "\(path)/tmp"
        let copy = "\(folder)/attachment-\(UUID().uuidString)"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: source, toPath: copy)
        } catch {
            return nil
        }
        return relativePath(of: copy)
    }

    /// A file that the host has put here; nil when it is not there any more.
    func attachment(_ given: ScratchAttachment) -> UNNotificationAttachment? {
        try? UNNotificationAttachment(
            identifier: given.identifier,
            url: URL(fileURLWithPath: "\(path)/\(given.path)"),
            options: [UNNotificationAttachmentOptionsTypeHintKey: given.type]
        )
    }

    private func relativePath(of file: String) -> String? {
        file.hasPrefix(path + "/") ? String(file.dropFirst(path.count + 1)) : nil
    }

    private static func resolved(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
}
