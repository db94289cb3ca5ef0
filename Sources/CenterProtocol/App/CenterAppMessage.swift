// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A message of the centre to an app.
package enum CenterAppMessage: Sendable, Equatable {
    case welcome(AppWelcome)
    case rejected(AppRejection)
    /// The answer to a call of that name.
    case answer(id: UInt64, CallName, CallAnswer)
    /// A notification comes while the app is in front: the app says how it is to be shown.
    case willPresent(id: UInt64, StoredNotification)
    case response(id: UInt64, AppResponse)
    /// A push that shows nothing.
    case silent(id: UInt64, Payload)
    /// The device token has changed; `nil` means that it was withdrawn.
    case token(String?)
    /// The user wants to see the app's own settings; `nil` means that no notification led there.
    case openSettings(StoredNotification?)

    package var type: AppMessageType {
        switch self {
        case .welcome: .welcome
        case .rejected: .rejected
        case .answer: .answer
        case .willPresent: .willPresent
        case .response: .response
        case .silent: .silent
        case .token: .token
        case .openSettings: .openSettings
        }
    }
}

/// The centre's answer to an app that it serves.
package struct AppWelcome: Sendable, Equatable {
    package var owner: String
    package var status: AuthorizationStatus
    /// `nil` means that the app gets no device token.
    package var environment: CenterApp.Environment?

    package init(owner: String, status: AuthorizationStatus, environment: CenterApp.Environment? = nil) {
        self.owner = owner
        self.status = status
        self.environment = environment
    }
}

/// The centre's answer to an app that it does not serve.
package struct AppRejection: Sendable, Equatable {
    package enum Reason: String, CaseIterable, Sendable {
        /// The owner has no such app.
        case unknownApp
        /// The app, or the owner, has as many connections as it may.
        case tooManyConnections
        /// The centre ends.
        case draining
    }

    package var reason: Reason
    /// A sentence for people: what to do.
    package var hint: String

    package init(_ reason: Reason, hint: String) {
        self.reason = reason
        self.hint = hint
    }
}

/// An act of the user on a notification.
package struct AppResponse: Sendable, Equatable {
    /// Bytes of a text that the user wrote.
    package static let textByteCountLimit = 16_384

    /// The centre's own number of the response, the same each time that it is sent.
    package var response: Int64
    /// `default`, `dismiss`, or the identifier of one of the app's actions.
    package var action: String
    /// `nil` means that the action asks for no text.
    package var text: String?
    package var notification: StoredNotification

    package init(response: Int64, action: String, text: String? = nil, notification: StoredNotification) {
        self.response = response
        self.action = action
        self.text = text
        self.notification = notification
    }
}

// MARK: Packets

extension CenterAppMessage {
    package var packet: AppPacket {
        switch self {
        case .welcome(let welcome):
            var body: JSONObject = ["owner": .string(welcome.owner), "status": .string(welcome.status.rawValue)]
            body["environment"] = welcome.environment.map { .string($0.rawValue) }
            return AppPacket(.welcome, body: body)
        case .rejected(let rejection):
            return AppPacket(
                .rejected,
                body: ["reason": .string(rejection.reason.rawValue), "hint": .string(rejection.hint)]
            )
        case .answer(let id, _, let answer): return AppPacket(.answer, id: id, body: answer.body)
        case .willPresent(let id, let notification):
            return AppPacket(.willPresent, id: id, body: ["notification": .object(notification.json)])
        case .response(let id, let response):
            var body: JSONObject = ["response": .integer(response.response), "action": .string(response.action)]
            body["text"] = response.text.map(JSON.string)
            body["notification"] = .object(response.notification.json)
            return AppPacket(.response, id: id, body: body)
        case .silent(let id, let payload):
            return AppPacket(.silent, id: id, body: ["payload": .object(payload.object)])
        case .token(let token):
            var body: JSONObject = [:]
            body["token"] = token.map(JSON.string)
            return AppPacket(.token, body: body)
        case .openSettings(let notification):
            var body: JSONObject = [:]
            body["notification"] = notification.map { .object($0.json) }
            return AppPacket(.openSettings, body: body)
        }
    }

    /// Reads a packet of the centre; `name` is that of the call with the packet's id, and matters to `answer` alone.
    init(_ packet: AppPacket, answering name: CallName?) throws(AppViolation) {
        do throws(MemberFault) {
            var members = Members(packet.body, .strict)
            switch packet.type {
            case .welcome:
                try packet.expectNoID()
                self = .welcome(try AppWelcome(&members))
            case .rejected:
                try packet.expectNoID()
                self = .rejected(AppRejection(try members.word("reason"), hint: try members.text("hint", 0...4096)))
            case .answer:
                guard let name else { throw .badID(packet.id) }
                self = .answer(id: packet.id, name, try CallAnswer(packet.body, to: name))
                return
            case .willPresent: self = .willPresent(id: packet.id, try members.notification())
            case .response: self = .response(id: packet.id, try AppResponse(&members))
            case .silent: self = .silent(id: packet.id, try members.payload("payload"))
            case .token:
                try packet.expectNoID()
                self = .token(try members.optionalDeviceToken())
            case .openSettings:
                try packet.expectNoID()
                self = .openSettings(try members.optionalNotification())
            case .hello, .call, .presence, .present, .completed, .finished: throw .badID(packet.id)
            }
            try members.end()
        } catch {
            throw packet.type.isFromApp ? .wrongDirection(packet.type) : .member(packet.type, error)
        }
    }
}

extension AppWelcome {
    fileprivate init(_ members: inout Members) throws(MemberFault) {
        owner = try members.owner()
        status = try members.word("status")
        environment = try members.optionalWord("environment")
    }
}

extension AppResponse {
    fileprivate init(_ members: inout Members) throws(MemberFault) {
        response = try members.integer("response", 1...Int64.max)
        action = try members.identifier("action")
        text = try members.optionalText("text", 0...Self.textByteCountLimit)
        notification = try members.notification()
    }
}
