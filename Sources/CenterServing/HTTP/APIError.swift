// SPDX-License-Identifier: Apache-2.0

import NIOHTTP1
import NotificationPayload

/// The reason for which a request is refused: a status, a word for programs and a sentence for people.
///
/// Source: docs/notification-center.md, "Errors".
enum APIError: Error, Equatable {
    case badRequest(String)
    case badJSON(String)
    case badParameter(String)
    case notFound
    case method(allowed: String)
    /// The notification was in the list and is not any more.
    case gone
    /// Somebody else has decided.
    case decided
    case tooLarge(limit: Int)
    case mediaType
    /// The disk takes nothing, or gives nothing.
    case disk

    var status: HTTPResponseStatus {
        switch self {
        case .badRequest, .badJSON, .badParameter: .badRequest
        case .notFound: .notFound
        case .method: .methodNotAllowed
        case .gone: .gone
        case .decided: .conflict
        case .tooLarge: .payloadTooLarge
        case .mediaType: .unsupportedMediaType
        case .disk: .serviceUnavailable
        }
    }

    var reason: String {
        switch self {
        case .badRequest: "badRequest"
        case .badJSON: "badJSON"
        case .badParameter: "badParameter"
        case .notFound: "notFound"
        case .method: "method"
        case .gone: "gone"
        case .decided: "decided"
        case .tooLarge: "tooLarge"
        case .mediaType: "mediaType"
        case .disk: "disk"
        }
    }

    var message: String {
        switch self {
        case .badRequest(let message), .badParameter(let message): message
        case .badJSON(let message): "the body is no JSON object: \(message)"
        case .notFound: "there is nothing of this name"
        case .method(let allowed): "this can only be asked with \(allowed)"
        case .gone: "the notification was removed"
        case .decided: "somebody else has decided"
        case .tooLarge(let limit): "the body is longer than \(limit) bytes"
        case .mediaType: "the body must be application/json"
        case .disk: "the store cannot be read or written now"
        }
    }

    var answer: APIAnswer {
        var answer = APIAnswer(status, ["reason": .string(reason), "message": .string(message)])
        if case .method(let allowed) = self { answer.headers.add(name: "allow", value: allowed) }
        if case .disk = self { answer.headers.add(name: "retry-after", value: "1") }
        return answer
    }
}
