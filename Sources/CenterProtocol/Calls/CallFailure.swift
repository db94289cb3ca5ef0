// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// An error with which the centre answers a call: Apple's domain and code, and a word of ours.
///
/// Source: Apple, "UNError.Code"; "FoundationErrors", 3000 and 3010; PROTOCOL.md, "Errors".
package enum CallFailure: CaseIterable, Sendable, Error {
    /// The owner has not allowed it.
    case notAllowed
    case attachmentURL
    case attachmentType
    case attachmentSize
    case attachmentNotStored
    case attachmentNotMoved
    case attachmentCorrupt
    /// The trigger never fires.
    case noDate
    /// No text, badge, sound or file.
    case noContent
    /// A badge below zero.
    case badgeInvalid
    /// The disk is full or failing: nothing was done.
    case disk
    /// Nobody knows whether the call was carried out: it was sent, and no answer came in time.
    case unanswered
    /// The app's entry in the host's configuration has no `environment`.
    case noEnvironment
    /// The centre runs without a host, as a simulator runs without a gateway.
    case noHost

    package var domain: String {
        switch self {
        case .disk, .unanswered: "NSPOSIXErrorDomain"
        case .noEnvironment, .noHost: "NSCocoaErrorDomain"
        case .notAllowed, .attachmentURL, .attachmentType, .attachmentSize, .attachmentNotStored, .attachmentNotMoved,
            .attachmentCorrupt, .noDate, .noContent, .badgeInvalid:
            "UNErrorDomain"
        }
    }

    package var code: Int64 {
        switch self {
        case .notAllowed: 1
        case .attachmentURL: 100
        case .attachmentType: 101
        case .attachmentSize: 102
        case .attachmentNotStored: 103
        case .attachmentNotMoved: 104
        case .attachmentCorrupt: 105
        case .noDate: 1400
        case .noContent: 1401
        case .badgeInvalid: 1600
        case .disk: 28
        case .unanswered: 104
        case .noEnvironment: 3000
        case .noHost: 3010
        }
    }

    /// One word for machines; all errors of a file have one.
    package var reason: String {
        switch self {
        case .notAllowed: "notAllowed"
        case .attachmentURL, .attachmentType, .attachmentSize, .attachmentNotStored, .attachmentNotMoved,
            .attachmentCorrupt:
            "attachment"
        case .noDate: "noDate"
        case .noContent: "noContent"
        case .badgeInvalid: "badgeInvalid"
        case .disk: "disk"
        case .unanswered: "unanswered"
        case .noEnvironment: "noEnvironment"
        case .noHost: "noHost"
        }
    }
}

extension CallFailure {
    var json: JSONObject {
        ["domain": .string(domain), "code": .integer(code), "reason": .string(reason)]
    }

    /// Reads an error; all three members must be those of one of the errors.
    init(_ members: inout Members) throws(MemberFault) {
        let domain = try members.text("domain", 1...64)
        let code = try members.integer("code", 0...Int64(Int32.max))
        let reason = try members.text("reason", 1...64)
        let known = Self.allCases.first {
            $0.code == code && domain.isWord($0.domain) && reason.isWord($0.reason)
        }
        guard let known else { throw .unknownWord(members.path(of: "code")) }
        self = known
    }
}
