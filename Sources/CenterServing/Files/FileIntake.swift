// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import Dispatch
import NotificationPayload
import PacketSockets

/// Copies files that came over one socket into the centre's folder, on a thread of the socket's own.
///
/// A file whose reading never ends so holds up nobody but its sender.
final class FileIntake: Sendable {
    /// A file that somebody wants to attach.
    struct Offer: Sendable {
        var identifier: String
        /// Uniform type identifier, as it was named.
        var type: String
        var file: PassedFile
        var thumbnail: JSONObject?
    }

    private let shelf: FileShelf
    private let thread = DispatchQueue(label: "center.files")

    init(_ shelf: FileShelf) {
        self.shelf = shelf
    }

    /// Copies all of them; the results are in the order of the offers.
    func keep(_ offers: [Offer]) async -> [Result<ContentAttachment, FileShelf.Refusal>] {
        guard !offers.isEmpty else { return [] }
        return await withCheckedContinuation { answer in
            thread.async { [shelf] in answer.resume(returning: offers.map { Self.keep($0, on: shelf) }) }
        }
    }

    /// Judges a file that is written already; nothing is left of one that is refused.
    func finish(_ file: FileShelf.File, as name: String) async -> Result<FileShelf.File, FileShelf.Refusal> {
        await withCheckedContinuation { answer in
            thread.async { [shelf] in answer.resume(returning: Self.finish(file, as: name, on: shelf)) }
        }
    }

    /// Writes a file that is kept into an empty one that came over the socket; `nil` means that all of it is there.
    func give(_ file: FileShelf.File, to target: PassedFile) async -> CallFailure? {
        await withCheckedContinuation { answer in
            thread.async { [shelf] in
                let outlet = FileOutlet(target)
                answer.resume(returning: outlet.map { $0.take(file, from: shelf) } ?? .attachmentURL)
            }
        }
    }

    private static func finish(
        _ file: FileShelf.File,
        as name: String,
        on shelf: FileShelf
    ) -> Result<FileShelf.File, FileShelf.Refusal> {
        do throws(FileShelf.Refusal) {
            guard let type = AttachmentType(identifier: name) else { throw .type }
            guard let draft = shelf.open(file) else { throw .unreadable }
            return .success(try shelf.finish(draft, as: type))
        } catch {
            shelf.discard([file])
            return .failure(error)
        }
    }

    private static func keep(_ offer: Offer, on shelf: FileShelf) -> Result<ContentAttachment, FileShelf.Refusal> {
        do throws(FileShelf.Refusal) {
            guard let type = AttachmentType(identifier: offer.type) else { throw .type }
            let file = try shelf.keep(offer.file.descriptor, as: type)
            return .success(
                ContentAttachment(
                    identifier: offer.identifier,
                    .kept(file, type: type.identifier, thumbnail: offer.thumbnail)
                )
            )
        } catch {
            return .failure(error)
        }
    }
}

extension FileShelf.Refusal {
    /// The word with which a record of a host names the reason.
    var word: String {
        switch self {
        case .type: "unknownType"
        case .unreadable: "unreadable"
        case .size: "tooLarge"
        case .content: "wrongContent"
        case .disk: "storeFailed"
        }
    }

    /// True if the same file may be kept later.
    var mayPass: Bool {
        if case .disk = self { true } else { false }
    }
}
