// SPDX-License-Identifier: Apache-2.0

// Everything of Foundation comes with AVFoundation.
@_exported public import Foundation
import UIKit

/// A film or a sound while it is played.
///
/// `status`, `duration`, `error` and `isPlaybackLikelyToKeepUp` can be observed by key path.
/// Source: Apple, "AVPlayerItem".
@preconcurrency @MainActor open class AVPlayerItem: NSObject {
    /// The state of an item.
    public enum Status: Int, Sendable {
        case unknown, readyToPlay, failed
    }

    /// The file.
    public let asset: AVAsset
    /// Known once the page has looked at the file.
    open internal(set) var status = Status.unknown
    /// The reason for which the page does not play it.
    open internal(set) var error: (any Error)?
    /// The player that has the item.
    weak var player: AVPlayer?
    let observers = KeyPathObservers()
    /// Seconds at which the item is while it is in no player.
    var seconds = 0.0

    /// An item of a file.
    public init(asset: AVAsset) {
        self.asset = asset
        super.init()
    }

    /// An item of a file; the keys are known when the page tells them.
    public convenience init(asset: AVAsset, automaticallyLoadedAssetKeys: [String]?) {
        self.init(asset: asset)
    }

    /// An item of a file of the notification or of the bundle.
    public convenience init(url URL: URL) {
        self.init(asset: AVURLAsset(url: URL))
    }

    /// The length, once the page has told it.
    open var duration: CMTime {
        asset.seconds.map { CMTime(seconds: $0, preferredTimescale: 1000) } ?? .indefinite
    }
    /// The size of the film, which the page does not tell.
    open var presentationSize: CGSize { .zero }
    /// The parts that are there: all of it.
    open var loadedTimeRanges: [NSValue] { [] }
    /// The parts to which it can jump: all of it, once the length is known.
    open var seekableTimeRanges: [NSValue] { [] }
    /// True: a file is there.
    open var isPlaybackLikelyToKeepUp: Bool { status == .readyToPlay }
    /// True: a file is there.
    open var isPlaybackBufferFull: Bool { status == .readyToPlay }
    /// False: a file is there.
    open var isPlaybackBufferEmpty: Bool { false }
    /// This has no effect: a file is there.
    open var preferredForwardBufferDuration: TimeInterval = 0
    /// This has no effect: a file has one quality.
    open var preferredPeakBitRate: Double = 0
    /// This has no effect, as the page plays to the end.
    open var forwardPlaybackEndTime = CMTime.invalid

    /// The place that it has reached.
    open func currentTime() -> CMTime { CMTime(seconds: player?.seconds ?? seconds, preferredTimescale: 1000) }

    /// Jumps to a place.
    open func seek(to time: CMTime, completionHandler: ((Bool) -> Void)?) {
        guard let player else {
            seconds = time.isNumeric ? max(0, time.seconds) : seconds
            completionHandler?(true)
            return
        }
        player.jump(to: time, completionHandler)
    }

    /// Jumps to a place; the page is as exact as its browser.
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: ((Bool) -> Void)?
    ) { seek(to: time, completionHandler: completionHandler) }

    /// Does nothing: a jump is made at once.
    open func cancelPendingSeeks() {}

    func become(_ status: Status, error: (any Error)? = nil) {
        guard status != self.status else { return }
        self.status = status
        self.error = error
        observers.tell(\AVPlayerItem.status)
        observers.tell(\AVPlayerItem.error)
        observers.tell(\AVPlayerItem.isPlaybackLikelyToKeepUp)
    }

    func takeDuration(_ seconds: Double) {
        guard asset.seconds != seconds else { return }
        asset.seconds = seconds
        observers.tell(\AVPlayerItem.duration)
    }
}

extension AVPlayerItem: _KeyPathObservable {
    /// Calls a function for each change of a property.
    @_spi(AVFoundation)
    public func _observe(_ keyPath: AnyKeyPath, _ call: @escaping () -> Void) -> NSKeyValueObservation {
        observers.add(keyPath, call)
    }
}

extension NSNotification.Name {
    /// An item has been played to its end; the object is the item.
    public static let AVPlayerItemDidPlayToEndTime = NSNotification.Name("AVPlayerItemDidPlayToEndTimeNotification")
    /// An item cannot be played to its end; the object is the item.
    public static let AVPlayerItemFailedToPlayToEndTime = NSNotification.Name(
        "AVPlayerItemFailedToPlayToEndTimeNotification"
    )
    /// An item waits for its data; never posted.
    public static let AVPlayerItemPlaybackStalled = NSNotification.Name("AVPlayerItemPlaybackStalledNotification")
    /// An item has jumped; the object is the item.
    public static let AVPlayerItemTimeJumped = NSNotification.Name("AVPlayerItemTimeJumpedNotification")
    /// An item has a new line in its log; never posted.
    public static let AVPlayerItemNewErrorLogEntry = NSNotification.Name("AVPlayerItemNewErrorLogEntryNotification")
}

extension AVPlayerItem {
    /// The newer name of `NSNotification.Name.AVPlayerItemDidPlayToEndTime`.
    public nonisolated static let didPlayToEndTimeNotification = NSNotification.Name.AVPlayerItemDidPlayToEndTime
    /// The newer name of `NSNotification.Name.AVPlayerItemFailedToPlayToEndTime`.
    public nonisolated static let failedToPlayToEndTimeNotification = NSNotification.Name
        .AVPlayerItemFailedToPlayToEndTime
    /// The newer name of `NSNotification.Name.AVPlayerItemTimeJumped`.
    public nonisolated static let timeJumpedNotification = NSNotification.Name.AVPlayerItemTimeJumped
    /// The newer name of `NSNotification.Name.AVPlayerItemPlaybackStalled`.
    public nonisolated static let playbackStalledNotification = NSNotification.Name.AVPlayerItemPlaybackStalled
}

/// The key of the error in the notification of an item that cannot be played.
public let AVPlayerItemFailedToPlayToEndTimeErrorKey = "AVPlayerItemFailedToPlayToEndTimeErrorKey"
/// The domain of the errors of this module.
public let AVFoundationErrorDomain = "AVFoundationErrorDomain"
