// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Dispatch
import NotificationPayload
import PacketSockets
import SceneModel

/// The notifications of a centre as views of content extensions get them: as they were delivered.
struct ShownContent {
    /// A notification in the list, and whose it is.
    struct Found {
        let key: InstallationKey
        let date: WallTime
        let content: NotificationContent
    }

    /// A notification as a host gets it, and its files, open for reading, in its order.
    struct Handed {
        /// Source: PROTOCOL.md, "Link": `notification` of viewOpen.
        let object: JSONObject
        let files: [PassedFile]
    }

    /// Bytes of the sealed files of one notification, which are opened in memory.
    fileprivate static let openedByteCount = 64 << 20
    /// Bytes of the name of a file: ten of them fit a packet beside a whole payload.
    fileprivate static let nameByteCount = 512
    /// The thread on which files are opened, one notification after the other.
    private static let queue = DispatchQueue(label: "center.views.files")

    private let store: CenterStore

    init(_ center: Center) {
        store = center.store
    }

    /// Returns a notification; `nil` means that it is not in the list, or that the disk has damaged it.
    func find(_ number: Int64, of owner: OwnerName) throws(DatabaseFailure) -> Found? {
        guard let kept = try store.notifications([number], of: owner).first,
            let topic = try store.topics(of: owner)[kept.head.installation],
            let key = InstallationKey(owner: owner, app: topic), let content = kept.content
        else { return nil }
        return Found(key: key, date: kept.head.date, content: content)
    }

    /// Opens the files of a notification for a host; one that cannot be read is left out.
    func hand(_ found: Found) async -> Handed {
        await withCheckedContinuation { answer in
            Self.queue.async { [files = store.files] in answer.resume(returning: Handed(found, files)) }
        }
    }
}

extension ShownContent.Handed {
    fileprivate init(_ found: ShownContent.Found, _ shelf: FileShelf) {
        var object: JSONObject = [
            "identifier": .string(found.content.identifier), "date": .string(NotificationView.text(of: found.date)),
            "payload": .object(found.content.payload),
        ]
        var room = ShownContent.openedByteCount
        var attachments: [JSON] = []
        var files: [PassedFile] = []
        for attachment in found.content.attachments.prefix(RequestAttachment.limit) {
            guard case .kept(let kept, let type, _) = attachment.state,
                let file = PassedFile.reading(kept, of: shelf, openingAtMost: &room)
            else { continue }
            let name = attachment.identifier.cut(toByteCount: ShownContent.nameByteCount)
            attachments.append(StoredRequest.File(identifier: name, type: type, byteCount: kept.byteCount).json)
            files.append(file)
        }
        if !attachments.isEmpty { object["attachments"] = .array(attachments) }
        self.init(object: object, files: files)
    }
}

extension PassedFile {
    /// Opens a kept file for another process; `nil` means that it cannot be read.
    ///
    /// A sealed one is opened in memory, where `room` says how many bytes that may take, so that it is never open on
    /// the centre's disk, and nobody can change it.
    fileprivate static func reading(
        _ kept: FileShelf.File,
        of shelf: FileShelf,
        openingAtMost room: inout Int
    ) -> PassedFile? {
        guard kept.key != nil else { return shelf.descriptor(of: kept).map(PassedFile.init(owning:)) }
        guard kept.byteCount <= Int64(room), let memory = PassedFile(inMemory: "notification"),
            let outlet = FileOutlet(memory), outlet.take(kept, from: shelf) == nil, memory.seal()
        else { return nil }
        room -= Int(kept.byteCount)
        return memory
    }
}
