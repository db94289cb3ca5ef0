// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Glibc
import PacketSockets

/// A file of an app's own into which the centre writes the bytes of one that it keeps.
///
/// The app opened it, so the centre writes where the app itself may write, and nowhere else. A sealed file is opened on
/// the way, and is never open on the centre's disk. Calls block.
struct FileOutlet {
    /// Bytes that are read and written in one piece.
    private static let pieceByteCount = 256 << 10

    private let file: PassedFile

    /// Takes a file that an app has passed; `nil` means that it is no empty regular file.
    init?(_ file: PassedFile) {
        var facts = stat()
        guard fstat(file.descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size == 0 else {
            return nil
        }
        self.file = file
    }

    /// Writes a whole file of the shelf; `nil` means that it is written.
    func take(_ kept: FileShelf.File, from shelf: FileShelf) -> CallFailure? {
        guard let source = shelf.open(kept) else { return .attachmentNotStored }
        var position: Int64 = 0
        while position < kept.byteCount {
            let limit = Int(min(Int64(Self.pieceByteCount), kept.byteCount - position))
            // A disk that gives less than it took, and a file that was changed there.
            guard let bytes = source.read(from: position, atMost: limit), !bytes.isEmpty else {
                return .attachmentCorrupt
            }
            if let failure = write(bytes, at: position) { return failure }
            position += Int64(bytes.count)
        }
        return nil
    }

    private func write(_ bytes: [UInt8], at position: Int64) -> CallFailure? {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { bytes in
                pwrite(
                    file.descriptor,
                    bytes.baseAddress?.advanced(by: written),
                    bytes.count - written,
                    off_t(position) + off_t(written)
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return errno == ENOSPC || errno == EDQUOT ? .disk : .attachmentNotMoved }
            written += count
        }
        return nil
    }
}
