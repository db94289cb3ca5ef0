// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
package import PacketSockets

/// The files of a request on their way to the centre, opened when the request is made.
package struct OutgoingFiles: Sendable {
    package let passed: [PassedFile]
    /// The attachments whose files travel, in their order.
    package let attachments: [UNNotificationAttachment]
    private let places: [URL]

    /// A call that brings no files.
    package static let none = OutgoingFiles()

    package var isEmpty: Bool { passed.isEmpty }

    private init() {
        (passed, attachments, places) = ([], [], [])
    }

    /// Takes a file into which the centre is to write.
    init(_ file: PassedFile) {
        (passed, attachments, places) = ([file], [], [])
    }

    /// Opens the files of attachments; `nil` means that one of them is not there or cannot be read, or that there are
    /// more than a notification may have.
    ///
    /// A file that the centre has kept and keeps no more is left out: a content is added again without it.
    init?(_ attachments: [UNNotificationAttachment]) {
        guard attachments.count <= RequestAttachment.limit else { return nil }
        var taken: [(file: PassedFile, attachment: UNNotificationAttachment)] = []
        for attachment in attachments {
            if let file = PassedFile(path: attachment.url.path) {
                taken.append((file, attachment))
            } else if !attachment.isKept {
                return nil
            }
        }
        (passed, self.attachments) = (taken.map(\.file), taken.map(\.attachment))
        // Those that the centre keeps have their places in a folder of their own.
        places = attachments.filter { !$0.isKept }.map(\.url)
    }

    /// Removes the originals that lie in the process's temporary folder: the centre has its copies.
    ///
    /// Apple moves every file that is not in the bundle. A file of a person's would so be lost here, where apps are not
    /// kept to a container of their own.
    func removeTemporaries() {
        let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        // A program that was built or unpacked there has files of its own there.
        let program = Bundle.main.bundleURL.resolvingSymlinksInPath().path
        for place in places {
            let path = place.deletingLastPathComponent().resolvingSymlinksInPath().path
            guard path == folder || path.hasPrefix(folder + "/"), path != program, !path.hasPrefix(program + "/")
            else { continue }
            try? FileManager.default.removeItem(at: place)
        }
    }
}

extension RequestAttachment {
    /// The attachment at a place of the request's list, whose file travels at the same place.
    init(_ attachment: UNNotificationAttachment, at place: Int) {
        self.init(
            identifier: attachment.identifier,
            type: attachment.type,
            source: .descriptor(place),
            thumbnail: attachment.thumbnail
        )
    }
}
