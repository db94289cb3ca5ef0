// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A file that came with a notification: kept, or refused with a reason.
package struct ContentAttachment: Sendable, Equatable {
    package enum State: Sendable, Equatable {
        /// `type` is a uniform type identifier; `thumbnail` are the app's words about a picture in the file's place.
        case kept(FileShelf.File, type: String, thumbnail: JSONObject?)
        case refused(reason: String)
    }

    /// The name that the app or the sender gave to the file.
    package var identifier: String
    package var state: State

    package init(identifier: String, _ state: State) {
        self.identifier = identifier
        self.state = state
    }

    /// The file; `nil` means that it was refused.
    package var file: FileShelf.File? {
        if case .kept(let file, _, _) = state { file } else { nil }
    }
}

extension ContentAttachment {
    var stored: JSON {
        var object: JSONObject = ["identifier": .string(identifier)]
        switch state {
        case .kept(let file, let type, let thumbnail):
            object["type"] = .string(type)
            object["size"] = .integer(file.byteCount)
            object["file"] = .integer(file.id)
            object["key"] = file.key.map { .string(Base64.url.encode($0.bytes)) }
            object["thumbnail"] = thumbnail.map(JSON.object)
        case .refused(let reason): object["refused"] = .string(reason)
        }
        return .object(object)
    }

    /// Reads what was stored; `nil` means that it is damaged.
    init?(stored: JSON) {
        guard let object = stored.object, let identifier = object["identifier"]?.string else { return nil }
        if let reason = object["refused"]?.string {
            self.init(identifier: identifier, .refused(reason: reason))
        } else if let file = object["file"]?.integer, let size = object["size"]?.integer,
            let type = object["type"]?.string
        {
            // A key that cannot be read is one that opens nothing.
            let key = object["key"].map { key in
                key.string.flatMap { Base64.url.decode($0) }.flatMap { FileKey($0) } ?? FileKey()
            }
            let kept = FileShelf.File(id: file, byteCount: size, key: key)
            self.init(identifier: identifier, .kept(kept, type: type, thumbnail: object["thumbnail"]?.object))
        } else {
            return nil
        }
    }
}
