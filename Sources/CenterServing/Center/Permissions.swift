// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Locking
import NotificationPayload
import UserNotificationCenter

/// The permissions of installations, as the store has them, kept at hand for what arrives.
///
/// Bounded: over its limit everything is forgotten and read again.
final class Permissions: Sendable {
    private static let limit = 10_000

    private let store: CenterStore
    private let known = Locked<[InstallationKey: AppPermission]>([:])

    init(_ store: CenterStore) {
        self.store = store
    }

    /// Returns the permission of an installation; `nil` means that there is no such installation yet.
    func permission(of key: InstallationKey) throws(DatabaseFailure) -> AppPermission? {
        if let permission = known.withLock({ $0[key] }) { return permission }
        guard let installation = try store.installation(key) else { return nil }
        let permission = AppPermission(stored: installation.permission)
        // Whoever changed it meanwhile has noted what the store has now.
        return known.withLock { known in
            if let newer = known[key] { return newer }
            if known.count < Self.limit { known[key] = permission }
            return permission
        }
    }

    /// The store has another permission from now on.
    func note(_ permission: AppPermission, of key: InstallationKey) {
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[key] = permission
        }
    }
}

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
