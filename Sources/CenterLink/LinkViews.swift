// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import HostRuntime
import Locking
import NotificationPayload
import PacketSockets

/// The views that a centre has open over one link, and what is said of them.
///
/// Words of the centre wait in one line, in which they keep their order. A view of which too many words wait, or too
/// many bytes for a centre that reads slowly, is closed.
package final class LinkViews: Sendable {
    /// Words of the centre on one view that may wait.
    private static let wordLimit = 128
    /// Files of the words of all views, which are descriptors.
    package static let fileLimit = 64
    /// Bytes of one view that may wait for the centre.
    private static let byteLimit = 1 << 20
    /// Bytes that a picture counts for, so that at most 32 descriptors of a view wait.
    private static let pictureCost = byteLimit / 32

    private enum Word {
        /// The files are those of the notification, in its order.
        case open(UInt64, LinkView, [PassedFile])
        case event(UInt64, JSONObject, [PassedFile])
        case close(UInt64)

        var id: UInt64 {
            switch self {
            case .open(let id, _, _), .event(let id, _, _), .close(let id): id
            }
        }
    }

    /// A view from the centre's wish to its end.
    private struct Entry {
        /// The host's number of the view, once it has one.
        var number: UInt64?
        var wordCount = 1
        var byteCount = 0
        /// True once nothing is said of the view any more but its end.
        var isClosing = false
    }

    private struct State {
        var words: [Word] = []
        /// The views that are open, by their ids on the link.
        var entries: [UInt64: Entry] = [:]
        /// The files of the words that wait.
        var fileCount = 0
        var isOver = false

        mutating func close(_ id: UInt64) {
            guard entries[id]?.isClosing == false else { return }
            entries[id]?.isClosing = true
            words.append(.close(id))
        }
    }

    typealias Saying = @Sendable (HostLinkMessage, [HeldFile], @escaping @Sendable () -> Void) -> Void

    private let host: any ViewServing
    /// Sends a message with its files behind those before it, and calls back when it is out.
    private let say: Saying
    private let state = Locked(State())
    private let hasWords = Signal()

    init(_ host: any ViewServing, say: @escaping Saying) {
        self.host = host
        self.say = say
    }

    /// The centre wishes for a view under an id, of an app that has none where `isOffered` is false.
    func open(_ id: UInt64, _ view: LinkView, _ files: [PassedFile], isOffered: Bool) {
        guard isOffered else { return say(.viewEnded(id: id, .notStarted), []) {} }
        state.withLock { state in
            state.entries[id] = Entry()
            // An opening with more files than there is room for comes without them.
            let fits = state.fileCount + files.count <= Self.fileLimit
            state.fileCount += fits ? files.count : 0
            state.words.append(.open(id, view, fits ? files : []))
        }
        hasWords.raise()
    }

    /// The centre has an event for a view.
    func pass(_ event: JSONObject, _ files: [PassedFile], to id: UInt64) {
        state.withLock { state in
            // The end may have crossed it.
            guard let entry = state.entries[id], !entry.isClosing else { return }
            guard entry.wordCount < Self.wordLimit, state.fileCount + files.count <= Self.fileLimit else {
                return state.close(id)
            }
            state.entries[id]?.wordCount += 1
            state.fileCount += files.count
            state.words.append(.event(id, event, files))
        }
        hasWords.raise()
    }

    /// Has views opened and worked until the task is cancelled.
    func serve() async {
        while !Task.isCancelled {
            await hasWords.wait()
            let words = state.withLock { state in
                defer { state.words = [] }
                for word in state.words { state.entries[word.id]?.wordCount -= 1 }
                state.fileCount = 0
                return state.words
            }
            for word in words where !Task.isCancelled { await take(word) }
        }
    }

    private func take(_ word: Word) async {
        switch word {
        case .open(let id, let view, let files):
            let held = files.compactMap(HeldFile.init(copying:))
            // No descriptor is left for one of them.
            guard held.count == files.count else { return tell(.ended(.notStarted), of: id) }
            let number = await host.open(view, held) { [weak self] report in self?.tell(report, of: id) }
            guard let number else { return tell(.ended(.notStarted), of: id) }
            let isOver = state.withLock { state in
                // One that has ended meanwhile has no entry any more.
                state.entries[id]?.number = number
                return state.isOver
            }
            if isOver { await host.close(number) }
        case .event(let id, let event, let files):
            guard let number = state.withLock({ $0.entries[id]?.number }) else { return }
            let held = files.compactMap(HeldFile.init(copying:))
            guard held.count == files.count else { return await host.close(number) }
            await host.pass(event, held, to: number)
        case .close(let id):
            if let number = state.withLock({ $0.entries[id]?.number }) { await host.close(number) }
        }
    }

    /// The link is over: its views end.
    func end() async {
        let numbers = state.withLock { state in
            state.isOver = true
            return state.entries.values.compactMap(\.number)
        }
        for number in numbers { await host.close(number) }
    }

    private func tell(_ report: LinkViewReport, of id: UInt64) {
        switch report {
        case .scene(let pieces):
            for piece in pieces { tell(.viewScene(id: id, piece), byteCount: piece.serialized.count, of: id) }
        case .picture(let picture, let file):
            tell(.viewFile(id: id, picture), [file], byteCount: Self.pictureCost, of: id)
        case .ended(let reason):
            let isFirst = state.withLock { $0.entries.removeValue(forKey: id) != nil }
            if isFirst { say(.viewEnded(id: id, reason), []) {} }
        }
    }

    private func tell(_ message: HostLinkMessage, _ files: [HeldFile] = [], byteCount: Int, of id: UInt64) {
        let isHeard = state.withLock { state in
            guard let entry = state.entries[id], !entry.isClosing else { return false }
            guard entry.byteCount + byteCount <= Self.byteLimit else {
                state.close(id)
                return false
            }
            state.entries[id]?.byteCount += byteCount
            return true
        }
        guard isHeard else { return hasWords.raise() }
        say(message, files) { [weak self] in
            self?.state.withLock { $0.entries[id]?.byteCount -= byteCount }
        }
    }
}
