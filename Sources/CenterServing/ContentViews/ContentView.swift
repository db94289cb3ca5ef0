// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
package import CenterStore
import Locking
import NotificationPayload
import SceneModel

/// A view of a content extension that a watcher has open: its scene as the host has judged it, and who follows it.
package final class ContentView: Sendable {
    /// The notification that the view shows, and whose it is.
    package struct Subject: Sendable {
        package let key: InstallationKey
        /// The number of the notification.
        let number: Int64
    }

    /// Words that wait for a follower; one that is further behind gets the whole scene in their place.
    fileprivate static let updateLimit = 64

    fileprivate struct Follower {
        var updates: [SceneUpdate] = []
        var wantsWhole = true
        /// The calls of the view meanwhile, which the whole scene does not tell.
        var calls: [SceneCall] = []
        var isSilent = false
        let hasNews: Signal
    }

    fileprivate struct State {
        var assembly = SceneAssembly()
        var scene = SceneTree()
        var acknowledged: UInt64?
        /// The `seq` of the last event that was handed on.
        var lastEvent: UInt64 = 0
        var link: (host: any HostAsker, id: UInt64)?
        var end: ViewEnd?
        /// True once the end was told to a follower.
        var isOver = false
        var followers: [Int: Follower] = [:]
        var lastFollower = 0
        /// Looks at the view since anybody followed it.
        var lonelyLooks = 0
    }

    package let subject: Subject
    private let state = Locked(State())

    init(_ subject: Subject) {
        self.subject = subject
    }

    // MARK: The host

    /// The host has the view under an id of its link, from the moment at which it is told to open it.
    func opened(by host: any HostAsker, as id: UInt64) { state.withLock { $0.link = (host, id) } }

    /// Takes an update of the scene, or a piece of one.
    func take(_ body: JSONObject) throws(MemberFault) {
        let piece = try SceneUpdate(body)
        let isWhole: Bool
        do {
            isWhole = try state.withLock { state throws(SceneFault) in
                guard let update = try state.assembly.take(piece) else { return false }
                try state.scene.apply(update)
                state.acknowledged = update.acknowledged ?? state.acknowledged
                for number in state.followers.keys { state.followers[number]?.add(update) }
                return true
            }
        } catch { throw .malformed("set") }
        if isWhole { raise() }
    }

    /// The view is no more.
    func end(_ reason: ViewEnd) {
        state.withLock { state in
            if state.end == nil { state.end = reason }
            state.link = nil
            // Whoever comes later hears of the end alone.
            if state.followers.isEmpty { state.scene = SceneTree() }
            state.assembly = SceneAssembly()
        }
        raise()
    }

    private func raise() {
        for signal in state.withLock({ $0.followers.values.map(\.hasNews) }) { signal.raise() }
    }

    // MARK: Events

    /// Hands an event on under a number above those before it; false for a view that is no more.
    ///
    /// The host judges it by the scene as the view's process has made it, which is newer than the one here.
    func pass(_ event: ViewEvent, numbered number: UInt64) async throws(APIError) -> Bool {
        let link = try state.withLock { state throws(APIError) -> (host: any HostAsker, id: UInt64)? in
            guard number > state.lastEvent else { throw .badParameter("\"seq\" must rise") }
            state.lastEvent = number
            return state.link
        }
        guard let link else { return false }
        var body: JSONObject = ["seq": .integer(Int64(clamping: number))]
        event.write(to: &body)
        return await link.host.tell(link.id, body)
    }

    /// Has the host end the view.
    func close() async {
        let link = state.withLock { $0.link }
        if let link, await link.host.tell(link.id, ["seq": .integer(.max), "close": true]) { return }
        end(.closed)
    }

    // MARK: Followers

    /// Writes the scene and what becomes of it, until the view has ended or the task is cancelled.
    func follow(_ write: (String) async throws -> Void) async throws {
        let (number, hasNews) = state.withLock { state in
            state.lastFollower += 1
            let follower = Follower(hasNews: Signal())
            state.followers[state.lastFollower] = follower
            state.lonelyLooks = 0
            return (state.lastFollower, follower.hasNews)
        }
        defer { state.withLock { $0.followers[number] = nil } }
        while !Task.isCancelled {
            let (text, isOver) = state.withLock { $0.news(for: number) }
            if !text.isEmpty { try await write(text) }
            if isOver { return state.withLock { $0.isOver = true } }
            await hasNews.wait()
        }
    }

    /// Has each follower hear something, so that one who is gone is noticed.
    func breakSilence() {
        state.withLock { state in
            for number in state.followers.keys { state.followers[number]?.isSilent = true }
        }
        raise()
    }

    /// True if the view may be forgotten: its end was told, or nobody has followed it for as many looks.
    func isForgotten(afterLooks limit: Int) -> Bool {
        state.withLock { state in
            state.lonelyLooks = state.followers.isEmpty ? state.lonelyLooks + 1 : 0
            return state.isOver || state.lonelyLooks > limit
        }
    }

    var isOpen: Bool { state.withLock { $0.end == nil } }
}

extension ContentView.Follower {
    fileprivate mutating func add(_ update: SceneUpdate) {
        isSilent = false
        if wantsWhole {
            calls += update.calls
        } else if updates.count < ContentView.updateLimit {
            updates.append(update)
        } else {
            wantsWhole = true
            calls = updates.flatMap(\.calls) + update.calls
            updates = []
        }
        // What a view may ask for ends it; the rest are words about films.
        calls = Array(calls.suffix(SceneLimits.callCount))
    }
}

extension ContentView.State {
    /// The events that a follower is to be told now, and whether the end is the last of them.
    fileprivate mutating func news(for number: Int) -> (text: String, isOver: Bool) {
        guard var follower = followers[number] else { return ("", true) }
        var text = ""
        if follower.wantsWhole, !scene.isEmpty {
            var whole = scene.whole
            whole.acknowledged = acknowledged
            whole.calls = follower.calls
            text = EventView.text("whole", whole.body)
            follower.wantsWhole = false
            follower.calls = []
        }
        for update in follower.updates { text += EventView.text("scene", update.body) }
        follower.updates = []
        if let end { text += EventView.text("ended", ["reason": .string(end.rawValue)]) }
        if follower.isSilent, text.isEmpty { text = EventView.comment }
        follower.isSilent = false
        followers[number] = follower
        return (text, end != nil)
    }
}
