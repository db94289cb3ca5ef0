// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// The surfaces of the owner and the place of this desktop among them, as the centre tells them and is told.
struct OwnerSurfaces: Sendable {
    /// The time between two changes of a surface; the centre takes two a second.
    private static let tellingPause = Duration.milliseconds(550)

    /// The centre's name of this desktop; `nil` means that no stream is open.
    private var name: String?
    /// `nil` means that the centre has told none, so that nothing is this desktop's to show.
    private var listed: (presenters: [Presenter], own: Int)?
    private var told: (state: Presenter.State, at: Duration)?

    // MARK: What the centre tells

    /// Takes the beginning of a stream.
    mutating func take(hello: JSONObject) { (name, listed, told) = (hello["surface"]?.string, nil, nil) }

    /// Takes that the stream has ended.
    mutating func takeEnd() { (name, listed, told) = (nil, nil, nil) }

    mutating func take(_ data: JSONObject) {
        let list = (data["surfaces"]?.array ?? []).compactMap { $0.object.flatMap(Presenter.init) }
        listed = data["own"]?.integer.flatMap { own in
            list.indices.contains(Int(clamping: own)) ? (list, Int(clamping: own)) : nil
        }
    }

    // MARK: What the centre is told

    /// Counts that the centre is told the state, and returns the name of the surface; `nil` means that it is not to be
    /// told now, and `wake` is when it is to be.
    mutating func tell(_ state: Presenter.State, at now: Duration, wake: inout Duration?) -> String? {
        guard let name, told?.state != state else { return nil }
        let next = told.map { $0.at + Self.tellingPause } ?? now
        guard next <= now else {
            wake = next
            return nil
        }
        told = (state, now)
        return name
    }

    /// Takes that the centre has refused the state of the surface, or did not get it.
    mutating func takeUntold() { told?.state = Presenter.State() }

    // MARK: Whose turn it is

    /// Tells whether the banner and the sound of a notification are this desktop's, which is in a state.
    ///
    /// The desktop knows its own state better than the centre's list, which is behind by the time of an event.
    func turn(
        of notification: DesktopNotification,
        while state: Presenter.State
    ) -> (showsBanner: Bool, playsSound: Bool) {
        guard notification.level != .passive, let (winners, own) = winners(notification.level == .critical, state)
        else { return (false, false) }
        return (winners.banners.contains(own), winners.sounds.contains(own))
    }

    /// Tells whether a banner is this desktop's, which is in a state; `nil` means that the centre has told no surfaces.
    func hasBanner(while state: Presenter.State) -> Bool? {
        winners(false, state).map { $0.banners.contains($1) }
    }

    private func winners(_ isCritical: Bool, _ state: Presenter.State) -> (InterruptionRule.Winners, own: Int)? {
        guard let listed else { return nil }
        var list = listed.presenters
        list[listed.own].state = state
        return (InterruptionRule.winners(of: list, isCritical: isCritical), listed.own)
    }
}
