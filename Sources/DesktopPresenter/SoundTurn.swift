// SPDX-License-Identifier: Apache-2.0

/// The turn of the sounds of a desktop, of which one is played at a time.
///
/// A sound that comes while another is played is left out, unless it is critical and the other is not: then the other
/// one ends.
package struct SoundTurn: Sendable {
    private var playing: PopupSound?
    private var next: PopupSound?

    package init() {}

    /// Takes a sound; true means that the one that is played is to end for it.
    package mutating func take(_ sound: PopupSound) -> Bool {
        guard let playing else {
            if next == nil || sound.isCritical && next?.isCritical == false { next = sound }
            return false
        }
        guard sound.isCritical, !playing.isCritical, next == nil else { return false }
        next = sound
        return true
    }

    /// Begins with the sound whose turn it is; `nil` means that there is none.
    package mutating func begin() -> PopupSound? {
        (playing, next) = (next, nil)
        return playing
    }

    /// True if the sound that is played is to end.
    package var isOver: Bool { next != nil }

    /// Takes that the sound has ended.
    package mutating func takeEnd() { playing = nil }
}
