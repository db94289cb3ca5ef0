// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Locking
import NotificationPayload

/// The views that a centre has open over one link, and what is said of them.
///
/// Words of the centre wait in one line, in which they keep their order; a centre that says more than the line holds has
/// the view ended. Reports wait for a centre that reads slowly, and the view of one that is far behind ends as well.
final class LinkViews: Sendable {
    /// Words of the centre that may wait.
    private static let wordLimit = 1024
    /// Packets of one view that may wait for the centre.
    private static let packetLimit = 64

    private enum Word {
        case open(UInt64, LinkView)
        case event(UInt64, JSONObject)
        case close(UInt64)
    }

    private struct State {
        var words: [Word] = []
        /// The host's numbers of views, by their ids on the link.
        var numbers: [UInt64: UInt64] = [:]
        /// Packets of views that have not gone out, by the ids of the views.
        var packetCounts: [UInt64: Int] = [:]
        /// Views of which nothing is said any more but their end.
        var silent: Set<UInt64> = []
        var isOver = false
    }

    private let host: any ViewServing
    /// Sends a message behind those before it, and calls back when it is out.
    private let say: @Sendable (HostLinkMessage, @escaping @Sendable () -> Void) -> Void
    private let state = Locked(State())
    private let hasWords = Signal()

    init(
        _ host: any ViewServing,
        say: @escaping @Sendable (HostLinkMessage, @escaping @Sendable () -> Void) -> Void
    ) {
        self.host = host
        self.say = say
    }

    /// The centre wishes for a view under an id.
    func open(_ id: UInt64, _ view: LinkView) { add(.open(id, view), of: id) }

    /// The centre has an event for a view.
    func pass(_ event: JSONObject, to id: UInt64) { add(.event(id, event), of: id) }

    private func add(_ word: Word, of id: UInt64) {
        state.withLock { state in
            if state.words.count < Self.wordLimit {
                state.words.append(word)
            } else if state.silent.insert(id).inserted {
                state.words.append(.close(id))
            }
        }
        hasWords.raise()
    }

    /// Has views opened and worked until the task is cancelled.
    func serve() async {
        while !Task.isCancelled {
            await hasWords.wait()
            let words = state.withLock { state in
                defer { state.words = [] }
                return state.words
            }
            for word in words where !Task.isCancelled { await take(word) }
        }
    }

    private func take(_ word: Word) async {
        switch word {
        case .open(let id, let view):
            let number = await host.open(view) { [weak self] report in self?.tell(report, of: id) }
            guard let number else { return tell(.ended(.notStarted), of: id) }
            let isOver = state.withLock { state in
                state.numbers[id] = number
                return state.isOver
            }
            if isOver { await host.close(number) }
        case .event(let id, let event):
            if let number = state.withLock({ $0.numbers[id] }) { await host.pass(event, to: number) }
        case .close(let id):
            if let number = state.withLock({ $0.numbers[id] }) { await host.close(number) }
        }
    }

    /// The link is over: its views end.
    func end() async {
        let numbers = state.withLock { state in
            state.isOver = true
            return Array(state.numbers.values)
        }
        for number in numbers { await host.close(number) }
    }

    private func tell(_ report: LinkViewReport, of id: UInt64) {
        switch report {
        case .scene(let pieces):
            let isHeard = state.withLock { state in
                guard !state.silent.contains(id) else { return false }
                let count = state.packetCounts[id, default: 0] + pieces.count
                guard count <= Self.packetLimit else {
                    state.silent.insert(id)
                    state.words.append(.close(id))
                    return false
                }
                state.packetCounts[id] = count
                return true
            }
            guard isHeard else { return hasWords.raise() }
            for piece in pieces {
                say(.viewScene(id: id, piece)) { [weak self] in
                    self?.state.withLock { $0.packetCounts[id]? -= 1 }
                }
            }
        case .ended(let reason):
            state.withLock { state in
                state.numbers[id] = nil
                state.packetCounts[id] = nil
                state.silent.remove(id)
            }
            say(.viewEnded(id: id, reason)) {}
        }
    }
}
