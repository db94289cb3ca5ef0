// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

/// An app of an owner as the API shows it: what it is called and looks like, what it may do, and its badge.
struct AppView {
    private let installation: Installation
    private let permission: AppPermission
    private let name: String
    private let icon: String?
    private let desktopEntry: String?
    private let policy: AppPolicy

    /// `permission` is the installation's, for whoever has read it already.
    init(_ installation: Installation, permission: AppPermission? = nil, in center: Center) {
        self.installation = installation
        self.permission = permission ?? AppPermission(stored: installation.permission)
        name = center.name(of: installation.key)
        policy = center.policy(of: installation.key)
        desktopEntry = center.app(installation.key).desktopEntry
        icon = center.appFiles.path(of: AppFile(topic: installation.key.app, .icon))
    }

    var json: JSONObject {
        var object: JSONObject = [
            "app": .string(installation.key.app), "name": .string(name),
            "status": .string(permission.status.word), "badge": .integer(Int64(installation.badge)),
            "stored": .integer(Int64(installation.stored)),
            "settings": .object(policy.offered(permission.settings.json)),
        ]
        if permission.offersOwnSettings { object["providesAppNotificationSettings"] = true }
        object["icon"] = icon.map(JSON.string)
        object["desktopEntry"] = desktopEntry.map(JSON.string)
        // The owner is asked, and the app waits.
        object["question"] = permission.question.map(\.json)
        return object
    }
}

extension AuthorizationStatus {
    /// Apple's name of the case.
    var word: String {
        switch self {
        case .notDetermined: "notDetermined"
        case .denied: "denied"
        case .authorized: "authorized"
        case .provisional: "provisional"
        }
    }
}
