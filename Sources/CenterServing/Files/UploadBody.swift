// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import NIOCore
import NIOHTTP1
import NotificationPayload

/// The bytes of a file that an app sends, on their way to the disk.
struct UploadBody: Sendable {
    /// Bytes of the largest file that may be attached.
    static let byteCountLimit = AttachmentType.Kind.film.maximumByteCount

    private let uploads: Uploads
    private let shelf: FileShelf
    private let place: Uploads.Place
    private let limit: Int64
    private let file: FileDraft
    /// Writing waits for the disk.
    private let thread = DispatchQueue(label: "center.upload")

    /// Begins a file; `length` is what the request says of its bytes, if it says so.
    ///
    /// Throws when it is too long, there is no room for another one, or the disk takes none.
    init(_ center: Center, _ key: InstallationKey, length: Int?) throws(APIError) {
        guard (0...Self.byteCountLimit).contains(length ?? 0) else { throw .tooLarge(limit: Self.byteCountLimit) }
        limit = Int64(length ?? Self.byteCountLimit)
        guard let place = center.uploads.reserve(limit, of: key, at: center.clock.wall()) else { throw .tooManyUploads }
        self.place = place
        (uploads, shelf) = (center.uploads, center.store.files)
        do { file = try shelf.begin() } catch {
            uploads.giveBack(place)
            throw .disk
        }
    }

    /// Takes bytes behind those before them.
    func append(_ bytes: ByteBuffer) async throws(APIError) {
        guard file.byteCount + Int64(bytes.readableBytes) <= limit else { throw .tooLarge(limit: Int(limit)) }
        // One that comes byte by byte would keep its room from others for ever.
        guard uploads.holds(place) else { throw .tooManyUploads }
        let isWritten = await withCheckedContinuation { answer in
            thread.async { [file] in
                answer.resume(returning: (try? file.append(bytes.readableBytesView)) != nil)
            }
        }
        guard isWritten else { throw .disk }
    }

    /// The file is whole: the name by which the app attaches it.
    func end(at now: WallTime) async throws(APIError) -> APIAnswer {
        let isWritten = await withCheckedContinuation { answer in
            thread.async { [file] in answer.resume(returning: (try? file.end()) != nil) }
        }
        guard isWritten else {
            cancel()
            throw .disk
        }
        guard file.byteCount > 0 else {
            cancel()
            throw .call(.attachmentSize)
        }
        guard let name = uploads.keep(file.file, at: place, at: now) else {
            cancel()
            throw .tooManyUploads
        }
        return APIAnswer(.created, ["upload": .string(name), "size": .integer(file.byteCount)])
    }

    /// The rest does not come: nothing is left.
    func cancel() {
        uploads.giveBack(place)
        shelf.discard(file)
    }
}
