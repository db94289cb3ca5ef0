// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// A person or a screen whose notifications the centre keeps, as the host's configuration says.
package struct CenterOwner: Sendable, Equatable {
    /// Owners of one centre.
    package static let limit = 10_000
    /// The name of the only owner, where nobody has named one.
    package static let only = "me"

    package var name: String
    /// Names of the system's users who are this owner.
    package var users: [String]
    /// A language tag; `nil` means the centre's own language.
    package var language: String?
    /// A name of the time zone database; `nil` means the system's zone.
    package var zone: String?

    package init(name: String, users: [String] = [], language: String? = nil, zone: String? = nil) {
        self.name = name
        self.users = users
        self.language = language
        self.zone = zone
    }
}

/// An app as the host's configuration describes it to the centre.
package struct CenterApp: Sendable, Equatable {
    /// Apps of one centre.
    package static let limit = 1000

    /// The environment in which an app's device tokens are valid.
    package enum Environment: String, CaseIterable, Sendable { case development, production }

    /// The answer to an app that asks for permission.
    package enum Authorization: String, CaseIterable, Sendable {
        /// The owner is asked.
        case ask
        /// The operator has decided.
        case granted
    }

    package var topic: String
    package var name: String
    /// `nil` means that the app gets no device token.
    package var environment: Environment?
    package var allowsCriticalAlerts = false
    /// The app's content extension; `nil` means that it has none.
    package var content: ContentExtension?
    /// Requests that may be pending; 0 means any number.
    package var pendingLimit: Int64 = 64
    package var authorization = Authorization.ask
    /// Owners who have the app; `nil` means all.
    package var owners: [String]?
    package var url: String?
    /// Absolute path of the socket by which the system starts the app.
    package var startSocket: String?
    /// The id of the desktop file that the app has, without `.desktop`.
    package var desktopEntry: String?

    package init(topic: String, name: String) {
        self.topic = topic
        self.name = name
    }
}

/// The owners and apps of a centre, whole or a piece.
package struct LinkRegistry: Sendable, Equatable {
    package var owners: [CenterOwner]
    package var apps: [CenterApp]

    package init(owners: [CenterOwner] = [], apps: [CenterApp] = []) {
        self.owners = owners
        self.apps = apps
    }
}

// MARK: JSON

extension CenterOwner {
    var json: JSON {
        var object: JSONObject = ["name": .string(name)]
        if !users.isEmpty { object["users"] = .array(users.map(JSON.string)) }
        object["language"] = language.map(JSON.string)
        object["zone"] = zone.map(JSON.string)
        return .object(object)
    }

    init(_ members: inout Members) throws(MemberFault) {
        name = try members.shape("name") { CenterNames.isOwner($0) ? $0 : nil }
        users = try members.optionalTexts("users", 1...64, atMost: 64) ?? []
        language = try members.optionalText("language", 1...64)
        zone = try members.optionalText("zone", 1...64)
    }
}

extension CenterApp {
    private static let paths = 1...4096
    /// Owners whom one app may name; a packet has room for that many.
    private static let ownerLimit = 1000

    var json: JSON {
        var object: JSONObject = [
            "topic": .string(topic), "name": .string(name), "criticalAlerts": .bool(allowsCriticalAlerts),
            "pendingLimit": .integer(pendingLimit), "authorization": .string(authorization.rawValue),
        ]
        object["content"] = content.map { .object($0.json) }
        object["environment"] = environment.map { .string($0.rawValue) }
        object["owners"] = owners.map { .array($0.map(JSON.string)) }
        object["url"] = url.map(JSON.string)
        object["startSocket"] = startSocket.map(JSON.string)
        object["desktopEntry"] = desktopEntry.map(JSON.string)
        return .object(object)
    }

    init(_ members: inout Members) throws(MemberFault) {
        topic = try members.topic()
        name = try members.text("name", 1...256)
        environment = try members.optionalWord("environment")
        allowsCriticalAlerts = try members.flag("criticalAlerts")
        if var inner = try members.optionalMembers("content") {
            content = try ContentExtension(&inner)
            try inner.end()
        }
        pendingLimit = try members.integer("pendingLimit", 0...1_000_000)
        authorization = try members.word("authorization")
        owners = try members.optionalTexts("owners", 1...64, atMost: Self.ownerLimit)
        url = try members.optionalText("url", Self.paths)
        startSocket = try members.optionalText("startSocket", Self.paths)
        desktopEntry = try members.optionalShape("desktopEntry") { CenterNames.isDesktopEntry($0) ? $0 : nil }
    }
}
