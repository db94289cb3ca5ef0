// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import FoundationCompatibility

/// The frames a second that a display link is to be called.
public struct CAFrameRateRange: Hashable, Sendable {
    /// The fewest calls a second.
    public var minimum: Float
    /// The most calls a second; 0 means as many as there are.
    public var maximum: Float
    /// The calls a second that are wished; 0 means none in particular.
    public var preferred: Float

    /// Takes three numbers of calls a second.
    public init(minimum: Float, maximum: Float, preferred: Float? = nil) {
        (self.minimum, self.maximum, self.preferred) = (minimum, maximum, preferred ?? 0)
    }

    /// The rate of the screen.
    public static let `default` = CAFrameRateRange(minimum: 0, maximum: 0, preferred: 0)
}

/// A call of a method at each frame: 30 times a second at most, as often as a view is drawn.
///
/// Source: Apple, "CADisplayLink".
@preconcurrency @MainActor open class CADisplayLink: NSObject {
    private static let mostFrames = 30.0

    private var target: NSObject?
    private let selector: Selector
    private let stage = Stage.current
    private var call: UInt64?
    private var isAdded = false

    /// The time of the frame that is told.
    open private(set) var timestamp: CFTimeInterval = 0
    /// The seconds of a frame of the screen.
    open var duration: CFTimeInterval { 1 / Self.mostFrames }
    /// The time of the frame after the one that is told.
    open var targetTimestamp: CFTimeInterval { timestamp + seconds }
    /// The frames that are left out, and one; an older way to `preferredFramesPerSecond`.
    open var frameInterval = 1
    /// The frames a second; 0 for as many as there are.
    open var preferredFramesPerSecond = 0
    /// The frames a second, of which `preferred` counts, or else `maximum`.
    open var preferredFrameRateRange = CAFrameRateRange.default
    /// True for one that is not called.
    @_OnMainThread open var isPaused = false { didSet { if isPaused != oldValue { restart() } } }

    /// A link that calls a method with itself; it keeps the target alive until it is invalidated.
    public init(target: Any, selector sel: Selector) {
        self.target = target as? NSObject
        selector = sel
        super.init()
    }

    /// Begins to call, whatever the run loop.
    open func add(to runloop: RunLoop, forMode mode: RunLoop.Mode) {
        guard onMain(self.add(to: runloop, forMode: mode)) else { return }
        isAdded = true
        restart()
    }

    /// Stops calling.
    open func remove(from runloop: RunLoop, forMode mode: RunLoop.Mode) {
        guard onMain(self.remove(from: runloop, forMode: mode)) else { return }
        isAdded = false
        restart()
    }

    /// Stops calling for ever, and lets go of the target.
    open func invalidate() {
        guard onMain(self.invalidate()) else { return }
        (isAdded, target) = (false, nil)
        restart()
    }

    private var seconds: Double {
        let range = Double(
            preferredFrameRateRange.preferred > 0 ? preferredFrameRateRange.preferred : preferredFrameRateRange.maximum
        )
        let wanted = range > 0 ? range : Double(preferredFramesPerSecond)
        let frames = wanted > 0 ? min(wanted, Self.mostFrames) : Self.mostFrames
        return Double(max(1, frameInterval)) / frames
    }

    private func restart() {
        if let call { stage.timeline.cancel(call) }
        call = nil
        guard isAdded, !isPaused, target != nil else { return }
        call = stage.timeline.call(after: seconds) { [self] in tick() }
    }

    private func tick() {
        timestamp = stage.timeline.seconds
        restart()
        _ = target?.perform(selector, with: self)
    }
}
