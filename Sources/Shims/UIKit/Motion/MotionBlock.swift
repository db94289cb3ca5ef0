// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel

/// A block of code whose changes the page moves over a time.
struct MotionBlock {
    var seconds: Double
    var delay: Double
    var curve: SceneMotion.Curve
    /// True for a block that moves nothing, though one around it does.
    var isStill = false
    /// True once something has changed in it that is shown.
    var hasChanged = false

    /// Takes times of the caller: what is no number or less than 0 means 0.
    init(seconds: TimeInterval, delay: TimeInterval, curve: SceneMotion.Curve) {
        self.seconds = seconds > 0 ? seconds : 0
        self.delay = delay > 0 ? delay : 0
        self.curve = curve
    }

    /// The time until the end.
    var wholeSeconds: Double { seconds + delay }

    /// The motion as an update has it, of 10 seconds at most; `nil` means at once.
    ///
    /// A person who wants less motion sees what has changed after the delay, without a way to it.
    var sceneMotion: SceneMotion? {
        guard !isStill, wholeSeconds > 0 else { return nil }
        let times = SceneMotion.times
        let wait = min(delay, times.upperBound)
        if Surroundings.environment.reducedMotion { return wait > 0 ? SceneMotion(seconds: 0, delay: wait) : nil }
        return SceneMotion(seconds: min(seconds, times.upperBound), delay: wait, curve: curve)
    }
}

extension Stage {
    /// The innermost block that is under way.
    var block: MotionBlock? { blocks.last }

    /// True while changes move.
    var isMoving: Bool { areAnimationsEnabled && block.map { !$0.isStill } ?? false }

    /// Closes what has changed so far in all windows; true if something looks otherwise in one.
    @discardableResult
    func seal(_ motion: SceneMotion?) -> Bool {
        // Each of them, whatever the others say.
        windows.map { $0.seal(motion) }.contains(true)
    }

    /// Runs a block so that its changes move by themselves; true if it has changed something that is shown.
    @discardableResult
    func run(_ block: MotionBlock, _ changes: () -> Void) -> Bool {
        // Keyframes take their changes by themselves.
        guard keyframes == nil else {
            changes()
            return true
        }
        note(seal(self.block?.sceneMotion))
        blocks.append(block)
        changes()
        let hasChanged = blocks.removeLast().hasChanged
        let isSealed = seal(block.sceneMotion)
        if isSealed || hasChanged { noteEnd(after: block.wholeSeconds) }
        note(isSealed || hasChanged)
        return isSealed || hasChanged
    }

    /// Notes that something has changed in the innermost block.
    private func note(_ hasChanged: Bool) {
        guard hasChanged, !blocks.isEmpty else { return }
        blocks[blocks.count - 1].hasChanged = true
    }
}
