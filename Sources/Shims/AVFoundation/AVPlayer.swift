// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
package import SceneModel
package import UIKit

/// A player of films and sounds, which the page plays.
///
/// The page plays files of the notification and of the bundle alone. It may refuse to begin by itself: a person's
/// browser decides, and the player is paused then. What it plays it tells once a second; between that the time goes
/// on by the clock. Films have one pace. `status`, `timeControlStatus`, `rate`, `currentItem` and `error` can be
/// observed by key path. Source: Apple, "AVPlayer".
@preconcurrency @MainActor open class AVPlayer: NSObject {
    /// The state of a player.
    public enum Status: Int, Sendable {
        case unknown, readyToPlay, failed
    }

    /// The act of a player.
    public enum TimeControlStatus: Int, Sendable {
        case paused, waitingToPlayAtSpecifiedRate, playing
    }

    /// The act of a player at the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        case advance, pause, none
    }

    /// The reason for which a player waits.
    public struct WaitingReason: Hashable, Sendable, RawRepresentable {
        /// The value by which Apple knows it.
        public let rawValue: String

        /// Takes the value by which Apple knows it.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The page does not know the file yet.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// There is no item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }

    /// The item that is played.
    open private(set) var currentItem: AVPlayerItem?
    /// 0 for a player that is paused; the page plays at the pace of 1 whatever else this is.
    open var rate: Float = 0 {
        didSet {
            guard rate != oldValue else { return }
            if rate != 0, rate != 1 { Absent.noteRate() }
            rateChanged()
        }
    }
    /// The rate with which `play()` begins.
    open var defaultRate: Float = 1
    /// True for one without sound.
    open var isMuted = false { didSet { changed() } }
    /// 0 to 1.
    open var volume: Float = 1 { didSet { changed() } }
    /// The act at the end of an item.
    open var actionAtItemEnd = ActionAtItemEnd.pause
    /// This has no effect: files are there.
    open var automaticallyWaitsToMinimizeStalling = true
    /// This has no effect: the page plays in the box.
    open var allowsExternalPlayback = true
    /// This has no effect: the page does not keep a screen awake.
    open var preventsDisplaySleepDuringVideoPlayback = true

    /// True for an item that the page begins again at its end.
    var isLooping = false { didSet { changed() } }
    /// The layer that shows the film.
    weak var screen: AVPlayerLayer? { didSet { placeChanged() } }
    /// Called at the end of an item, for an `AVAudioPlayer`.
    var onEnd: (() -> Void)?

    let stage = Stage.current
    let observers = KeyPathObservers()
    var timeObservers = TimeObservers()
    /// The layer of a player that is heard and not seen.
    private let ear = CALayer()
    private var jumps: UInt32 = 0
    /// The place of the last jump.
    private var jumpSeconds = 0.0
    /// A place of the film, and the time of the stage at which it was there.
    private var anchor = (seconds: 0.0, time: 0.0)

    /// A player without an item.
    public override init() {
        super.init()
        ear.content = self
    }

    /// A player of an item.
    public init(playerItem item: AVPlayerItem?) {
        super.init()
        ear.content = self
        replaceCurrentItem(with: item)
    }

    /// A player of a file.
    public convenience init(url URL: URL) {
        self.init(playerItem: AVPlayerItem(url: URL))
    }

    isolated deinit {
        if let call = timeObservers.call { stage.timeline.cancel(call) }
        stage.unseenChanged()
    }

    /// Ready once an item is, failed once one has failed.
    open var status: Status {
        switch currentItem?.status {
        case .readyToPlay: .readyToPlay
        case .failed: .failed
        case .unknown, nil: .unknown
        }
    }

    /// The reason for which the item is not played.
    open var error: (any Error)? { currentItem?.error }

    /// The act of the player, which waits until the page knows the file.
    open var timeControlStatus: TimeControlStatus {
        guard rate != 0 else { return .paused }
        return currentItem?.status == .readyToPlay ? .playing : .waitingToPlayAtSpecifiedRate
    }

    /// The reason for which the player waits.
    open var reasonForWaitingToPlay: WaitingReason? {
        guard timeControlStatus == .waitingToPlayAtSpecifiedRate else { return nil }
        return currentItem == nil ? .noItemToPlay : .toMinimizeStalls
    }

    /// Begins, or goes on.
    open func play() { rate = defaultRate }

    /// Stops where it is.
    open func pause() { rate = 0 }

    /// Begins, or goes on.
    open func playImmediately(atRate rate: Float) { self.rate = rate }

    /// Plays another item.
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        guard item !== currentItem else { return }
        // The first item begins at its beginning by itself.
        if currentItem != nil || item?.seconds ?? 0 > 0 { jumps &+= 1 }
        currentItem?.seconds = seconds
        currentItem?.player = nil
        currentItem = item
        item?.player = self
        (jumpSeconds, anchor) = (item?.seconds ?? 0, (item?.seconds ?? 0, stage.timeline.seconds))
        observers.tell(\AVPlayer.currentItem)
        placeChanged()
        restartObservers()
    }

    // MARK: Time

    /// The place in seconds, up to the end.
    var seconds: Double {
        guard timeControlStatus == .playing else { return anchor.seconds }
        let seconds = anchor.seconds + max(0, stage.timeline.seconds - anchor.time)
        return min(seconds, currentItem?.asset.seconds ?? .infinity)
    }

    /// The place that the item has reached.
    open func currentTime() -> CMTime { CMTime(seconds: seconds, preferredTimescale: 1000) }

    /// Jumps to a place.
    open func seek(to time: CMTime) { jump(to: time, nil) }

    /// Jumps to a place, and calls with the next turn.
    open func seek(to time: CMTime, completionHandler: @escaping (Bool) -> Void) {
        jump(to: time, completionHandler)
    }

    /// Jumps to a place; the page is as exact as its browser.
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) { jump(to: time, nil) }

    /// Jumps to a place, and calls with the next turn; the page is as exact as its browser.
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: @escaping (Bool) -> Void
    ) { jump(to: time, completionHandler) }

    func jump(to time: CMTime, _ completion: ((Bool) -> Void)?) {
        defer { if let completion { stage.timeline.call(after: 0) { completion(time.isNumeric) } } }
        guard time.isNumeric else { return }
        let times = SceneMedia.times
        jumps &+= 1
        jumpSeconds = min(max(time.seconds, times.lowerBound), currentItem?.asset.seconds ?? times.upperBound)
        anchor = (jumpSeconds, stage.timeline.seconds)
        changed()
        if let currentItem { NotificationCenter.default.post(name: .AVPlayerItemTimeJumped, object: currentItem) }
        restartObservers(telling: true)
    }

    private func rateChanged() {
        // The place goes on from where it was, or stands there.
        anchor = (
            rate == 0 ? anchor.seconds + (wasPlaying ? stage.timeline.seconds - anchor.time : 0) : anchor.seconds,
            stage.timeline.seconds
        )
        if let end = currentItem?.asset.seconds { anchor.seconds = min(anchor.seconds, end) }
        observers.tell(\AVPlayer.rate)
        observers.tell(\AVPlayer.timeControlStatus)
        placeChanged()
        restartObservers(telling: true)
    }

    /// True if the place went on until the rate was changed.
    private var wasPlaying: Bool { currentItem?.status == .readyToPlay }

    // MARK: The node

    /// Has the node drawn anew.
    func changed() {
        screen?.setNeedsDisplay()
        stage.unseenChanged()
    }

    /// Gives a player that is not seen a node of its own, while it is to be heard.
    private func placeChanged() {
        if screen == nil, rate != 0, currentItem != nil { stage.addUnseen(ear) } else { stage.removeUnseen(ear) }
        changed()
    }

    /// The node of the player; `fit` is that of its layer.
    func media(_ drawing: SceneDrawing, fit: SceneImage.Fit, hasControls: Bool) -> SceneKind {
        var number: UInt32?
        if let item = currentItem, item.status != .failed {
            let url = item.asset.source
            number = url.isFileURL ? drawing.media(of: url) : nil
            if number == nil { stage.timeline.call(after: 0) { [weak self] in self?.fail(item) } }
        }
        return .media(
            SceneMedia(
                source: number,
                isPlaying: rate != 0 && number != nil,
                jump: jumps,
                seconds: (jumpSeconds * 1000).rounded() / 1000,
                isMuted: isMuted,
                volume: volume > 0 ? Double(min(volume, 1)) : 0,
                isLooping: isLooping,
                hasControls: hasControls && !drawing.isDead,
                fit: fit
            )
        )
    }

    /// Takes in that an item is not played.
    private func fail(_ item: AVPlayerItem) {
        guard item === currentItem, item.status != .failed else { return }
        let error = NSError(
            domain: AVFoundationErrorDomain,
            code: -11800,
            userInfo: [NSLocalizedDescriptionKey: "the page cannot play \"\(item.asset.source.lastPathComponent)\""]
        )
        item.become(.failed, error: error)
        observers.tell(\AVPlayer.status)
        observers.tell(\AVPlayer.error)
        rate = 0
        NotificationCenter.default.post(
            name: .AVPlayerItemFailedToPlayToEndTime,
            object: item,
            userInfo: [AVPlayerItemFailedToPlayToEndTimeErrorKey: error]
        )
    }

    /// Takes what the page says of the film.
    func hear(_ event: NodeEvent) {
        guard let item = currentItem else { return }
        switch event {
        case .ready(let seconds):
            item.takeDuration(seconds)
            anchor.time = stage.timeline.seconds
            item.become(.readyToPlay)
            observers.tell(\AVPlayer.status)
            observers.tell(\AVPlayer.timeControlStatus)
            restartObservers(telling: true)
        case .playing: if rate == 0 { rate = defaultRate }
        case .paused: rate = 0
        case .time(let seconds):
            anchor = (seconds, stage.timeline.seconds)
            restartObservers()
        case .ended: end(item)
        case .failed: fail(item)
        case .tap, .longPress, .press, .release, .focus, .blur, .submit, .value, .measured: break
        }
    }

    private func end(_ item: AVPlayerItem) {
        if let end = item.asset.seconds { anchor = (end, stage.timeline.seconds) }
        restartObservers(telling: true)
        if actionAtItemEnd == .pause { rate = 0 }
        NotificationCenter.default.post(name: .AVPlayerItemDidPlayToEndTime, object: item)
        onEnd?()
        if actionAtItemEnd == .advance { advance(from: item) }
    }

    /// Goes on with the next item; a player of one item stops.
    func advance(from item: AVPlayerItem) { if currentItem === item { rate = 0 } }
}

extension AVPlayer: LayerContent {
    package func sceneKind(_ drawing: SceneDrawing) -> SceneKind {
        media(drawing, fit: .contain, hasControls: false)
    }

    package func take(_ event: NodeEvent) { hear(event) }
}

extension AVPlayer: _KeyPathObservable {
    /// Calls a function for each change of a property.
    @_spi(AVFoundation)
    public func _observe(_ keyPath: AnyKeyPath, _ call: @escaping () -> Void) -> NSKeyValueObservation {
        observers.add(keyPath, call)
    }
}

/// The log's word on what the page does not do.
enum Absent {
    static func noteObservers() {
        HostLog.warnOnce("a player calls 64 time observers: the others are not called")
    }

    static func noteRate() {
        HostLog.warnOnce("AVPlayer.rate has no effect here but for 0: the page plays at the usual pace")
    }
}
