// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NotificationPayload
import UserNotificationCenter

/// One thing that a caller of the API may do.
///
/// Source: docs/notification-center.md, "Who may ask?".
enum Scope: Hashable, Sendable {
    /// Reads notifications, stacks, the history, apps, and the stream of events.
    case read
    /// Answers, dismisses and restores, and sets the read mark.
    case respond
    /// Changes what the owner wants, and what apps may do; sees and ends sessions.
    case settings
    /// Tells where the owner is. No session has it: a page that runs in a browser is not to move its owner.
    case position
    /// Makes tokens and codes.
    case admin
    /// Takes rights away: is a lock view, in front of which anybody may stand.
    case lockSurface
    /// Is an app.
    case app(String)
    /// Is the owner at the owner's own socket: no credential has it, and no word names it.
    case owner

    /// Reads a word; `nil` means that it is none, or names no app.
    init?(_ word: String) {
        switch word {
        case "read": self = .read
        case "respond": self = .respond
        case "settings": self = .settings
        case "position": self = .position
        case "admin": self = .admin
        case "surface:lock": self = .lockSurface
        default:
            guard word.hasPrefix("app:"), InstallationKey.isTopic(String(word.dropFirst(4))) else { return nil }
            self = .app(String(word.dropFirst(4)))
        }
    }

    /// True for what a lock view may do.
    fileprivate var isOfLockView: Bool {
        switch self {
        case .read, .respond, .lockSurface: true
        case .settings, .position, .admin, .app, .owner: false
        }
    }

    var word: String {
        switch self {
        case .read: "read"
        case .respond: "respond"
        case .settings: "settings"
        case .position: "position"
        case .admin: "admin"
        case .lockSurface: "surface:lock"
        case .app(let topic): "app:" + topic
        case .owner: "owner"
        }
    }
}

/// The scopes of a credential, and the name that people know it by.
struct Grant: Equatable, Sendable {
    /// Scopes of one credential.
    static let scopeLimit = 64
    /// Bytes of a name.
    static let nameByteCounts = 1...64

    var name: String
    var scopes: [Scope]

    /// A browser before it has a name, with what it shows: all to a person, or to anybody what a lock view may show.
    static func session(for surface: Surface) -> Grant {
        switch surface {
        case .open: Grant(name: "", scopes: [.read, .respond, .settings])
        case .lock: Grant(name: "", scopes: [.read, .respond, .lockSurface])
        }
    }

    init(name: String, scopes: [Scope]) {
        self.name = name
        self.scopes = scopes
    }

    /// Reads what the store has; a damaged grant allows nothing.
    init(stored text: String) {
        let object = (try? JSONObject(parsing: Array(text.utf8).span, depthLimit: 3)) ?? [:]
        name = object["name"]?.string ?? ""
        scopes = object["scopes"]?.array?.compactMap { $0.string.flatMap(Scope.init) } ?? []
    }

    /// Reads what somebody asks for, who names a scope at least.
    init(_ object: JSONObject) throws(APIError) {
        guard let name = object["name"]?.string, Self.nameByteCounts.contains(name.utf8.count) else {
            throw .badParameter("\"name\" must be a text of 1 to 64 bytes")
        }
        guard let words = object["scopes"]?.array, (1...Self.scopeLimit).contains(words.count) else {
            throw .badParameter("\"scopes\" must be a list of 1 to 64 words")
        }
        self.name = name
        scopes = []
        for word in words {
            guard let scope = word.string.flatMap(Scope.init) else {
                throw .badParameter(
                    "\"scopes\" has a word that is none of read, respond, settings, position, admin, app:TOPIC and "
                        + "surface:lock"
                )
            }
            if !scopes.contains(scope) { scopes.append(scope) }
        }
        guard !scopes.contains(.lockSurface) || scopes.allSatisfy(\.isOfLockView) else {
            throw .badParameter("\"surface:lock\" goes with read and respond alone")
        }
    }

    var stored: String { String(decoding: json.serialized, as: UTF8.self) }

    var json: JSONObject {
        ["name": .string(name), "scopes": .array(scopes.map { .string($0.word) })]
    }
}
