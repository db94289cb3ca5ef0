// SPDX-License-Identifier: Apache-2.0

/// A popup that is to be shown.
struct WaitingPopup: Sendable {
    let stack: StackName
    let notification: DesktopNotification
    var playsSound: Bool
    /// The words of its stack; `nil` means that the centre has not been asked for them yet.
    var words: StackWords?
}

/// A popup on the screen.
struct ShownPopup: Sendable {
    let stack: StackName
    let notification: DesktopNotification
    let daemonID: UInt32
    /// True if the popup says what a lock hides.
    let saysAll: Bool
}

/// A popup that the daemon was asked for and has not answered.
struct AskedPopup: Sendable {
    let ticket: Int
    let waiting: WaitingPopup
    let since: Duration
    /// True if the popup says what a lock hides.
    let saysAll: Bool
    /// The daemon's id of the popup whose place this one takes; 0 means that there is none.
    let replaces: UInt32
    /// True if its notification went meanwhile.
    var isGone = false
}
