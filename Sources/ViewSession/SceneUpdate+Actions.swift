// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import HostLog
package import SceneModel
package import UserNotificationsUI

extension SceneUpdate {
    /// Returns the buttons of a view as a host takes them, and logs how many it does not take.
    package static func readable(showing actions: [UNNotificationAction]) -> [CategoryAction] {
        let wanted = actions.map(CategoryAction.init)
        let taken = readable(wanted)
        if taken.count < wanted.count {
            HostLog.write(
                .error,
                "\(wanted.count - taken.count) of \(wanted.count) actions are not shown by a view"
            )
        }
        return taken
    }
}
