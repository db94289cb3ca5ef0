// SPDX-License-Identifier: Apache-2.0

public import Foundation
import SceneModel

/// The keyframes of an animation while their blocks run.
struct KeyframeRecording {
    fileprivate var recordings: [MotionRecording]
    fileprivate let block: MotionBlock
    fileprivate let isDiscrete: Bool
    /// The ways of each window.
    fileprivate var legs: [[MotionPlay.Leg]]

    @MainActor fileprivate init(_ windows: [UIWindow], _ block: MotionBlock, isDiscrete: Bool) {
        recordings = windows.map { MotionRecording($0) }
        self.block = block
        self.isDiscrete = isDiscrete
        legs = windows.map { _ in [] }
    }

    /// Takes what has changed as a way that begins at a part of the time.
    @MainActor fileprivate mutating func take(from start: Double, for part: Double) {
        let motion = SceneMotion(
            seconds: min(part * block.seconds, SceneMotion.times.upperBound),
            curve: block.curve
        )
        for index in recordings.indices {
            let looks = recordings[index].take()
            guard !looks.isEmpty else { continue }
            let leg = MotionPlay.Leg(
                start: block.delay + start * block.seconds,
                motion: isDiscrete || motion.seconds == 0 ? nil : motion,
                looks: looks
            )
            legs[index].append(leg)
        }
    }
}

extension UIView {
    /// Moves through the keyframes that the block adds.
    ///
    /// The page goes from one to the next in straight lines, or jumps with `calculationModeDiscrete`. What the block
    /// changes outside of keyframes moves over the whole time. The keyframes are played one by one as long as nobody
    /// else changes the same views; what is changed meanwhile is shown at once.
    public class func animateKeyframes(
        withDuration duration: TimeInterval,
        delay: TimeInterval,
        options: KeyframeAnimationOptions = [],
        animations: @escaping () -> Void,
        completion: ((Bool) -> Void)? = nil
    ) {
        guard
            onMain(
                self.animateKeyframes(
                    withDuration: duration,
                    delay: delay,
                    options: options,
                    animations: animations,
                    completion: completion
                )
            )
        else { return }
        let stage = Stage.current
        guard stage.areAnimationsEnabled, stage.keyframes == nil else {
            animations()
            return stage.end(after: stage.block?.wholeSeconds ?? 0, completion)
        }
        let block = MotionBlock(seconds: duration, delay: delay, curve: .linear)
        stage.keyframes = KeyframeRecording(
            stage.windows,
            block,
            isDiscrete: options.contains(.calculationModeDiscrete)
        )
        stage.blocks.append(block)
        animations()
        if options.contains(.layoutSubviews) { for window in stage.windows { window.layoutIfNeeded() } }
        stage.blocks.removeLast()
        stage.keyframes?.take(from: 0, for: 1)
        let recorded = stage.keyframes
        stage.keyframes = nil
        guard let recorded else { return }
        let isEndless = options.contains(.repeat)
        let hasChanged = stage.play(recorded, rounds: isEndless ? .infinity : 1)
        if !isEndless { stage.end(after: hasChanged ? block.wholeSeconds : 0, completion) }
    }

    /// Adds a keyframe: what the block changes moves in a part of the time, both from 0 to 1.
    ///
    /// Outside of `animateKeyframes` the block just runs.
    public class func addKeyframe(
        withRelativeStartTime frameStartTime: Double,
        relativeDuration frameDuration: Double,
        animations: @escaping () -> Void
    ) {
        guard
            onMain(
                self.addKeyframe(
                    withRelativeStartTime: frameStartTime,
                    relativeDuration: frameDuration,
                    animations: animations
                )
            )
        else { return }
        let stage = Stage.current
        guard stage.keyframes != nil else { return animations() }
        // What was changed before it belongs to the whole.
        stage.keyframes?.take(from: 0, for: 1)
        animations()
        let start = frameStartTime > 0 ? min(frameStartTime, 1) : 0
        let part = frameDuration > 0 ? min(frameDuration, 1 - start) : 0
        stage.keyframes?.take(from: start, for: part)
    }
}

extension Stage {
    /// Plays keyframes; true if they have changed something that is shown.
    fileprivate func play(_ keyframes: KeyframeRecording, rounds: Double) -> Bool {
        var hasChanged = false
        for (index, recording) in keyframes.recordings.enumerated() {
            var recording = recording
            hasChanged = hasChanged || recording.hasChanged
            let first = recording.finish()
            guard !first.isEmpty else { continue }
            MotionPlay(
                in: recording.window,
                of: self,
                from: first,
                keyframes.legs[index],
                seconds: keyframes.block.wholeSeconds,
                rounds: rounds
            ).begin()
        }
        return hasChanged
    }
}
