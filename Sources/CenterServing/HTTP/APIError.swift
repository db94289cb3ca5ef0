// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import NIOHTTP1
import NotificationPayload
package import UserNotificationCenter

/// The reason for which a request is refused: a status, a word for programs and a sentence for people.
///
/// Source: docs/notification-center.md, "Errors".
package enum APIError: Error, Equatable {
    case badRequest(String)
    case badJSON(String)
    case badParameter(String)
    case notFound
    case method(allowed: String)
    /// The notification was in the list and is not any more.
    case gone
    /// A newer notification of the same identifier is in the list, under this number.
    case replaced(by: Int64)
    /// Somebody else has decided.
    case decided
    /// Somebody else has answered the notification.
    case answered
    /// The app has no settings of its own.
    case noSettings
    /// The app does not run, and nothing starts it.
    case notRunning
    /// An app's call is answered with an error of Apple's.
    case call(CallFailure)
    /// The answer to a notification is none that it takes.
    case response(ResponseFault)
    /// The caller is not known.
    case credential
    /// The caller is not known, as many before it were not.
    case tooManyFailures
    /// The caller is known, and asks more often than the centre answers.
    case tooManyRequests
    /// The caller may do something else.
    case scope(String)
    /// The request comes from a page of somebody else.
    case origin
    /// The request names another host.
    case hostName
    /// The centre listens on no port.
    case noPort
    /// No content extension shows notifications of this category.
    case noExtension
    /// No host is connected that could open a view.
    case noHost
    /// The owner, or the host, has as many views open as it may.
    case tooManyViews
    case tooLarge(limit: Int)
    /// The app has sent as many files as it may before it attaches one.
    case tooManyUploads
    /// A surface has said too often within a second how it is.
    case tooManyChanges
    /// Nothing of a file of this length lies in the range asked for.
    case range(of: Int64)
    case mediaType
    /// The disk takes nothing, or gives nothing.
    case disk

    var status: HTTPResponseStatus {
        switch self {
        case .badRequest, .badJSON, .badParameter: .badRequest
        case .notFound, .noExtension: .notFound
        case .method: .methodNotAllowed
        case .gone: .gone
        case .replaced, .decided, .answered, .noSettings, .notRunning, .noPort, .noHost: .conflict
        case .credential: .unauthorized
        case .tooManyFailures, .tooManyRequests, .tooManyUploads, .tooManyChanges, .tooManyViews: .tooManyRequests
        case .range: .rangeNotSatisfiable
        case .scope, .origin, .hostName: .forbidden
        case .call(.disk): .serviceUnavailable
        case .response(.needsAuthentication): .forbidden
        case .call, .response: .unprocessableEntity
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
        case .replaced: "replaced"
        case .decided: "decided"
        case .answered: "answered"
        case .noSettings: "noSettings"
        case .notRunning: "notRunning"
        case .call(let failure): failure.reason
        case .response(.needsAuthentication): "needsAuthentication"
        case .response(.unknownAction): "unknownAction"
        case .response: "badText"
        case .credential: "credential"
        case .tooManyFailures, .tooManyRequests, .tooManyUploads, .tooManyChanges, .tooManyViews: "tooMany"
        case .range: "range"
        case .scope: "scope"
        case .origin: "origin"
        case .hostName: "hostName"
        case .noPort: "noPort"
        case .noExtension: "noExtension"
        case .noHost: "noHost"
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
        case .replaced: "a newer notification has its place"
        case .decided: "it was decided already"
        case .answered: "the notification was answered already"
        case .noSettings: "the app has no settings of its own"
        case .notRunning: "the app does not run, and its entry in host.yaml has neither start-socket nor url"
        case .call(let failure): Self.message(of: failure)
        case .response(let fault): Self.message(of: fault)
        case .credential: "the request shows no session or token that is good"
        case .tooManyFailures: "too many requests without a good session or token: try again in a minute"
        case .tooManyRequests:
            "more requests at once than \(RequestRates.credential.perSecond) a second with one session or token, or "
                + "\(RequestRates.owner.perSecond) of an owner: ask again in a second"
        case .tooManyUploads: "too many files wait to be attached: attach them, or try again in ten minutes"
        case .tooManyChanges: "a surface changes twice a second at most: say the last state again in a second"
        case .range(let byteCount): "the file has \(byteCount) bytes, and none in this range"
        case .scope(let scope): "the credential does not have the scope \"\(scope)\""
        case .origin: "the request comes from a page of another site"
        case .hostName: "the centre does not have the name that the request calls it by"
        case .noPort: "the centre listens on no port: start it with --http"
        case .noExtension: "no content extension of the app shows notifications of this category"
        case .noHost: "no host is connected that could open a view: it comes back by itself"
        case .tooManyViews: "as many views are open, or follow this one, as may be: close one"
        case .tooLarge(let limit): "the body is longer than \(limit) bytes"
        case .mediaType: "the body must be application/json"
        case .disk: "the store cannot be read or written now"
        }
    }

    private static func message(of failure: CallFailure) -> String {
        switch failure {
        case .notAllowed: "the owner has not allowed the app to notify"
        case .attachmentURL, .attachmentNotMoved: "a file cannot be read"
        case .attachmentNotStored: "no bytes of this name wait to be attached: send them first"
        case .attachmentType: "a file is of a type that is not shown"
        case .attachmentSize: "a file is empty or too large"
        case .attachmentCorrupt: "a file is not what its type says"
        case .noDate: "the trigger names no date that comes"
        case .noContent: "the request has no text, badge or sound"
        case .badgeInvalid: "a badge is 0 or more"
        case .disk: "the store cannot be written now"
        case .unanswered: "no answer came in time, and nobody knows whether it was done"
        case .noEnvironment: "the app's entry in host.yaml has no environment"
        case .noHost: "no host gives device tokens over this link"
        }
    }

    private static func message(of fault: ResponseFault) -> String {
        switch fault {
        case .needsAuthentication: "the action is only for who is known"
        case .unknownAction: "the notification has no such action"
        case .textMissing: "the action asks for a \"text\""
        case .textTooLong(let count): "the text has \(count) bytes, more than \(ResponseRule.textByteCountLimit)"
        case .textHasNUL: "the text has a NUL"
        }
    }

    var answer: APIAnswer {
        var object: JSONObject = ["reason": .string(reason), "message": .string(message)]
        if case .call(let failure) = self { object["code"] = .integer(failure.code) }
        if case .replaced(let number) = self { object["by"] = .string("\(number)") }
        var answer = APIAnswer(status, object)
        if case .method(let allowed) = self { answer.headers.add(name: "allow", value: allowed) }
        if case .tooManyFailures = self { answer.headers.add(name: "retry-after", value: "60") }
        if case .tooManyChanges = self { answer.headers.add(name: "retry-after", value: "1") }
        if case .tooManyViews = self { answer.headers.add(name: "retry-after", value: "30") }
        if case .tooManyRequests = self { answer.headers.add(name: "retry-after", value: "1") }
        if case .tooManyUploads = self { answer.headers.add(name: "retry-after", value: "600") }
        if case .range(let byteCount) = self {
            answer.headers.add(name: "content-range", value: "bytes */\(byteCount)")
        }
        if case .credential = self { answer.headers.add(name: "www-authenticate", value: "Bearer") }
        if status == .serviceUnavailable { answer.headers.add(name: "retry-after", value: "1") }
        return answer
    }
}
