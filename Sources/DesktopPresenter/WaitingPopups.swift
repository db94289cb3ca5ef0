// SPDX-License-Identifier: Apache-2.0

/// The popups that are to be shown, one for each stack, in the order in which their stacks began to wait.
struct WaitingPopups: Sendable {
    private var popups: [WaitingPopup] = []

    var isEmpty: Bool { popups.isEmpty }

    /// The popups of other stacks than these.
    func ready(besides busy: Set<StackName>) -> [WaitingPopup] { popups.filter { !busy.contains($0.stack) } }

    /// Has a popup wait; what waited of its stack gives way, and keeps its place.
    mutating func add(_ new: WaitingPopup) {
        guard let place = popups.firstIndex(where: { $0.stack == new.stack }) else {
            popups.append(new)
            if popups.count > PopupBoard.stackLimit { popups.removeFirst() }
            return
        }
        let wasHeard = !popups[place].playsSound
        popups[place] = new
        // One that nobody has heard yet sounds with the one that takes its place.
        if !wasHeard { popups[place].playsSound = true }
    }

    /// Has a popup come once more, in silence, unless something newer of its stack waits.
    mutating func add(again notification: DesktopNotification, in stack: StackName) {
        guard !popups.contains(where: { $0.stack == stack }) else { return }
        add(WaitingPopup(stack: stack, notification: notification, playsSound: false))
    }

    mutating func remove(_ isGone: (WaitingPopup) -> Bool) { popups.removeAll(where: isGone) }

    /// Changes what waits, each popup by itself.
    mutating func change(_ change: (inout WaitingPopup) -> Void) {
        for place in popups.indices { change(&popups[place]) }
    }
}
