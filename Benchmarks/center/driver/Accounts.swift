// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import UserNotificationCenter

/// The owners and apps of a run: 100 owners, who have ten apps each and have allowed all of them.
enum Accounts {
    /// The owner whom the centre's own socket serves.
    static let watched = CenterOwner.only
    static let others = (1...99).map { "owner\($0)" }
    static let owners = [watched] + others
    static let apps = (0...9).map { "com.example.app\($0)" }

    /// The permission of each app as the store keeps it.
    static var permission: [UInt8] {
        var permission = AppPermission()
        _ = permission.apply(.authorize([.alert, .badge, .sound], isGrantedByOperator: true))
        return permission.json.serialized
    }

    /// The owners and apps as a host names them.
    static var registry: LinkRegistry {
        LinkRegistry(
            owners: owners.map { CenterOwner(name: $0) },
            apps: apps.map { topic in
                var app = CenterApp(topic: topic, name: "App")
                app.authorization = .granted
                app.pendingLimit = 0
                return app
            }
        )
    }
}
