// SPDX-License-Identifier: Apache-2.0

package import NIOCore

/// Decides who has a place at a listener: a value that knows no sockets and no clock.
///
/// A connection is *unproven* until its peer has shown a valid credential or had a push accepted. An unproven
/// connection has so much time in all, whatever it sends, and gives way when places are short: of the source with most
/// unproven connections the oldest goes. So who brings nothing but connections displaces himself before anybody else,
/// and a proven connection never gives way to him. Where sources are not counted, a connection that has been idle for
/// longest gives way as well. No connection with an unanswered push ever does.
///
/// Work is one or two look-ups, and a pass over all only for a new connection when every place is taken.
package struct ConnectionDesk: Sendable {
    package struct Rules: Sendable {
        var places: Int
        /// A source that is counted has this many places at most.
        var placesPerSource: Int
        /// Unproven connections have this many places at most; `nil` means as many as there are.
        var unprovenPlaces: Int?
        /// A connection has this much time from its beginning to its proof.
        var patience: TimeAmount
        /// True if a proven connection that is idle gives way where its source is not counted.
        var provenGiveWay: Bool

        package init(
            places: Int,
            placesPerSource: Int,
            unprovenPlaces: Int? = nil,
            patience: TimeAmount,
            provenGiveWay: Bool = true
        ) {
            self.places = places
            self.placesPerSource = placesPerSource
            self.unprovenPlaces = unprovenPlaces
            self.patience = patience
            self.provenGiveWay = provenGiveWay
        }
    }

    /// A ticket names a connection; later ones are greater.
    package struct Ticket: Hashable, Comparable, Sendable {
        fileprivate let number: Int
        package static func < (left: Ticket, right: Ticket) -> Bool { left.number < right.number }
    }

    package enum Verdict: Equatable {
        /// The connection that gives way has no place any more.
        case admitted(Ticket, inPlaceOf: Ticket?)
        case refused
    }

    private struct Entry {
        let source: PeerSource
        let begin: NIODeadline
        var isProven = false
        /// Pushes that were handed over and not answered.
        var unanswered = 0
        var lastUse: NIODeadline

        var isIdle: Bool { unanswered == 0 }
    }

    private struct Crowd {
        var count = 0
        var unproven = TicketList()
    }

    private let rules: Rules
    private var entries: [Ticket: Entry] = [:]
    private var crowds: [PeerSource: Crowd] = [:]
    /// Unproven connections whose time is not over.
    private var waiting = TicketList()
    private var unprovenCount = 0
    private var lastNumber = 0

    package init(_ rules: Rules) {
        self.rules = rules
    }

    package var count: Int { entries.count }

    // MARK: Coming and going

    /// Gives a new connection a place, a free one or that of another.
    package mutating func admit(from source: PeerSource, at now: NIODeadline, isProven: Bool = false) -> Verdict {
        var displaced: Ticket?
        if source.isCounted, crowds[source, default: Crowd()].count >= rules.placesPerSource {
            displaced = oldestUnproven(of: source)
            guard displaced != nil else { return .refused }
        } else if entries.count >= rules.places || !isProven && unprovenCount >= rules.unprovenPlaces ?? .max {
            displaced = mostCrowded() ?? longestIdle(for: source)
            guard displaced != nil else { return .refused }
        }
        if let displaced { leave(displaced) }
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        entries[ticket] = Entry(source: source, begin: now, isProven: isProven, lastUse: now)
        crowds[source, default: Crowd()].count += 1
        if !isProven {
            unprovenCount += 1
            crowds[source]?.unproven.append(ticket)
            waiting.append(ticket)
        }
        return .admitted(ticket, inPlaceOf: displaced)
    }

    /// The connection is gone, or was told to go.
    package mutating func leave(_ ticket: Ticket) {
        guard let entry = entries.removeValue(forKey: ticket) else { return }
        if !entry.isProven { unprovenCount -= 1 }
        waiting.remove(ticket)
        crowds[entry.source]?.unproven.remove(ticket)
        crowds[entry.source]?.count -= 1
        if crowds[entry.source]?.count == 0 { crowds[entry.source] = nil }
    }

    /// The peer has shown a valid credential, or a push of its was accepted; true if that is new.
    @discardableResult
    package mutating func prove(_ ticket: Ticket) -> Bool {
        guard let entry = entries[ticket], !entry.isProven else { return false }
        entries[ticket]?.isProven = true
        unprovenCount -= 1
        waiting.remove(ticket)
        crowds[entry.source]?.unproven.remove(ticket)
        return true
    }

    // MARK: Work

    package mutating func began(_ ticket: Ticket, _ pushCount: Int, at now: NIODeadline) {
        entries[ticket]?.unanswered += pushCount
        entries[ticket]?.lastUse = now
    }

    package mutating func ended(_ ticket: Ticket, _ pushCount: Int, at now: NIODeadline) {
        entries[ticket]?.unanswered -= pushCount
        entries[ticket]?.lastUse = now
    }

    // MARK: Time

    /// Returns when the time of an unproven connection is over next.
    package var nextEnd: NIODeadline? {
        waiting.first.flatMap { entries[$0] }.map { $0.begin + rules.patience }
    }

    /// Takes out the unproven connections whose time is over, each once; they keep their places until they leave.
    package mutating func takeLate(at now: NIODeadline) -> [Ticket] {
        var late: [Ticket] = []
        while let end = nextEnd, end <= now, let first = waiting.first {
            waiting.remove(first)
            late.append(first)
        }
        return late
    }

    // MARK: Who gives way

    private func oldestUnproven(of source: PeerSource) -> Ticket? {
        crowds[source]?.unproven.first { entries[$0]?.isIdle == true }
    }

    private func mostCrowded() -> Ticket? {
        var found: (count: Int, ticket: Ticket)?
        for (source, crowd) in crowds where crowd.unproven.count >= found?.count ?? 1 {
            guard let ticket = oldestUnproven(of: source) else { continue }
            let isOlder = found.map { crowd.unproven.count > $0.count || ticket < $0.ticket } ?? true
            if isOlder { found = (crowd.unproven.count, ticket) }
        }
        return found?.ticket
    }

    /// A source that has fewer connections than the newcomer's loses none to it.
    private func longestIdle(for newcomer: PeerSource) -> Ticket? {
        guard rules.provenGiveWay, newcomer.leavesIdlePlaces else { return nil }
        let own = crowds[newcomer]?.count ?? 0
        var found: (crowd: Int, lastUse: NIODeadline, ticket: Ticket)?
        for (ticket, entry) in entries where entry.isIdle && entry.source.leavesIdlePlaces {
            let crowd = crowds[entry.source]?.count ?? 0
            guard crowd >= own else { continue }
            if let found, (-found.crowd, found.lastUse, found.ticket) < (-crowd, entry.lastUse, ticket) { continue }
            found = (crowd, entry.lastUse, ticket)
        }
        return found?.ticket
    }
}

/// Tickets in their order, which is that of their coming.
private struct TicketList: Sendable {
    private var tickets: [ConnectionDesk.Ticket] = []

    var count: Int { tickets.count }
    var first: ConnectionDesk.Ticket? { tickets.first }

    func first(where isWanted: (ConnectionDesk.Ticket) -> Bool) -> ConnectionDesk.Ticket? {
        tickets.first(where: isWanted)
    }

    /// Adds a ticket that is later than all that are there.
    mutating func append(_ ticket: ConnectionDesk.Ticket) {
        tickets.append(ticket)
    }

    mutating func remove(_ ticket: ConnectionDesk.Ticket) {
        var range = 0..<tickets.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if tickets[middle] < ticket {
                range = middle + 1..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        if range.lowerBound < tickets.count, tickets[range.lowerBound] == ticket {
            tickets.remove(at: range.lowerBound)
        }
    }
}
