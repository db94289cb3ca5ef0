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
    /// The pause before a centre that gave no answer is asked again.
    static let failurePause = Duration.seconds(5)
    /// The pause after another wish of the owner, in which the centre says itself what came meanwhile.
    static let wishPause = Duration.seconds(1)
    /// The same after the end of Do Not Disturb; the centre looks each half minute.
    static let endPause = Duration.seconds(31)
    /// The longest pause while Do Not Disturb is on, since clocks are set and a word of the centre may be lost.
    static let quietPause = Duration.seconds(900)

    private let command: String
    private var opensAddresses: Bool
    private let offset: @Sendable (Int64) -> Int64

    /// The moment from which the centre is to be asked; `nil` means that it is not.
    private var dueAt: Duration? = .zero
    private var isLoading = false
    /// Do Not Disturb, as it was when the centre was asked; `nil` means that it was off.
    private var quiet: OwnerQuiet?
    /// The last of it that the centre has told since.
    private var wished: OwnerQuiet?
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
    /// True from a click until its verdict, unless the list is that of another popup since.
    private var isOpening = false
    /// True until the daemon is asked for the popup.
    private var waits = false
    /// The ticket that the daemon has not answered, and the moment at which it was asked.
    private var ticket: (number: Int, since: Duration)?
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
    mutating func takeReturn() { (dueAt, last) = (.zero, .max) }

    /// Takes what an owner wants: after another wish the centre is asked again, if Do Not Disturb was on.
    mutating func take(owner: JSONObject, at now: Duration) {
        let wished = OwnerQuiet(owner: owner)
        if isLoading { self.wished = wished }
        guard let quiet, wished != quiet else { return }
        (self.quiet, dueAt) = (nil, now + Self.wishPause)
    }

    /// Returns what is to be done; `nil` means nothing before `wake`, which this brings forward.
    ///
    /// `isOurs` tells whether a banner is this desktop's; `nil` means that this is not known yet.
    mutating func next(isOurs: Bool?, at now: Duration, wake: inout Duration?) -> Step? {
        if let ticket, now - ticket.since > PopupBoard.patience { self.ticket = nil }
        guard let isOurs else { return nil }
        var wakes = [wake]
        defer { wake = wakes.compactMap(\.self).min() }
        if let dueAt, !isLoading {
            if dueAt <= now {
                (self.dueAt, quiet, wished) = (nil, nil, nil)
                isLoading = isOurs
                // Whoever looks at a page sees there what was missed.
                return isOurs ? .load : nil
            }
            wakes.append(dueAt)
        }
        guard waits else { return nil }
        guard let ticket else { return .show }
        wakes.append(ticket.since + PopupBoard.patience + .milliseconds(1))
        return nil
    }

    // MARK: What it tells

    /// Takes what the centre has answered at a moment of its own clock, in milliseconds since 1970.
    ///
    /// One that is quiet, or gave no answer, is asked again.
    mutating func take(_ answer: UnseenAnswer, at now: Duration, _ moment: Int64?) {
        isLoading = false
        switch answer {
        case .list(let list, let page):
            self.page = page.flatMap { PageAddress($0) }
            take(list)
        case .quiet(let quiet):
            // No popup of its own tells of what comes meanwhile.
            (gone, last) = ([], .max)
            if let wished, wished != quiet {
                dueAt = dueAt ?? now + Self.wishPause
            } else {
                self.quiet = quiet
                dueAt = dueAt ?? now + Self.pause(until: quiet.end, at: moment)
            }
        case .failed:
            gone = []
            dueAt = dueAt ?? now + Self.failurePause
        }
    }

    private mutating func take(_ list: UnseenList) {
        var list = list
        list.remove { [seen, gone, last] in $0 <= seen || gone.contains($0) || $0 > last }
        (gone, last) = ([], .max)
        guard list.count > 0 else { return }
        self.list = list
        (waits, isOpening) = (true, false)
    }

    /// The time until Do Not Disturb has ended, if its end is known, and until the centre has said so.
    private static func pause(until end: Int64?, at moment: Int64?) -> Duration {
        guard let end, let moment, end < moment + Int64(quietPause / .milliseconds(1)) else { return quietPause }
        return min(.milliseconds(max(0, end - moment)) + endPause, quietPause)
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
        dueAt = .zero
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
        at now: Duration,
        _ moment: Int64
    ) -> Popup {
        waits = false
        self.ticket = (ticket, now)
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
        guard ticket == self.ticket?.number else { return nil }
        self.ticket = nil
        self.daemonID = daemonID
        guard list == nil else { return [] }
        self.daemonID = nil
        return [daemonID]
    }

    mutating func take(refused ticket: Int) { if ticket == self.ticket?.number { self.ticket = nil } }

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
        // A popup that is asked for already tells of the same list.
        isOpening = !waits && ticket == nil
        return page
    }

    /// Takes whether the address was opened; if not, the popup comes again and says it, so that a person can go there.
    mutating func take(wasOpened: Bool) {
        if !wasOpened { (opensAddresses, waits) = (false, list != nil) } else if isOpening { list = nil }
        isOpening = false
    }

    /// Takes that the daemon has gone, and its popup with it.
    mutating func takeDaemonGone() { (ticket, daemonID, waits) = (nil, nil, list != nil && !isOpening) }
}
