// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// A player of items one after the other.
///
/// Source: Apple, "AVQueuePlayer".
@preconcurrency @MainActor open class AVQueuePlayer: AVPlayer {
    /// The items that a player holds; more are not taken.
    private static let limit = 256

    private var waiting: [AVPlayerItem] = []

    /// A player of items.
    public init(items: [AVPlayerItem]) {
        super.init(playerItem: items.first)
        actionAtItemEnd = .advance
        waiting = Array(items.dropFirst().prefix(Self.limit))
    }

    /// A player without items.
    public override init() {
        super.init()
        actionAtItemEnd = .advance
    }

    /// A player of an item.
    public override init(playerItem item: AVPlayerItem?) {
        super.init(playerItem: item)
        actionAtItemEnd = .advance
    }

    /// The item that is played, and those that follow.
    open func items() -> [AVPlayerItem] { [currentItem].compactMap(\.self) + waiting }

    /// Ends the item that is played, and goes on with the next one.
    open func advanceToNextItem() {
        super.replaceCurrentItem(with: waiting.isEmpty ? nil : waiting.removeFirst())
        if currentItem == nil { rate = 0 }
    }

    /// True for an item that is not here yet.
    open func canInsert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) -> Bool {
        let items = items()
        return items.count < Self.limit && !items.contains { $0 === item }
            && (afterItem == nil || items.contains { $0 === afterItem })
    }

    /// Puts an item behind another, or behind all.
    open func insert(_ item: AVPlayerItem, after afterItem: AVPlayerItem?) {
        guard canInsert(item, after: afterItem) else {
            return HostLog.warnOnce("an AVQueuePlayer takes no item twice, and 256 at most")
        }
        if currentItem == nil { return super.replaceCurrentItem(with: item) }
        guard let afterItem else { return waiting.append(item) }
        waiting.insert(item, at: waiting.firstIndex { $0 === afterItem }.map { $0 + 1 } ?? 0)
    }

    /// Takes an item away; the one that is played ends.
    open func remove(_ item: AVPlayerItem) {
        if item === currentItem { return advanceToNextItem() }
        waiting.removeAll { $0 === item }
    }

    /// Takes all items away.
    open func removeAllItems() {
        waiting = []
        super.replaceCurrentItem(with: nil)
        rate = 0
    }

    override func advance(from item: AVPlayerItem) { if currentItem === item { advanceToNextItem() } }
}

/// A repetition of an item without an end: the page begins it again.
///
/// Source: Apple, "AVPlayerLooper".
@preconcurrency @MainActor open class AVPlayerLooper: NSObject {
    /// The state of a repetition.
    public enum Status: Int, Sendable {
        case unknown, ready, failed, cancelled
    }

    private weak var player: AVQueuePlayer?
    /// The rounds that are over; the page does not tell them.
    open var loopCount: Int { 0 }
    open private(set) var status = Status.ready
    open private(set) var error: (any Error)?

    /// Repeats an item in a player; all of it, whatever the range.
    public init(
        player: AVQueuePlayer,
        templateItem itemToLoop: AVPlayerItem,
        timeRange loopRange: CMTimeRange = .invalid
    ) {
        self.player = player
        super.init()
        if loopRange.isValid {
            HostLog.warnOnce("AVPlayerLooper's time range has no effect here: the page repeats the whole item")
        }
        player.removeAllItems()
        player.insert(itemToLoop, after: nil)
        player.isLooping = true
    }

    /// The items that are repeated.
    open var loopingPlayerItems: [AVPlayerItem] { player?.items() ?? [] }

    /// Lets the item end with its round.
    open func disableLooping() {
        player?.isLooping = false
        status = .cancelled
    }
}
