// SPDX-License-Identifier: Apache-2.0

/// The pictures of the popups on the screen, each in memory that has a path for the daemon.
struct PictureShelf {
    private struct Picture {
        let file: MemoryFile
        let ticket: Int
        /// The popup; `nil` means that the daemon has not confirmed it yet.
        var popup: UInt32?
    }

    /// Pictures that are kept: of more the oldest go, which the daemon has read long since.
    private static let limit = 8

    private var pictures: [Picture] = []

    /// Keeps a picture for the popup of a ticket; returns its address, or `nil` if the system has no memory for it.
    mutating func put(_ bytes: [UInt8], for ticket: Int) -> String? {
        guard let file = MemoryFile("picture", bytes) else { return nil }
        pictures.append(Picture(file: file, ticket: ticket))
        if pictures.count > Self.limit { pictures.removeFirst() }
        return "file://" + file.path
    }

    /// Takes the popup that the daemon has made of a ticket; a former picture of the popup goes.
    mutating func take(shown ticket: Int, as popup: UInt32) {
        remove { $0.popup == popup }
        for place in pictures.indices where pictures[place].ticket == ticket { pictures[place].popup = popup }
    }

    /// Takes that a popup is gone.
    mutating func take(closed popup: UInt32) { remove { $0.popup == popup } }

    /// Takes that the popup of a ticket is not shown.
    mutating func take(refused ticket: Int) { remove { $0.ticket == ticket } }

    /// Takes that the daemon is gone, and all popups with it.
    mutating func takeAllGone() { remove { _ in true } }

    private mutating func remove(_ isGone: (Picture) -> Bool) { pictures.removeAll(where: isGone) }
}
