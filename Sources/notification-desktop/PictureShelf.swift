// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The pictures of the popups on the screen, in memory that has a path for the daemon and is no file of any disk.
///
/// The path is that of a descriptor of this process, so that a picture goes with it, however it ends. Source:
/// memfd_create(2), proc_pid_fd(5).
struct PictureShelf: ~Copyable {
    private struct Picture {
        let descriptor: CInt
        let ticket: Int
        /// The popup; `nil` means that the daemon has not confirmed it yet.
        var popup: UInt32?
    }

    /// Pictures that are kept: of more the oldest go, which the daemon has read long since.
    private static let limit = 8

    private var pictures: [Picture] = []

    deinit { for picture in pictures { close(picture.descriptor) } }

    /// Keeps a picture for the popup of a ticket; returns its address, or `nil` if the system has no memory for it.
    mutating func put(_ bytes: [UInt8], for ticket: Int) -> String? {
        let descriptor = linux_memory_file("picture")
        guard descriptor >= 0 else { return nil }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                close(descriptor)
                return nil
            }
            rest = rest.dropFirst(count)
        }
        pictures.append(Picture(descriptor: descriptor, ticket: ticket))
        if pictures.count > Self.limit { close(pictures.removeFirst().descriptor) }
        return "file:///proc/\(getpid())/fd/\(descriptor)"
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

    private mutating func remove(_ isGone: (Picture) -> Bool) {
        for picture in pictures where isGone(picture) { close(picture.descriptor) }
        pictures.removeAll(where: isGone)
    }
}
