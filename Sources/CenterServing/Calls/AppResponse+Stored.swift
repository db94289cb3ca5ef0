// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload

extension StoredRequest {
    /// Makes what an app is told of a content, whose files are named by the store that keeps them.
    init(_ content: NotificationContent, of store: CenterStore) {
        self.init(
            identifier: content.identifier,
            payload: Payload(content.payload),
            trigger: content.trigger.flatMap { RequestTrigger(stored: $0) },
            files: content.attachments.compactMap { attachment in
                guard case .kept(let file, let type, let thumbnail) = attachment.state,
                    // A sender's name may be longer than an app's packets take.
                    CenterNames.identifierByteCounts.contains(attachment.identifier.utf8.count)
                else { return nil }
                return File(
                    identifier: attachment.identifier,
                    type: type,
                    byteCount: file.byteCount,
                    name: store.tag(of: file.id),
                    thumbnail: thumbnail.flatMap { RequestAttachment.Thumbnail(stored: $0) }
                )
            }
        )
    }
}

extension AppResponse {
    /// The part of a notification that travels with a response: a text and a payload of the greatest lengths do not fit
    /// one packet together.
    enum Form {
        case whole
        /// Category and thread in the payload, and no more.
        case named
        /// An empty payload.
        case bare
    }

    /// Makes what an app hears of a response.
    init(_ response: StoredResponse, _ form: Form, of store: CenterStore) {
        // A damaged notification has an answer all the same.
        let whole =
            response.content.map { StoredRequest($0, of: store) }
            ?? StoredRequest(identifier: "-", payload: Payload([:]))
        var request = whole
        switch form {
        case .whole: break
        case .named:
            var aps = JSONObject([])
            aps["category"] = whole.payload.aps?["category"]
            aps["thread-id"] = whole.payload.aps?["thread-id"]
            request.payload = Payload(["aps": .object(aps)])
        case .bare: request.payload = Payload([:])
        }
        // The store's own number of it counts the responses of all owners.
        self.init(
            response: response.number,
            action: response.action,
            text: response.text,
            notification: ToldNotification(
                number: response.number,
                date: Moment(milliseconds: response.delivered ?? response.stored),
                request: request
            )
        )
    }
}

extension CenterAppEnd {
    /// Judges and encodes a response, in the longest form that fits a packet.
    mutating func send(
        _ response: StoredResponse,
        of store: CenterStore,
        id: UInt64
    ) throws(AppViolation) -> [UInt8] {
        for form in [AppResponse.Form.whole, .named] {
            do { return try send(.response(id: id, AppResponse(response, form, of: store))) } catch {
                guard case .packet(.tooLong) = error else { throw error }
            }
        }
        return try send(.response(id: id, AppResponse(response, .bare, of: store)))
    }
}
