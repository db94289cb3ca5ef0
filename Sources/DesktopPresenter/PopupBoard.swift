// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload
package import UserNotificationCenter

/// The popups of a desktop: a value that decides, without I/O.
///
/// The program tells it what the centre and the daemon say, carries out what a call returns, and asks `step` what comes
/// next. A moment is a duration of one monotonic clock. Source: presenters.md §8.
package struct PopupBoard: Sendable {
    /// Stacks that wait for their popup, and popups on the screen: of more the oldest ones go.
    package static let stackLimit = 64
    /// Popups that the daemon was asked for and has not answered.
    private static let askedLimit = 16
    /// The time that a daemon has for an answer.
    static let patience = Duration.seconds(10)

    private let language: SummaryLanguage
    private let dismissal: DaemonFacts.Dismissal
    /// True if the desktop plays the sounds that its daemon does not.
    private let hasPlayer: Bool
    /// True if apps that name no desktop file have one of the agent's.
    private let hasOwnFiles: Bool
    private var daemon: DaemonFacts?
    private var surfaces = OwnerSurfaces()
    private(set) var time = CenterTime()
    /// True while the session is locked, or nobody has said yet that it is not.
    private var isLocked: Bool
    var inhibition: Inhibition
    private var apps = KnownApps()
    private var budget = NotifyBudget()
    var since: SinceNotice
    private var waiting = WaitingPopups()
    private var asked: [AskedPopup] = []
    private var shown = ShownPopups()
    private var lastTicket = 0

    package init(
        language: SummaryLanguage,
        since: SinceNotice,
        dismissal: DaemonFacts.Dismissal = .automatic,
        hasPlayer: Bool = false,
        isLocked: Bool = false,
        isInhibited: Bool? = false,
        hasOwnFiles: Bool = false
    ) {
        self.language = language
        self.since = since
        self.dismissal = dismissal
        self.hasPlayer = hasPlayer
        self.isLocked = isLocked
        self.hasOwnFiles = hasOwnFiles
        inhibition = Inhibition(isOn: isInhibited)
    }

    // MARK: The centre

    /// Takes the beginning of a stream: the name of the surface, and the centre's clock.
    package mutating func take(hello: JSONObject, at now: Duration) {
        surfaces.take(hello: hello)
        since.takeBegin(at: now)
        time.learn(hello["time"], at: now)
    }

    /// Takes that the stream has ended: nothing is this desktop's to show until another one begins.
    package mutating func takeEnd(at now: Duration) {
        surfaces.takeEnd()
        since.takeEnd(at: now)
    }

    package mutating func take(surfaces data: JSONObject) { surfaces.take(data) }

    /// Takes what the centre tells of an app.
    package mutating func take(app: JSONObject) { apps.take(app) }

    /// Takes a notification that was delivered.
    package mutating func take(delivered object: JSONObject, at now: Duration) -> [Order] {
        guard let notification = DesktopNotification(object) else { return [] }
        let stack = StackName(notification, grouping: apps[notification.app].grouping)
        let (showsBanner, playsSound) = surfaces.turn(of: notification, while: state)
        let isShown =
            showsBanner && notification.showsBanner && time.isFresh(notification, at: now)
            && !inhibition.holdsBack(notification)
        let former = notification.former.map { former in
            forget { $0.id == former && !(isShown && $1 == stack) }
        }
        if isShown {
            waiting.add(
                WaitingPopup(
                    stack: stack,
                    notification: notification,
                    playsSound: playsSound && notification.sound != nil
                )
            )
        }
        return former ?? []
    }

    /// Takes that notifications are gone: answered, dismissed or taken back, wherever that was.
    package mutating func take(removed ids: [Int64]) -> [Order] {
        let ids = Set(ids)
        return forget { notification, _ in ids.contains(notification.id) } + Self.closing(since.take(removed: ids))
    }

    /// Takes the read mark: what a person has seen elsewhere needs no popup.
    package mutating func take(seen number: Int64) -> [Order] {
        forget { notification, _ in notification.id <= number } + Self.closing(since.take(seen: number))
    }

    /// Takes that more has happened than the centre remembers, so that any popup may be of something that is gone.
    package mutating func takeReset() -> [Order] { forget { _, _ in true } + Self.closing(since.takeReset()) }

    /// Takes the centre's front page, as for a lock view or not: what apps are called, and the words of stacks.
    package mutating func take(front: JSONObject, isForLock: Bool, at now: Duration) {
        time.learn(front["time"], at: now)
        for case .object(let app) in front["apps"]?.array ?? [] { apps.take(app) }
        // The session was locked or unlocked meanwhile.
        guard isForLock == isLocked else { return }
        let words = FrontWords(front) { [apps] in apps[$0].grouping }
        let position = front["position"]?.string.flatMap { Int64($0) } ?? 0
        waiting.change { popup in
            guard popup.notification.id <= position else { return }
            popup.words = words.words(of: popup.notification, in: popup.stack)
        }
    }

    /// Takes that the front could not be loaded: popups then have no summary.
    package mutating func takeNoFront() { waiting.change { $0.words = StackWords() } }

    /// Takes that the centre has refused the state of the surface, or did not get it.
    package mutating func takeUntold() { surfaces.takeUntold() }

    // MARK: The lock

    /// Takes that the session is locked or unlocked: popups change between their words and those of a lock view.
    ///
    /// A lock closes what says more at once, and what is fresh comes again, as the daemon takes calls. An unlock
    /// changes what is fresh.
    package mutating func take(isLocked: Bool, at now: Duration) -> [Order] {
        guard isLocked != self.isLocked else { return [] }
        self.isLocked = isLocked
        waiting.change { $0.words = nil }
        let isChanged = { [self] (saysAll: Bool, app: String) in saysAll == isLocked && hides(app) }
        for call in asked where !call.isGone && isChanged(call.saysAll, call.waiting.notification.app) {
            waiting.add(again: call.waiting.notification, in: call.waiting.stack)
        }
        let changed = shown.all { isChanged($0.saysAll, $0.notification.app) }
        for popup in changed { waiting.add(again: popup.notification, in: popup.stack) }
        guard isLocked else { return [] }
        return shown.remove { isChanged($0.saysAll, $0.notification.app) }.map { .close($0.daemonID) }
    }

    /// True for a popup that says what the lock hides.
    private func saysTooMuch(_ call: AskedPopup) -> Bool {
        isLocked && call.saysAll && hides(call.waiting.notification.app)
    }

    /// True for an app whose notifications a lock hides.
    private func hides(_ app: String) -> Bool { !apps[app].showsPreviewsWhenLocked }

    // MARK: The daemon

    /// Takes a daemon that has come.
    package mutating func take(daemon facts: DaemonFacts) { daemon = facts }

    /// Takes that the daemon has gone, and its popups with it: those that are fresh wait for the next one, in silence.
    package mutating func takeDaemonGone() {
        daemon = nil
        let former =
            shown.remove { _ in true }.map { ($0.stack, $0.notification) }
            + asked.filter { !$0.isGone }.map { ($0.waiting.stack, $0.waiting.notification) }
        asked = []
        for (stack, notification) in former { waiting.add(again: notification, in: stack) }
        since.takeDaemonGone()
    }

    /// Takes the daemon's id of a popup that it was asked for.
    package mutating func take(shown ticket: Int, as daemonID: UInt32) -> [Order] {
        if let gone = since.take(shown: ticket, as: daemonID) { return gone.map { .close($0) } }
        // One that was given up, since the daemon took so long: nobody knows any more what its buttons mean.
        guard let place = asked.firstIndex(where: { $0.ticket == ticket }) else { return [.close(daemonID)] }
        let answered = asked.remove(at: place)
        guard !answered.isGone, !saysTooMuch(answered) else {
            shown.remove(daemonID)
            return [.close(daemonID)]
        }
        let popup = ShownPopup(
            stack: answered.waiting.stack,
            notification: answered.waiting.notification,
            daemonID: daemonID,
            saysAll: answered.saysAll
        )
        let isLeft = answered.replaces != daemonID && !shown.daemonIDs.contains(answered.replaces)
        let left = isLeft && answered.replaces != 0 ? answered.replaces : nil
        return Self.closing(left) + Self.closing(shown.add(popup)?.daemonID)
    }

    /// True while a popup that was to be shown may be: it says nothing that a lock hides since.
    package func stands(_ ticket: Int) -> Bool {
        asked.contains { $0.ticket == ticket && !$0.isGone && !saysTooMuch($0) }
    }

    /// Takes that the daemon has refused a popup: one in its place whose notification went meanwhile is closed.
    package mutating func take(refused ticket: Int) -> [Order] {
        since.take(refused: ticket)
        guard let place = asked.firstIndex(where: { $0.ticket == ticket }) else { return [] }
        let former = asked.remove(at: place).replaces
        return former == 0 || shown.daemonIDs.contains(former) ? [] : [.close(former)]
    }

    /// Takes that a popup is closed; the first time counts, and another program's popup is none of ours.
    ///
    /// The specification has four reasons, and 2 alone is a person who closed it.
    package mutating func take(closed daemonID: UInt32, reason: UInt32) -> [Order] {
        guard !since.take(closed: daemonID), let closed = shown.remove(daemonID), let daemon, reason == 2,
            !daemon.keeps(dismissal)
        else { return [] }
        return [.dismiss(closed.notification.id)]
    }

    /// Takes the button of a popup that a person chose; the popup is closed, because some daemons leave it there.
    package mutating func take(chosen key: String, of daemonID: UInt32) -> [Order] {
        if let address = since.take(chosen: key, of: daemonID) { return [.close(daemonID), .open(address)] }
        guard let popup = shown[daemonID], let daemon,
            let choice = PopupRule(daemon: daemon, language: language).choice(key, in: popup.notification)
        else { return [] }
        shown.remove(daemonID)
        return closing([daemonID]) + [.respond(id: popup.notification.id, action: choice.action, text: nil)]
    }

    /// Takes the text that a person wrote into a popup's field.
    package mutating func take(reply text: String, of daemonID: UInt32) -> [Order] {
        guard let popup = shown[daemonID], let daemon,
            let action = PopupRule(daemon: daemon, language: language).replyAction(of: popup.notification)
        else { return [] }
        shown.remove(daemonID)
        return closing([daemonID]) + [.respond(id: popup.notification.id, action: action.identifier, text: text)]
    }

    /// The ids of the popups on the screen, for an end in good order.
    package var daemonIDs: [UInt32] { shown.daemonIDs + [since.daemonID].compactMap(\.self) }

    // MARK: What comes next

    /// Returns what is to be done now; a call that does something counts it.
    package mutating func step(at now: Duration) -> Step {
        asked.removeAll { now - $0.since > Self.patience }
        waiting.remove { [time, inhibition] in
            !time.isFresh($0.notification, at: now) || inhibition.holdsBack($0.notification)
        }
        var wake: Duration?
        if let surface = surfaces.tell(state, at: now, wake: &wake) { return .tell(surface, state) }
        // A stack has one call at a time: the answer names the popup that the next one takes the place of.
        let ready = waiting.ready(besides: Set(asked.map(\.waiting.stack)))
        guard daemon != nil, !ready.isEmpty, asked.count < Self.askedLimit else {
            // Tickets that nobody answers are given up, and what has waited goes on.
            let end = asked.first.map { $0.since + Self.patience + .milliseconds(1) }
            return rest(until: [wake, waiting.isEmpty ? nil : end].compactMap(\.self).min(), at: now)
        }
        let next = budget.nextCall(at: now)
        guard next <= now else { return .rest(until: [wake, next].compactMap(\.self).min()) }
        for first in ready {
            if let words = first.words { return show(first, with: words, at: now) }
        }
        return .loadFront(isForLock: isLocked)
    }

    /// Does what is to be done for the popup of what was missed, while no other one is to be shown.
    private mutating func rest(until end: Duration?, at now: Duration) -> Step {
        guard let daemon, !inhibition.isOnOrUnknown, let moment = time.moment(at: now) else { return .rest(until: end) }
        var wake = end
        switch since.next(isOurs: surfaces.hasBanner(while: state), at: now, wake: &wake) {
        case nil: return .rest(until: wake)
        case .load: return .loadUnseen
        case .show:
            let next = budget.nextCall(at: now)
            guard next <= now else { return .rest(until: wake.map { min($0, next) } ?? next) }
            budget.spend(at: now)
            lastTicket += 1
            let popup = since.popup(lastTicket, on: daemon, in: language, isLocked: isLocked, at: now, moment)
            return .show(popup, PopupFiles(), ticket: lastTicket)
        }
    }

    private mutating func show(_ first: WaitingPopup, with words: StackWords, at now: Duration) -> Step {
        guard let daemon else { return .rest(until: nil) }
        budget.spend(at: now)
        waiting.remove { $0.stack == first.stack }
        lastTicket += 1
        let app = first.notification.app
        let isHidden = isLocked && hides(app)
        let replaced = shown[first.stack]?.daemonID ?? 0
        asked.append(
            AskedPopup(ticket: lastTicket, waiting: first, since: now, saysAll: !isHidden, replaces: replaced)
        )
        let hidden = words.hidden ?? HiddenWords(in: language)
        let popup = PopupRule(daemon: daemon, language: language).popup(
            of: isHidden ? first.notification.hidden(behind: hidden) : first.notification,
            from: apps[app].name ?? app,
            entry: (apps[app].desktopEntry ?? (hasOwnFiles ? OwnDesktopFile.entry(of: app) : nil))?.id,
            summary: isHidden ? nil : words.summary,
            replaces: replaced,
            playsSound: first.playsSound && daemon.playsSounds
        )
        let playsSound = daemon.takesSounds || hasPlayer && !daemon.playsSounds
        let files = PopupFiles(of: first, isHidden: isHidden, playsSound: playsSound)
        return .show(popup, files, ticket: lastTicket)
    }

    /// The state of the surface: banners as long as there is a daemon, sounds if it or another program plays them.
    private var state: Presenter.State {
        var state = Presenter.State()
        state.isVisible = true
        state.showsBanners = daemon != nil
        state.playsSounds = daemon.map { $0.playsSounds || hasPlayer } ?? false
        return state
    }

    // MARK: Rules

    /// Forgets notifications, and returns the orders that close their popups.
    private mutating func forget(_ isGone: (DesktopNotification, StackName) -> Bool) -> [Order] {
        waiting.remove { isGone($0.notification, $0.stack) }
        for place in asked.indices where isGone(asked[place].waiting.notification, asked[place].waiting.stack) {
            asked[place].isGone = true
        }
        return closing(shown.remove { isGone($0.notification, $0.stack) }.map(\.daemonID))
    }

    /// The orders that close popups, but for those whose place a newer one is about to take.
    private func closing(_ daemonIDs: [UInt32]) -> [Order] {
        daemonIDs.filter { id in !asked.contains { !$0.isGone && $0.replaces == id } }.map { .close($0) }
    }

    private static func closing(_ daemonID: UInt32?) -> [Order] { daemonID.map { [.close($0)] } ?? [] }
}
