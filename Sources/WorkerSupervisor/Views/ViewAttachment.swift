// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
package import NotificationPayload

/// A file of a notification that a view is to get: of the notification centre's, or of an author's.
package struct ViewAttachment: Sendable, Equatable {
    /// The bytes of all files of one notification together.
    static let byteCountInAll = 128 << 20

    /// The name that the app or the sender gave to the file.
    package let identifier: String
    package let type: AttachmentType
    /// The bytes that the file is said to have; it is copied to there at most.
    package let byteCount: Int
    /// Open for reading, from its start.
    package let file: HeldFile
    /// The file's share of what may be open, once the views have taken it in.
    var place: GiftPlaces.Place?

    package init(identifier: String, type: AttachmentType, byteCount: Int, file: HeldFile) {
        self.identifier = identifier
        self.type = type
        self.byteCount = byteCount
        self.file = file
    }

    package static func == (a: ViewAttachment, b: ViewAttachment) -> Bool {
        a.identifier == b.identifier && a.type == b.type && a.file === b.file
    }
}

extension [ViewAttachment] {
    /// The files with a place for each, the first ones where there are not enough for all.
    func admitted(to places: GiftPlaces, of view: UInt64) -> [ViewAttachment] {
        compactMap { file in
            guard let place = places.take(for: view) else { return nil }
            var file = file
            file.place = place
            return file
        }
    }
}
