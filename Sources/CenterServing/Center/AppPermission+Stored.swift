// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

extension AppPermission {
    /// Makes the permission of an app about which its owner has not been asked.
    init(of app: CenterApp) {
        self.init()
        guard app.authorization == .granted else { return }
        var options: AuthorizationOptions = [.alert, .badge, .sound]
        if app.allowsCriticalAlerts { options.insert(.criticalAlert) }
        _ = apply(.authorize(options, isGrantedByOperator: true))
    }

    /// Reads what the store has; a damaged or unreadable permission is none: nothing is shown that nobody allowed.
    init(stored: Permission) {
        guard let object = try? JSONObject(parsing: stored.settings.span, depthLimit: 8),
            let permission = try? AppPermission(object)
        else {
            self.init()
            return
        }
        self = permission
    }

    /// The permission as the store keeps it.
    var stored: Permission {
        var permission = Permission()
        permission.status = status.storedValue
        permission.options = Int(asked.rawValue)
        permission.settings = json.serialized
        return permission
    }
}

extension AuthorizationStatus {
    /// The value of `UNAuthorizationStatus`.
    fileprivate var storedValue: Int {
        switch self {
        case .notDetermined: 0
        case .denied: 1
        case .authorized: 2
        case .provisional: 3
        }
    }
}
