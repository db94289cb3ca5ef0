// SPDX-License-Identifier: Apache-2.0

public import Dispatch
public import Foundation
import UIKit

/// The functions that are called at places of a film.
struct TimeObservers {
    struct Observer {
        let token: TimeToken
        let interval: Double?
        let boundaries: [Double]
        let call: @MainActor (CMTime) -> Void
        /// The place at which it was called last.
        var last: Double
    }

    /// The functions of one player.
    static let limit = 64
    /// The shortest time from call to call.
    static let leastSeconds = 1.0 / 30

    var list: [Observer] = []
    var call: UInt64?

    /// The seconds of the film until the next function is due; `nil` if none is.
    func wait(from seconds: Double) -> Double? {
        let waits = list.compactMap { observer -> Double? in
            if let interval = observer.interval { return max(0, observer.last + interval - seconds) }
            return observer.boundaries.filter { $0 > seconds }.min().map { $0 - seconds }
        }
        return waits.min().map { max($0, Self.leastSeconds) }
    }

    /// Takes the functions that are due at a place, in the order in which they were added.
    mutating func takeDue(at seconds: Double) -> [@MainActor (CMTime) -> Void] {
        var due: [@MainActor (CMTime) -> Void] = []
        for index in list.indices {
            let last = list[index].last
            let isDue =
                list[index].interval.map { seconds - last >= $0 - 1e-6 }
                ?? list[index].boundaries.contains { $0 > last && $0 <= seconds + 1e-6 }
            guard isDue else { continue }
            list[index].last = seconds
            due.append(list[index].call)
        }
        return due
    }
}

/// The token of a function that is called at places of a film.
final class TimeToken: NSObject {}

extension AVPlayer {
    /// Calls a function again and again while the film plays, and when it begins, stops or jumps.
    ///
    /// 30 times a second at most. Returns the token for `removeTimeObserver(_:)`.
    public func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        let seconds = interval.isNumeric && interval.seconds > 0 ? interval.seconds : 1
        return add(max(seconds, TimeObservers.leastSeconds), [], Self.calling(block, on: queue))
    }

    /// Calls a function when the film has played to one of these times.
    ///
    /// Returns the token for `removeTimeObserver(_:)`.
    public func addBoundaryTimeObserver(
        forTimes times: [NSValue],
        queue: DispatchQueue?,
        using block: @escaping @Sendable () -> Void
    ) -> Any {
        let seconds = times.map(\.timeValue).filter(\.isNumeric).map(\.seconds)
        return add(nil, seconds, Self.calling({ _ in block() }, on: queue))
    }

    /// Calls a function no more.
    public func removeTimeObserver(_ observer: Any) {
        timeObservers.list.removeAll { $0.token === observer as AnyObject }
        restartObservers()
    }

    private static func calling(
        _ block: @escaping @Sendable (CMTime) -> Void,
        on queue: DispatchQueue?
    ) -> @MainActor (CMTime) -> Void {
        guard let queue, queue !== DispatchQueue.main else { return block }
        return { time in queue.async { block(time) } }
    }

    private func add(_ interval: Double?, _ boundaries: [Double], _ call: @escaping @MainActor (CMTime) -> Void) -> Any
    {
        let token = TimeToken()
        guard timeObservers.list.count < TimeObservers.limit else {
            Absent.noteObservers()
            return token
        }
        let observer = TimeObservers.Observer(
            token: token,
            interval: interval,
            boundaries: boundaries,
            call: call,
            last: seconds
        )
        timeObservers.list.append(observer)
        restartObservers()
        return token
    }

    /// Waits anew for the next function; `telling` calls the periodic ones now.
    func restartObservers(telling: Bool = false) {
        if let call = timeObservers.call { stage.timeline.cancel(call) }
        timeObservers.call = nil
        if telling {
            let (place, time) = (seconds, currentTime())
            for index in timeObservers.list.indices { timeObservers.list[index].last = place }
            for observer in timeObservers.list where observer.interval != nil { observer.call(time) }
        }
        guard timeControlStatus == .playing, let wait = timeObservers.wait(from: seconds) else { return }
        if let end = currentItem?.asset.seconds, seconds >= end { return }
        if let old = timeObservers.call { stage.timeline.cancel(old) }
        timeObservers.call = stage.timeline.call(after: wait) { [weak self] in
            guard let self else { return }
            self.timeObservers.call = nil
            let time = self.currentTime()
            for call in self.timeObservers.takeDue(at: self.seconds) { call(time) }
            self.restartObservers()
        }
    }
}
