// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
package import NotificationPayload

/// An act of a person, or of the page for them, on a view.
///
/// Source: PROTOCOL.md, "Events of a view".
package enum ViewEvent: Sendable, Equatable {
    case node(UInt32, NodeEvent)
    case response(ViewResponse)
    case environment(ViewEnvironment)
    case media(MediaPress)
    /// The view ends; no event follows.
    case close

    /// The button that plays and pauses was pressed.
    package enum MediaPress: String, Sendable, CaseIterable {
        case play, pause
    }
}

/// A response to a notification whose view is open.
package struct ViewResponse: Sendable, Equatable {
    /// The number under which the view answers.
    package var number: UInt64
    /// An action of the category or the view, or one of Apple's two for a click and a dismissal.
    package var action: String
    /// The text that the person wrote; `nil` for an action without a field.
    package var text: String?

    package init(number: UInt64, action: String, text: String? = nil) {
        self.number = number
        self.action = action
        self.text = text
    }
}

extension ViewEvent {
    /// The members of the event beside its `seq`.
    package func write(to object: inout JSONObject) {
        switch self {
        case .node(let id, let event):
            object["node"] = .integer(Int64(id))
            event.write(to: &object)
        case .response(let response):
            var inner: JSONObject = [
                "number": .integer(Int64(clamping: response.number)), "action": .string(response.action),
            ]
            inner["text"] = response.text.map(JSON.string)
            object["response"] = .object(inner)
        case .environment(let environment): object["environment"] = .object(environment.json)
        case .media(let press): object["media"] = .string(press.rawValue)
        case .close: object["close"] = true
        }
    }

    /// Takes the members of an event; `nil` means that there is none of those above.
    package init?(_ members: inout Members) throws(MemberFault) {
        if let id = try members.optionalInteger("node", 1...Int64(UInt32.max)) {
            self = .node(UInt32(id), try NodeEvent(&members))
        } else if var inner = try members.optionalMembers("response") {
            let response = ViewResponse(
                number: UInt64(try inner.integer("number", 0...Int64.max)),
                action: try inner.text("action", CenterNames.identifierByteCounts),
                text: try inner.optionalText("text", 0...SceneLimits.responseTextByteCount)
            )
            try inner.end()
            self = .response(response)
        } else if var inner = try members.optionalMembers("environment") {
            self = .environment(try ViewEnvironment(&inner))
            try inner.end()
        } else if let press: MediaPress = try members.optionalWord("media") {
            self = .media(press)
        } else if let close = try members.optionalFlag("close") {
            guard close else { throw .outOfRange(members.path(of: "close")) }
            self = .close
        } else {
            return nil
        }
    }
}
