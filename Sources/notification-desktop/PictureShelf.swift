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

    /// Takes what the daemon has told: the picture of a popup that is gone goes too, and a former one of a popup.
    mutating func take(_ events: [ScreenEvent]) {
        for event in events {
            switch event {
            case .shown(let ticket, let popup):
                remove { $0.popup == popup }
                for place in pictures.indices where pictures[place].ticket == ticket { pictures[place].popup = popup }
            case .closed(let popup, reason: _): remove { $0.popup == popup }
            case .refused(let ticket): take(refused: ticket)
            case .went: remove { _ in true }
            case .came, .absent, .chosen, .reply, .activation: break
            }
        }
    }

    /// Takes that the popup of a ticket is not shown.
    mutating func take(refused ticket: Int) { remove { $0.ticket == ticket } }

    private mutating func remove(_ isGone: (Picture) -> Bool) { pictures.removeAll(where: isGone) }
}
