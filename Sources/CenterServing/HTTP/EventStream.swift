// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Locking
import Metrics
import NotificationPayload
import UserNotificationCenter

/// The events of one owner for one watcher: what is in the store after the number that it saw last, and then what
/// comes.
///
/// Live and coming back are one: a watcher that reads slowly finds what came meanwhile in the store, each thing once
/// in its last state, and costs the memory of one piece.
struct EventStream {
    /// Changes that are read from the store in one piece: what a watcher that reads slowly keeps in memory.
    private static let pieceLimit = 16
    /// The time for which changes are gathered, once some were told, for a page that nobody sees.
    ///
    /// Many events in one piece cost a browser a fraction of the same one by one; the first after silence is told at
    /// once.
    private static let unseenRest = Duration.milliseconds(250)
    /// The time for which changes are gathered for a page that somebody sees: two frames of a screen.
    private static let seenRest = Duration.milliseconds(30)

    let center: Center
    let owner: OwnerName
    /// The language of the texts in the place of hidden previews; `nil` hides none.
    let hiding: SummaryLanguage?
    let clock: any Clock<Duration>
    /// The surface that the watcher is; `nil` means that it is none, and hears of no other.
    var presenter: Presenter?

    /// Writes events until the watcher is gone, which `write` throws, or must load everything anew.
    func run(after number: Int64, write: (String) async throws -> Void) async throws {
        try await center.announcements.withFeed(of: owner) { feed in
            guard let presenter else { return try await run(after: number, feed, as: nil, write: write) }
            let surface = center.announcements.surfaces.join(presenter, of: owner, feed)
            defer { if let surface { center.announcements.surfaces.leave(surface, of: owner) } }
            // First of all, so that whoever is told of a notification knows whose it is to show it.
            try await write(hello(surface) + text(ofSurfacesFor: surface))
            try await run(after: number, feed, as: surface, write: write)
        }
    }

    private func run(
        after number: Int64,
        _ feed: Announcements.Feed,
        as surface: String?,
        write: (String) async throws -> Void
    ) async throws {
        var position = number
        var told = Announcements.News()
        // One that comes back reads what was committed long ago.
        var isUpToDate = false
        var rested = number
        while !Task.isCancelled {
            let rest = rest(of: surface)
            // Before the changes are read, so that they are written behind those that they speak of.
            told.add(feed.take())
            // News may speak of what nobody is told of yet, and so may silence, after a disk that failed.
            let hasReason = !isUpToDate || told != Announcements.News() || feed.isSilent
            guard let (piece, isComplete, time) = try piece(since: position, isRead: hasReason) else {
                center.metrics.readers.watchersDropped.increment()
                return try await write(EventView.reset)
            }
            if !piece.text.isEmpty {
                feed.endSilence()
                try await write(piece.text)
                if isUpToDate, rest != Self.unseenRest, let time {
                    center.metrics.readers.wrote(since: time, center.clock.measure())
                }
            }
            position = piece.next
            guard isComplete else { continue }
            isUpToDate = true
            for text in texts(of: told, for: surface) {
                feed.endSilence()
                try await write(text)
            }
            told = Announcements.News()
            if feed.isSilent {
                feed.endSilence()
                try await write(EventView.comment)
            }
            if let rest, position != rested {
                rested = position
                await gather(feed, for: rest)
                continue
            }
            await feed.isDue.wait()
        }
    }

    // MARK: Events without a number

    private func hello(_ surface: String?) -> String {
        var data: JSONObject = ["time": .string(NotificationView.text(of: center.clock.wall()))]
        data["assets"] = .string(PageFiles.all.release)
        data["surface"] = surface.map(JSON.string)
        return EventView.text("hello", data)
    }

    /// The surfaces of the owner as they are now; nothing for a watcher that is none.
    private func text(ofSurfacesFor surface: String?) -> String {
        guard let surface, let list = center.announcements.surfaces.list(of: owner, as: surface) else { return "" }
        let surfaces = list.surfaces.map { JSON.object($0.json) }
        return EventView.text("surfaces", ["surfaces": .array(surfaces), "own": .integer(Int64(list.own))])
    }

    private func texts(of news: Announcements.News, for surface: String?) -> [String] {
        let marks = (news.hasForgotten ? EventView.history : "")
        let first = news.events.joined() + marks + (news.hasSurfaces ? text(ofSurfacesFor: surface) : "")
        let looks = LookNews(center: center).texts(of: news.looks, for: owner, limit: Self.pieceLimit)
        return (first.isEmpty ? [] : [first]) + looks
    }

    // MARK: Changes

    /// The next events, and whether there are no more now; `nil` means that the watcher must load everything anew.
    ///
    /// The store is read for a number after `position` of which the owner was told, and otherwise only if `isRead`.
    /// `time` is when the last of them was told of, for who writes them down first.
    private func piece(
        since position: Int64,
        isRead: Bool
    ) throws(DatabaseFailure) -> (EventPieces.Piece, isComplete: Bool, time: Duration?)? {
        let question = EventPieces.Question(owner: owner, since: position, hiding: hiding)
        let last = center.position(of: owner)
        if !isRead, last.number <= position { return (EventPieces.Piece(text: "", next: position), true, nil) }
        if let kept = center.eventPieces.piece(question, at: last.number) { return (kept, true, nil) }
        let found = try center.store.changes(of: owner, since: position, limit: Self.pieceLimit)
        guard case .changes(let changes, let next, let isComplete) = found else { return nil }
        guard !changes.isEmpty else { return (EventPieces.Piece(text: "", next: next), isComplete, nil) }
        let list = try ListView(of: owner, in: center, hiding: hiding)
        let text = changes.map { EventView(change: $0, list: list).text }.joined()
        let piece = EventPieces.Piece(text: text, next: next)
        if isComplete { center.eventPieces.keep(piece, for: question) }
        return (piece, isComplete, next == last.number ? last.time : nil)
    }

    /// The time for which changes are gathered for a surface; `nil` means that each is told at once.
    private func rest(of surface: String?) -> Duration? {
        guard let surface, let presenter = center.announcements.surfaces.presenter(surface, of: owner),
            presenter.kind == .page
        else { return nil }
        return presenter.state.isVisible ? Self.seenRest : Self.unseenRest
    }

    /// Waits until changes were gathered for long enough, or there is an event without a number: the page may be seen
    /// from now on.
    private func gather(_ feed: Announcements.Feed, for rest: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                // Later numbers are what is gathered.
                repeat { await feed.isDue.wait() } while !feed.hasNews && !Task.isCancelled
            }
            group.addTask { try? await clock.sleep(for: rest) }
            await group.next()
            group.cancelAll()
        }
    }
}
