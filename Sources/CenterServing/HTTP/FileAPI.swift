// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The files of notifications, `/v1/notifications/ID/attachments/PLACE`, and those of apps, `/v1/apps/TOPIC/icon` and
/// `/v1/apps/TOPIC/sounds/NAME`.
struct FileAPI {
    let api: CenterAPI

    func attachment(_ place: String, of number: Int64, _ request: APIRequest) throws(APIError) -> FileAnswer {
        let found = try api.read { store throws(DatabaseFailure) in
            try store.attachments(of: number, owner: api.owner)
        }
        guard let attachments = found else { throw try api.absence(of: number) }
        if api.hiding != nil, try hidesPreviews(of: number) { throw .response(.needsAuthentication) }
        guard let place = Int64(decimal: place).map({ Int($0) }), attachments.indices.contains(place),
            case .kept(let file, let name, _) = attachments[place].state, let type = AttachmentType(identifier: name),
            let open = api.center.store.files.open(file)
        else { throw .notFound }
        guard let answer = FileAnswer(open, tag: api.center.store.tag(of: file.id), type, place: place, request) else {
            throw .range(of: file.byteCount)
        }
        return answer
    }

    /// A file of an app, which a lock view has as well: it is the operator's, and says nothing of a notification.
    func file(_ file: AppFile, _ request: APIRequest) throws(APIError) -> CenterAPI.Reply {
        let center = api.center
        guard let key = InstallationKey(owner: api.owner, app: file.topic), center.knows(key),
            let kept = center.appFiles[file], let open = center.appFiles.open(kept)
        else { throw .notFound }
        guard let answer = FileAnswer(open, file, kept, request) else { throw .range(of: kept.file.byteCount) }
        guard request.headers["if-none-match"].contains(answer.tag) else { return .file(answer) }
        return .answer(APIAnswer(notModified: answer.headers))
    }

    /// True if a lock view may not show what a notification says.
    private func hidesPreviews(of number: Int64) throws(APIError) -> Bool {
        try api.read { store throws(DatabaseFailure) in
            // One of the history hides everything: its app may be gone.
            guard let head = try store.notifications([number], of: api.owner).first?.head else { return true }
            return try store.installations(of: api.owner).first { $0.number == head.installation }?.hidesPreviews
                ?? true
        }
    }
}
