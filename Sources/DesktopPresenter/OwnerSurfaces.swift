// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// The surfaces of the owner and the place of this desktop among them, as the centre tells them.
struct OwnerSurfaces: Sendable {
    /// `nil` means that the centre has told none, so that nothing is this desktop's to show.
    private var told: (list: [Presenter], own: Int)?

    mutating func take(_ data: JSONObject) {
        let list = (data["surfaces"]?.array ?? []).compactMap { $0.object.flatMap(Presenter.init) }
        told = data["own"]?.integer.flatMap { own in
            list.indices.contains(Int(clamping: own)) ? (list, Int(clamping: own)) : nil
        }
    }

    /// Tells whether the banner and the sound of a notification are this desktop's, which is in a state.
    ///
    /// The desktop knows its own state better than the centre's list, which is behind by the time of an event.
    func turn(
        of notification: DesktopNotification,
        while state: Presenter.State
    ) -> (showsBanner: Bool, playsSound: Bool) {
        guard let told, notification.level != .passive else { return (false, false) }
        var list = told.list
        list[told.own].state = state
        let winners = InterruptionRule.winners(of: list, isCritical: notification.level == .critical)
        return (winners.banners.contains(told.own), winners.sounds.contains(told.own))
    }
}
