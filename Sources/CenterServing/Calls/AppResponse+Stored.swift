// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload

extension StoredRequest {
    init(_ content: NotificationContent) {
        self.init(
            identifier: content.identifier,
            payload: Payload(content.payload),
            trigger: content.trigger.flatMap { RequestTrigger(stored: $0) }
        )
    }
}

extension AppResponse {
    /// Makes what an app hears of a response; what is not whole has category and thread in its payload, and no more.
    ///
    /// A text and a payload of the greatest lengths do not fit one packet together.
    init(_ response: StoredResponse, isWhole: Bool) {
        // A damaged notification has an answer all the same.
        var request =
            response.content.map { StoredRequest($0) } ?? StoredRequest(identifier: "-", payload: Payload([:]))
        if !isWhole {
            var aps = JSONObject([])
            aps["category"] = request.payload.aps?["category"]
            aps["thread-id"] = request.payload.aps?["thread-id"]
            request.payload = Payload(["aps": .object(aps)])
        }
        self.init(
            response: response.id,
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
