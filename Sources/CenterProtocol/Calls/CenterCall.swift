// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// One thing that an app asks of the centre: all that `UNUserNotificationCenter` can ask, and the device token.
///
///     let call = try CenterCall(body, from: .socket)
///     if let failure = call.failure { … }          // answered without looking at any state
///
/// A body beyond its bounds is a fault, which ends a conversation over a socket. A call that Apple answers with an
/// error is no fault: `failure` says which error.
/// Source: PROTOCOL.md, "Calls".
package enum CenterCall: Sendable, Equatable {
    case authorize(AuthorizationOptions)
    case settings
    case setCategories([NotificationCategory])
    case categories
    case add(NotificationRequest)
    /// The requests behind the one named, in the order of identifiers; `nil` begins with the first.
    case pending(after: String?)
    case removePending(Selection)
    /// The notifications below a number, the newest first; `nil` begins with the newest.
    case delivered(before: Int64?)
    case removeDelivered(Selection)
    /// The bytes of a file that the centre keeps, which it writes into the file that travels with the call.
    case file(StoredFileName)
    case badge(Int64)
    case register
    case withdraw

    /// The requests or notifications that are to be removed.
    package enum Selection: Sendable, Equatable {
        /// Identifiers in one call.
        package static let limit = 1024

        case all
        case named([String])
    }
}

extension CenterCall {
    package var name: CallName {
        switch self {
        case .authorize: .authorize
        case .settings: .settings
        case .setCategories: .setCategories
        case .categories: .categories
        case .add: .add
        case .pending: .pending
        case .removePending: .removePending
        case .delivered: .delivered
        case .removeDelivered: .removeDelivered
        case .file: .file
        case .badge: .badge
        case .register: .register
        case .withdraw: .withdraw
        }
    }

    /// The number of descriptors that travel with the call.
    package var descriptorCount: Int {
        switch self {
        case .add(let request): request.descriptorCount
        case .file: 1
        case .authorize, .settings, .setCategories, .categories, .pending, .removePending, .delivered, .removeDelivered,
            .badge, .register, .withdraw:
            0
        }
    }

    /// The error with which the call is answered whatever the centre's state is; `nil` means that the state decides.
    package var failure: CallFailure? {
        switch self {
        case .add(let request): request.failure
        case .badge(let count): count < 0 ? .badgeInvalid : nil
        case .authorize, .settings, .setCategories, .categories, .pending, .removePending, .delivered, .removeDelivered,
            .file, .register, .withdraw:
            nil
        }
    }

    /// Finds out before a call is sent what its receiver would find out: a bound that it breaks.
    ///
    /// The bytes are read back, because U+0000 is left out as they are written.
    package func check() throws(MemberFault) {
        let bytes = body.serialized
        guard let read = try? JSONObject(parsing: bytes.span, depthLimit: AppPacket.depthLimit) else {
            throw .tooDeep("")
        }
        _ = try CenterCall(read, from: .socket)
    }
}

// MARK: JSON

extension CenterCall {
    package var body: JSONObject {
        var body: JSONObject = ["call": .string(name.rawValue)]
        switch self {
        case .authorize(let options): body["options"] = options.json
        case .setCategories(let categories): body["categories"] = NotificationCategory.list(categories)
        case .add(let request): body["request"] = .object(request.json)
        case .pending(let after): body["after"] = after.map(JSON.string)
        case .delivered(let before): body["before"] = before.map(JSON.integer)
        case .removePending(let selection), .removeDelivered(let selection):
            if case .named(let identifiers) = selection { body["identifiers"] = .array(identifiers.map(JSON.string)) }
        case .file(let name): name.write(to: &body)
        case .badge(let count): body["count"] = .integer(count)
        case .settings, .categories, .register, .withdraw: break
        }
        return body
    }

    package init(_ body: JSONObject, from carrier: CallCarrier) throws(MemberFault) {
        var members = Members(body, carrier.policy)
        try self.init(&members, from: carrier)
        try members.end()
    }

    init(_ members: inout Members, from carrier: CallCarrier) throws(MemberFault) {
        let name: CallName = try members.word("call")
        switch name {
        case .authorize: self = .authorize(try members.words("options"))
        case .settings: self = .settings
        case .setCategories: self = .setCategories(try NotificationCategory.list(in: &members))
        case .categories: self = .categories
        case .add:
            var request = try members.members("request")
            self = .add(try NotificationRequest(&request, from: carrier))
            try request.end()
        case .pending:
            self = .pending(after: try members.optionalText("after", CenterNames.identifierByteCounts))
        case .removePending: self = .removePending(try Selection(&members))
        case .delivered: self = .delivered(before: try members.optionalInteger("before", 1...Int64.max))
        case .removeDelivered: self = .removeDelivered(try Selection(&members))
        case .file:
            // HTTP carries no descriptor into which the bytes could go.
            guard carrier != .http else { throw .unknownWord(members.path(of: "call")) }
            self = .file(try StoredFileName(&members))
        // A badge below zero is answered with 1600, and one that is too large is none that an icon shows.
        case .badge: self = .badge(try members.integer("count", Int64.min...Int64(Int32.max)))
        case .register: self = .register
        case .withdraw: self = .withdraw
        }
    }
}

extension CenterCall.Selection {
    fileprivate init(_ members: inout Members) throws(MemberFault) {
        let identifiers = try members.optionalTexts(
            "identifiers",
            CenterNames.identifierByteCounts,
            atMost: Self.limit
        )
        self = identifiers.map(Self.named) ?? .all
    }
}
