// SPDX-License-Identifier: Apache-2.0

/// The stretch of time for which Do Not Disturb is on, remembered by the owner's number at which it began.
///
/// At its end the owner is told once what came meanwhile, and never again of the same notifications.
package enum QuietSpell: Sendable, Equatable {
    case none
    /// Notifications above this number came while it was on.
    case since(Int64)

    package enum Event: Sendable, Equatable {
        case began
        case ended
        /// Do Not Disturb ended, and these numbers were given meanwhile; some may be no notifications.
        case missed(ClosedRange<Int64>)
    }

    /// Takes the state of Do Not Disturb at a moment at which the owner's last number is `position`.
    ///
    /// `nil` means that nothing changed.
    package mutating func update(isOn: Bool, position: Int64) -> Event? {
        switch (self, isOn) {
        case (.none, true):
            self = .since(position)
            return .began
        case (.since(let start), false):
            self = .none
            return position > start ? .missed(start + 1...position) : .ended
        case (.none, false), (.since, true):
            return nil
        }
    }
}
