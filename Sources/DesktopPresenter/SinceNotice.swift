// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// The one popup that tells how many notifications a person has not seen, after the desktop was away.
///
/// The popup has numbers alone, so that a lock changes nothing of it. A person who closes it deletes nothing. Source:
/// presenters.md §8, rule 16.
package struct SinceNotice: Sendable {
    enum Step: Sendable, Equatable {
        /// The notifications that are not seen are asked for.
        case load
        case show
    }

    /// The time away from the centre after which the popup is shown.
    static let absence = Duration.seconds(300)
    /// Notifications that went while the centre was asked; of more the popup counts some that are gone.
    private static let goneLimit = 1_000

    private let command: String
    private var opensAddresses: Bool
    private let offset: @Sendable (Int64) -> Int64

    private var isDue = true
    private var isLoading = false
    /// The moment at which the stream ended; `nil` means that it is open, or never was.
    private var endedAt: Duration?
    private var seen: Int64 = 0
    /// The last notification that was there before the stream began; what came then has popups of its own.
    private var last = Int64.max
    /// Notifications that went while the centre was asked.
    private var gone: Set<Int64> = []
    private var page: PageAddress?
    /// True if a click on the popup opens the page.
    private var canOpen = false
    /// The notifications that the popup tells of, be it on the screen or not yet; `nil` means that there is no popup.
    private var list: UnseenList?
    /// True until the daemon is asked for the popup.
    private var waits = false
    private var ticket: Int?
    /// The daemon's id of the popup on the screen.
    private(set) var daemonID: UInt32?

    /// Takes the command that lists notifications, and what the desktop can do.
    ///
    /// `opensAddresses` is true if the desktop has a program that opens an address, and `offset` returns the seconds by
    /// which its clock is ahead of UTC at a moment, in milliseconds since 1970.
    package init(
        command: String,
        opensAddresses: Bool,
        offset: @escaping @Sendable (Int64) -> Int64
    ) {
        self.command = command
        self.opensAddresses = opensAddresses
        self.offset = offset
    }

    // MARK: When it is due

    /// Takes where a stream will begin that tells of nothing before.
    mutating func take(start position: Int64) { last = position }

    /// Takes that a stream has begun.
    mutating func takeBegin(at now: Duration) {
        if let endedAt, now - endedAt > Self.absence { takeReturn() }
        endedAt = nil
    }

    mutating func takeEnd(at now: Duration) { endedAt = endedAt ?? now }

    /// Takes that a person was away in another way: the machine slept, or Do Not Disturb has ended.
    mutating func takeReturn() { (isDue, last) = (true, .max) }

    /// Returns what is to be done; `nil` means nothing.
    ///
    /// `isOurs` tells whether a banner is this desktop's; `nil` means that this is not known yet.
    mutating func next(isOurs: Bool?) -> Step? {
        guard let isOurs else { return nil }
        if isDue, !isLoading {
            isDue = false
            // Whoever looks at a page sees there what was missed.
            guard isOurs else { return nil }
            isLoading = true
            return .load
        }
        return waits && ticket == nil ? .show : nil
    }

    // MARK: What it tells

    /// Takes what is not seen, and the page's address; `nil` means that the popup is not to be shown.
    mutating func take(_ answer: UnseenList?, page: String?) {
        isLoading = false
        self.page = page.flatMap { PageAddress($0) }
        guard var answer else { return }
        answer.remove { [seen, gone, last] in $0 <= seen || gone.contains($0) || $0 > last }
        (gone, last) = ([], .max)
        guard answer.count > 0 else { return }
        list = answer
        waits = true
    }

    /// Takes what a person has seen elsewhere; returns the popup that is to be closed.
    mutating func take(seen number: Int64) -> UInt32? {
        seen = max(seen, number)
        list?.remove { $0 <= number }
        return end()
    }

    mutating func take(removed ids: Set<Int64>) -> UInt32? {
        if isLoading, gone.count + ids.count <= Self.goneLimit { gone.formUnion(ids) }
        // Of more than are counted nobody knows here which ones are left.
        guard list?.isCut == false else { return nil }
        list?.remove(ids.contains)
        return end()
    }

    /// Takes that more has happened than the centre remembers.
    mutating func takeReset() -> UInt32? {
        list = UnseenList()
        isDue = true
        return end()
    }

    /// Ends the popup if nothing is left that it tells of.
    private mutating func end() -> UInt32? {
        guard list?.count == 0 else { return nil }
        return takeClosed()
    }

    private mutating func takeClosed() -> UInt32? {
        defer { (list, waits, daemonID) = (nil, false, nil) }
        return daemonID
    }

    // MARK: The daemon

    /// Returns the popup, which the daemon is asked for under a ticket.
    mutating func popup(
        _ ticket: Int,
        on daemon: DaemonFacts,
        in language: SummaryLanguage,
        isLocked: Bool,
        at moment: Int64
    ) -> Popup {
        waits = false
        self.ticket = ticket
        let words = SinceWords(language: language, offset: offset)
        canOpen = daemon.hasActions && opensAddresses && page != nil
        let sentence = page.map { words.sentence(visiting: $0.text) } ?? words.sentence(running: command)
        let body = canOpen ? "" : PopupText.line(sentence)
        return Popup(
            appName: "Nestbox",
            replaces: daemonID ?? 0,
            summary: words.text(of: list ?? UnseenList(), at: moment),
            body: !daemon.hasBody ? "" : daemon.readsMarkup ? PopupText.escaped(body) : body,
            buttons: canOpen ? [Popup.Button(key: Popup.defaultKey, label: PopupRule.open(in: language))] : [],
            hints: [
                "urgency": .byte(1), "transient": .flag(true), "suppress-sound": .flag(true),
                "x-gnome-privacy-scope": .text("user"),
            ],
            // Behind a lock nobody sees a popup that fades.
            expiry: isLocked ? .never : .daemon
        )
    }

    /// Takes the daemon's id of the popup; returns the popup that is to be closed, or `nil` for the ticket of another.
    mutating func take(shown ticket: Int, as daemonID: UInt32) -> [UInt32]? {
        guard ticket == self.ticket else { return nil }
        self.ticket = nil
        self.daemonID = daemonID
        guard list == nil else { return [] }
        self.daemonID = nil
        return [daemonID]
    }

    mutating func take(refused ticket: Int) { if ticket == self.ticket { self.ticket = nil } }

    /// Takes that a popup is closed; returns false for the popup of another.
    mutating func take(closed daemonID: UInt32) -> Bool {
        guard daemonID == self.daemonID else { return false }
        // One that has a popup to come goes on with that.
        self.daemonID = nil
        if !waits, ticket == nil { list = nil }
        return true
    }

    /// Takes that a person chose the popup; returns the address that is to be opened.
    mutating func take(chosen key: String, of daemonID: UInt32) -> PageAddress? {
        guard daemonID == self.daemonID, key == Popup.defaultKey, canOpen, let page else { return nil }
        self.daemonID = nil
        return page
    }

    /// Takes whether the address was opened; if not, the popup comes again and says it, so that a person can go there.
    mutating func take(wasOpened: Bool) {
        if wasOpened { list = nil } else { (opensAddresses, waits) = (false, list != nil) }
    }

    /// Takes that the daemon has gone, and its popup with it.
    mutating func takeDaemonGone() { (ticket, daemonID, waits) = (nil, nil, list != nil) }
}
