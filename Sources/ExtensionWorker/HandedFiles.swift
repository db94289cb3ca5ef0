// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import PacketSockets
import UserNotifications

/// The files of a request to the notification centre, in the scratch folder, out of which the host takes them.
struct HandedFiles {
    private struct File {
        /// The path below the scratch folder.
        let path: String
        /// The file, which was opened when the request was made, whatever becomes of the name.
        let file: PassedFile
        /// True for a copy of a file that stays where it is.
        let isCopy: Bool
    }

    private let scratch: ScratchFolder
    private let files: [File]

    /// Copies all but temporary files, and files that are named twice; `nil` means that there is no room for a copy.
    init?(_ files: OutgoingFiles, _ scratch: ScratchFolder) {
        self.scratch = scratch
        var named: [File] = []
        for (attachment, file) in zip(files.attachments, files.passed) {
            let own = scratch.temporaryPath(of: attachment)
            let isCopy = own == nil || named.contains { $0.path == own }
            guard let path = isCopy ? scratch.copy(attachment) : own else {
                for copy in named where copy.isCopy { scratch.remove(copy.path) }
                return nil
            }
            named.append(File(path: path, file: file, isCopy: isCopy))
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
        for file in files {
            if file.isCopy { scratch.remove(file.path) } else { scratch.put(file.file, at: file.path) }
        }
    }
}
