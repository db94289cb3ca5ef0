// SPDX-License-Identifier: Apache-2.0

import CenterStore
import DatabaseFile
import Foundation
import NotificationPayload
import UserNotificationCenter

/// Releases what is held for a summary: at its owner's hours, and at once when the owner holds the app no more.
///
/// A notification that is released is an ordinary row of the list, under a new number and without a banner: the most
/// relevant first, then the newest. An hour that passed while no centre ran counts when the next one starts. Whoever
/// watches is told the numbers of a summary, in its order.
struct SummaryRelease: Sendable {
    /// Numbers that watchers are told of one summary: the first ones.
    private static let toldLimit = 200
    /// The time of the last look, for all owners, in milliseconds.
    private static let lastFact = "summary"

    private let center: Center

    init(_ center: Center) {
        self.center = center
    }

    /// Releases what is due now.
    func look() async throws(DatabaseFailure) {
        let now = center.clock.wall()
        let last = try center.store.fact(Self.lastFact).flatMap { Int64(String(decoding: $0, as: UTF8.self)) } ?? now
        for record in try center.store.owners() {
            try await release(of: record.name, since: last, now)
        }
        // Written once an hour of somebody may have passed, and not at each look.
        guard now / 60_000 != last / 60_000 || last == now else { return }
        _ = try await center.perform([.setFact(Self.lastFact, Array("\(now)".utf8))])
    }

    private func release(of owner: OwnerName, since last: WallTime, _ now: WallTime) async throws(DatabaseFailure) {
        let holders = try center.store.topics(of: owner, having: .held)
        guard !holders.isEmpty else { return }
        let wishes = try center.wishes(of: owner)
        let isDue = Self.isDue(wishes, since: last, now)
        let released = holders.filter { isDue || !wishes.summary.holds($0) }
        var held: [Held] = []
        for app in released { held += try self.held(of: owner, app) }
        guard let issue = SummaryIssue(held.map(\.entry)) else { return }
        let flags = Dictionary(uniqueKeysWithValues: held.map { ($0.entry.number, $0.flags) })
        // The list has the highest number first.
        let work = issue.numbers.reversed().map { number in
            let kept = (flags[number] ?? []).intersection([.remote, .answered])
            return CenterWork.renew(owner, numbers: [number], flags: kept.union(.list))
        }
        let results = try await center.perform(work)
        guard isDue else { return }
        let numbers = results.reversed().flatMap { result -> [Int64] in
            if case .renewed(let renewals) = result { renewals.map(\.number) } else { [] }
        }
        center.announcements.tell(
            owner,
            "summary",
            [
                "count": .integer(Int64(numbers.count)),
                "ids": .array(numbers.prefix(Self.toldLimit).map { .string("\($0)") }),
            ]
        )
    }

    /// Minutes are those of the owner's clock, which steps back once a year: by that nothing is due.
    private static func isDue(_ wishes: OwnerWishes, since last: WallTime, _ now: WallTime) -> Bool {
        let elapsed = wishes.localMinutes(at: now) - wishes.localMinutes(at: last)
        guard elapsed > 0 else { return false }
        if elapsed >= MinuteOfDay.perDay { return !wishes.summary.times.isEmpty }
        return wishes.summary.isDue(after: wishes.minute(at: last), through: wishes.minute(at: now))
    }

    /// A notification that is held, without its content.
    private struct Held {
        let entry: SummaryIssue.Entry
        let flags: HeadFlags
    }

    /// Reads the notifications of an app that are held, few at a time: whoever else reads waits meanwhile.
    private func held(of owner: OwnerName, _ app: String) throws(DatabaseFailure) -> [Held] {
        var found: [Held] = []
        var query = PageQuery(limit: 32)
        query.app = app
        query.flags = .held
        while let page = try center.store.page(query, of: owner) {
            found += page.items.map { item in
                let traits = item.content.map { NotificationTraits(Payload($0.payload)) }
                let score = traits?.relevanceScore ?? 0
                return Held(
                    entry: SummaryIssue.Entry(number: item.head.number, relevanceScore: score),
                    flags: item.head.presentation.flags
                )
            }
            guard let next = page.next else { break }
            query.before = next
        }
        return found
    }
}
