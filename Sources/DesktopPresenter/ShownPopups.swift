// SPDX-License-Identifier: Apache-2.0

/// The popups on the screen, one for each stack, the oldest first.
struct ShownPopups: Sendable {
    private var popups: [ShownPopup] = []

    var daemonIDs: [UInt32] { popups.map(\.daemonID) }

    subscript(daemonID: UInt32) -> ShownPopup? { popups.first { $0.daemonID == daemonID } }

    subscript(stack: StackName) -> ShownPopup? { popups.first { $0.stack == stack } }

    func all(_ isMeant: (ShownPopup) -> Bool) -> [ShownPopup] { popups.filter(isMeant) }

    /// Adds a popup in the place of that of its stack; returns the one for which there is no room any more.
    mutating func add(_ new: ShownPopup) -> ShownPopup? {
        popups.removeAll { $0.stack == new.stack || $0.daemonID == new.daemonID }
        popups.append(new)
        return popups.count > PopupBoard.stackLimit ? popups.removeFirst() : nil
    }

    @discardableResult
    mutating func remove(_ daemonID: UInt32) -> ShownPopup? {
        popups.firstIndex { $0.daemonID == daemonID }.map { popups.remove(at: $0) }
    }

    /// Removes popups, and returns them.
    mutating func remove(_ isGone: (ShownPopup) -> Bool) -> [ShownPopup] {
        defer { popups.removeAll(where: isGone) }
        return popups.filter(isGone)
    }
}
