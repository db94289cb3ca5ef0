// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import PacketSockets
import UserNotifications

/// The files of a request to the notification centre, in the scratch folder, out of which the host takes them.
struct HandedFiles {
    private struct File {
        /// The path below the scratch folder, which is not used twice.
        let path: String
        /// The path at which the extension had the file; `nil` for a copy of a file that stays where it is.
        let origin: String?
        /// The file, which was opened when the request was made, whatever becomes of the name.
        let file: PassedFile
    }

    private let scratch: ScratchFolder
    private let files: [File]

    /// Copies all but temporary files, and files that are named twice; `nil` means that there is no room for a copy.
    ///
    /// Temporary files get names of their own, so that the next notification cannot write over them before the host has
    /// taken them.
    init?(_ files: OutgoingFiles, _ scratch: ScratchFolder) {
        self.scratch = scratch
        var named: [File] = []
        for (attachment, file) in zip(files.attachments, files.passed) {
            let own = scratch.temporaryPath(of: attachment)
            if let own, let path = scratch.setAside(own) {
                named.append(File(path: path, origin: own, file: file))
            } else if let path = Self.copy(attachment, own, named, scratch) {
                named.append(File(path: path, origin: nil, file: file))
            } else {
                for file in named { Self.putBack(file, in: scratch) }
                return nil
            }
        }
        self.files = named
    }

    /// Has the request name the files, which it lists in the same order.
    func name(in request: inout NotificationRequest) {
        for (place, file) in zip(request.attachments.indices, files) {
            request.attachments[place].source = .scratch(file.path)
        }
    }

    /// Has the files lie again where the extension had them, whether or not the host has taken them.
    func putBack() {
        for file in files { Self.putBack(file, in: scratch) }
    }

    /// Copies a file that stays where it is, or one that was named before and has left its place.
    private static func copy(
        _ attachment: UNNotificationAttachment,
        _ own: String?,
        _ named: [File],
        _ scratch: ScratchFolder
    ) -> String? {
        let earlier = own.flatMap { own in named.first { $0.origin == own } }
        return earlier.map { scratch.copy($0.path) } ?? scratch.copy(attachment)
    }

    private static func putBack(_ file: File, in scratch: ScratchFolder) {
        guard let origin = file.origin else { return scratch.remove(file.path) }
        if !scratch.putBack(file.path, to: origin) { scratch.put(file.file, at: origin) }
    }
}
