// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import PacketSockets
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
        relativePath(of: Self.resolved(attachment.url.path)) ?? copy(attachment)
    }

    /// The path below this folder of a file in `tmp`; `nil` means that the file lies elsewhere.
    func temporaryPath(of attachment: UNNotificationAttachment) -> String? {
        relativePath(of: Self.resolved(attachment.url.path)).flatMap { $0.hasPrefix("tmp/") ? $0 : nil }
    }

    /// Copies a file to `tmp`, and returns the path of the copy; `nil` when that cannot be done.
    func copy(_ attachment: UNNotificationAttachment) -> String? { copy(from: Self.resolved(attachment.url.path)) }

    /// Copies a file below this folder to `tmp`, and returns the path of the copy; `nil` when that cannot be done.
    func copy(_ relative: String) -> String? { copy(from: "\(path)/\(relative)") }

    private func copy(from source: String) -> String? {
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

    /// Gives a file a name of its own in the folder in which it lies, and returns its path; `nil` when there is none.
    ///
    /// `home` and the folders of groups may be file systems of their own, so it stays where it is.
    func setAside(_ relative: String) -> String? {
        let folder = (relative as NSString).deletingLastPathComponent
        let suffix = (relative as NSString).pathExtension
        let name = "attachment-\(UUID().uuidString)" + (suffix.isEmpty ? "" : ".\(suffix)")
        let own = folder.isEmpty ? name : "\(folder)/\(name)"
        return unsafe rename("\(path)/\(relative)", "\(path)/\(own)") == 0 ? own : nil
    }

    /// Moves a file back to where it was, unless something is there by now; false if the file is gone.
    func putBack(_ own: String, to relative: String) -> Bool {
        guard unsafe access("\(path)/\(relative)", F_OK) != 0 else {
            remove(own)
            return true
        }
        return unsafe rename("\(path)/\(own)", "\(path)/\(relative)") == 0
    }

    /// Writes an open file to a path below this folder, unless something is there; nothing is left of one that does not
    /// fit.
    func put(_ file: PassedFile, at relative: String) {
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let target = unsafe open("\(path)/\(relative)", flags, 0o600)
        guard target >= 0 else { return }
        defer { close(target) }
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe read(file.descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            guard unsafe write(target, buffer, count) == count else { return remove(relative) }
        }
    }

    /// Removes a file below this folder; one that is not there does not matter.
    func remove(_ relative: String) { unsafe unlink("\(path)/\(relative)") }

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
