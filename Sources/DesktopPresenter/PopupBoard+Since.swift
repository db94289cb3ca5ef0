// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The part of the board that hands on what the popup of what was missed is to know.
extension PopupBoard {
    /// Takes the position at which a stream will begin: what is past has no popup of its own.
    package mutating func take(start position: Int64) { since.take(start: position) }

    /// Takes that a person was away: the machine slept, or Do Not Disturb has ended.
    package mutating func takeReturn() { since.takeReturn() }

    /// Takes whether the desktop is not to be disturbed; what came meanwhile is told of when that has ended.
    package mutating func take(isInhibited: Bool) { if inhibition.take(isInhibited) { since.takeReturn() } }

    /// Takes what an owner wants, as the centre tells it.
    package mutating func take(owner: JSONObject, at now: Duration) { since.take(owner: owner, at: now) }

    /// Takes what the centre has answered that was asked for what is not seen.
    package mutating func take(unseen answer: UnseenAnswer, at now: Duration) {
        since.take(answer, at: now, time.moment(at: now))
    }

    /// Takes whether the page was opened that a popup leads to.
    package mutating func take(wasOpened: Bool) { since.take(wasOpened: wasOpened) }
}
