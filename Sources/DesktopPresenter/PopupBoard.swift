// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload
package import UserNotificationCenter

/// The popups of a desktop: a value that decides, without I/O.
///
/// The program tells it what the centre and the daemon say, carries out what a call returns, and asks `step` what comes
/// next. A moment is a duration of one monotonic clock. Source: presenters.md §8.
package struct PopupBoard: Sendable {
    /// An order to the daemon or to the centre.
    package enum Order: Sendable, Equatable {
        /// The daemon closes a popup.
        case close(UInt32)
        /// A person has answered: the response of a notification.
        case respond(id: Int64, action: String, text: String?)
        /// A person has dismissed a notification.
        case dismiss(Int64)
    }

    /// The next thing to do.
    package enum Step: Sendable, Equatable {
        /// The centre is told how the surface of this name is now.
        case tell(String, Presenter.State)
        /// The front is loaded, for a lock view or not, and `take(front:)` or `takeNoFront` is called.
        case loadFront(isForLock: Bool)
        /// The daemon shows a popup, with a picture if there is one; `take(shown:)` or `take(refused:)` of the ticket is
        /// called when it has answered.
        case show(Popup, PopupPicture?, ticket: Int)
        /// There is nothing to do before this moment; `nil` means until something happens.
        case rest(until: Duration?)
    }

    /// Stacks that wait for their popup, and popups on the screen: of more the oldest ones go.
    package static let stackLimit = 64
    /// The time between two changes of a surface; the centre takes two a second.
    private static let tellingPause = Duration.milliseconds(550)
    /// Popups that the daemon was asked for and has not answered.
    private static let askedLimit = 16
    /// The time that a daemon has for an answer.
    private static let patience = Duration.seconds(10)

    private let language: SummaryLanguage
    private let dismissal: DaemonFacts.Dismissal
    private var daemon: DaemonFacts?
    private var surface: String?
    private var surfaces = OwnerSurfaces()
    private var time = CenterTime()
    /// True while the session is locked, or nobody has said yet that it is not.
    private var isLocked: Bool
    private var told: (state: Presenter.State, at: Duration)?
    private var apps: [String: AppFacts] = [:]
    private var budget = NotifyBudget()
    private var waiting: [WaitingPopup] = []
    private var asked: [AskedPopup] = []
    private var shown: [ShownPopup] = []
    private var lastTicket = 0

    package init(
        language: SummaryLanguage,
        dismissal: DaemonFacts.Dismissal = .automatic,
        isLocked: Bool = false
    ) {
        self.language = language
        self.dismissal = dismissal
        self.isLocked = isLocked
    }

    // MARK: The centre

    /// Takes the beginning of a stream: the name of the surface, and the centre's clock.
    package mutating func take(hello: JSONObject, at now: Duration) {
        surface = hello["surface"]?.string
        surfaces = OwnerSurfaces()
        told = nil
        time.learn(hello["time"], at: now)
    }

    /// Takes that the stream has ended: nothing is this desktop's to show until another one begins.
    package mutating func takeEnd() { (surface, surfaces, told) = (nil, OwnerSurfaces(), nil) }

    package mutating func take(surfaces data: JSONObject) { surfaces.take(data) }

    /// Takes what the centre tells of an app.
    package mutating func take(app: JSONObject) {
        guard let topic = app["app"]?.string else { return }
        apps[topic] = AppFacts(app)
    }

    /// Takes a notification that was delivered.
    package mutating func take(delivered object: JSONObject, at now: Duration) -> [Order] {
        guard let notification = DesktopNotification(object) else { return [] }
        let stack = StackName(notification, grouping: facts(of: notification.app).grouping)
        let (showsBanner, playsSound) = surfaces.turn(of: notification, while: state)
        let isShown = showsBanner && notification.showsBanner && time.isFresh(notification, at: now)
        let former = notification.former.map { former in
            forget { $0.id == former && !(isShown && $1 == stack) }
        }
        if isShown {
            wait(
                WaitingPopup(stack: stack, notification: notification, playsSound: playsSound && notification.hasSound)
            )
        }
        return former ?? []
    }

    /// Takes that notifications are gone: answered, dismissed or taken back, wherever that was.
    package mutating func take(removed ids: [Int64]) -> [Order] {
        let ids = Set(ids)
        return forget { notification, _ in ids.contains(notification.id) }
    }

    /// Takes the read mark: what a person has seen elsewhere needs no popup.
    package mutating func take(seen number: Int64) -> [Order] {
        forget { notification, _ in notification.id <= number }
    }

    /// Takes that more has happened than the centre remembers, so that any popup may be of something that is gone.
    package mutating func takeReset() -> [Order] { forget { _, _ in true } }

    /// Takes the centre's front page, which was asked for as for a lock view or not: what apps are called, and the
    /// words of stacks.
    package mutating func take(front: JSONObject, isForLock: Bool, at now: Duration) {
        time.learn(front["time"], at: now)
        for case .object(let app) in front["apps"]?.array ?? [] { take(app: app) }
        // The session was locked or unlocked meanwhile.
        guard isForLock == isLocked else { return }
        let words = FrontWords(front) { [apps] in (apps[$0] ?? .unknown).grouping }
        let position = front["position"]?.string.flatMap { Int64($0) } ?? 0
        for place in waiting.indices where waiting[place].notification.id <= position {
            waiting[place].words = words.words(of: waiting[place].notification, in: waiting[place].stack)
        }
    }

    /// Takes that the front could not be loaded: popups then have no summary.
    package mutating func takeNoFront() {
        for place in waiting.indices { waiting[place].words = StackWords() }
    }

    /// Takes that the centre has refused the state of the surface, or did not get it.
    package mutating func takeUntold() { told?.state = Presenter.State() }

    // MARK: The lock

    /// Takes that the session is locked or unlocked: popups change between their words and those of a lock view.
    ///
    /// A lock closes what says more at once, and what is fresh comes again, as the daemon takes calls. An unlock changes
    /// what is fresh.
    package mutating func take(isLocked: Bool, at now: Duration) -> [Order] {
        guard isLocked != self.isLocked else { return [] }
        self.isLocked = isLocked
        for place in waiting.indices { waiting[place].words = nil }
        let isChanged = { [self] (saysAll: Bool, app: String) in saysAll == isLocked && hides(app) }
        for call in asked where !call.isGone && isChanged(call.saysAll, call.waiting.notification.app) {
            show(again: call.waiting.notification, in: call.waiting.stack)
        }
        let changed = shown.filter { isChanged($0.saysAll, $0.notification.app) }
        for popup in changed { show(again: popup.notification, in: popup.stack) }
        guard isLocked else { return [] }
        return changed.map { popup in
            _ = remove(popup.daemonID)
            return .close(popup.daemonID)
        }
    }

    /// True for a popup that says what the lock hides.
    private func saysTooMuch(_ call: AskedPopup) -> Bool {
        isLocked && call.saysAll && hides(call.waiting.notification.app)
    }

    /// Has a popup come once more, in silence, unless something newer of its stack waits.
    private mutating func show(again notification: DesktopNotification, in stack: StackName) {
        guard !waiting.contains(where: { $0.stack == stack }) else { return }
        wait(WaitingPopup(stack: stack, notification: notification, playsSound: false))
    }

    /// True for an app whose notifications a lock hides.
    private func hides(_ app: String) -> Bool { !facts(of: app).showsPreviewsWhenLocked }

    private func facts(of app: String) -> AppFacts { apps[app] ?? .unknown }

    // MARK: The daemon

    /// Takes a daemon that has come.
    package mutating func take(daemon facts: DaemonFacts) { daemon = facts }

    /// Takes that the daemon has gone, and its popups with it: those that are fresh wait for the next one, in silence.
    package mutating func takeDaemonGone() {
        daemon = nil
        let former =
            shown.map { ($0.stack, $0.notification) }
            + asked.filter { !$0.isGone }.map { ($0.waiting.stack, $0.waiting.notification) }
        (shown, asked) = ([], [])
        for (stack, notification) in former { show(again: notification, in: stack) }
    }

    /// Takes the daemon's id of a popup that it was asked for.
    package mutating func take(shown ticket: Int, as daemonID: UInt32) -> [Order] {
        // One that was given up, since the daemon took so long: nobody knows any more what its buttons mean.
        guard let place = asked.firstIndex(where: { $0.ticket == ticket }) else { return [.close(daemonID)] }
        let answered = asked.remove(at: place)
        guard !answered.isGone, !saysTooMuch(answered) else {
            shown.removeAll { $0.daemonID == daemonID }
            return [.close(daemonID)]
        }
        let stack = answered.waiting.stack
        shown.removeAll { $0.stack == stack || $0.daemonID == daemonID }
        shown.append(
            ShownPopup(
                stack: stack,
                notification: answered.waiting.notification,
                daemonID: daemonID,
                saysAll: answered.saysAll
            )
        )
        guard shown.count > Self.stackLimit else { return [] }
        return [.close(shown.removeFirst().daemonID)]
    }

    /// True while a popup that was to be shown may be: it says nothing that a lock hides since.
    package func stands(_ ticket: Int) -> Bool {
        asked.contains { $0.ticket == ticket && !$0.isGone && !saysTooMuch($0) }
    }

    /// Takes that the daemon has refused a popup.
    package mutating func take(refused ticket: Int) { asked.removeAll { $0.ticket == ticket } }

    /// Takes that a popup is closed; the first time counts, and another program's popup is none of ours.
    ///
    /// The specification has four reasons, and 2 alone is a person who closed it.
    package mutating func take(closed daemonID: UInt32, reason: UInt32) -> [Order] {
        guard let closed = remove(daemonID), let daemon, reason == 2, !daemon.keeps(dismissal) else { return [] }
        return [.dismiss(closed.notification.id)]
    }

    /// Takes the button of a popup that a person chose; the popup is closed, because some daemons leave it there.
    package mutating func take(chosen key: String, of daemonID: UInt32) -> [Order] {
        guard let popup = shown.first(where: { $0.daemonID == daemonID }), let daemon,
            let choice = PopupRule(daemon: daemon, language: language).choice(key, in: popup.notification)
        else { return [] }
        _ = remove(daemonID)
        switch choice {
        case .open: return [.close(daemonID), .respond(id: popup.notification.id, action: "default", text: nil)]
        case .action(let identifier):
            return [.close(daemonID), .respond(id: popup.notification.id, action: identifier, text: nil)]
        }
    }

    /// Takes the text that a person wrote into a popup's field.
    package mutating func take(reply text: String, of daemonID: UInt32) -> [Order] {
        guard let popup = shown.first(where: { $0.daemonID == daemonID }), let daemon,
            let action = PopupRule(daemon: daemon, language: language).replyAction(of: popup.notification)
        else { return [] }
        _ = remove(daemonID)
        return [.close(daemonID), .respond(id: popup.notification.id, action: action.identifier, text: text)]
    }

    /// The ids of the popups on the screen, for an end in good order.
    package var daemonIDs: [UInt32] { shown.map(\.daemonID) }

    // MARK: What comes next

    /// Returns what is to be done now; a call that does something counts it.
    package mutating func step(at now: Duration) -> Step {
        asked.removeAll { now - $0.since > Self.patience }
        waiting = waiting.filter { time.isFresh($0.notification, at: now) }
        var wake: Duration?
        if let surface, told?.state != state {
            let next = told.map { $0.at + Self.tellingPause } ?? now
            if next <= now {
                told = (state, now)
                return .tell(surface, state)
            }
            wake = next
        }
        // A stack has one call at a time: the answer names the popup that the next one takes the place of.
        let busy = Set(asked.map(\.waiting.stack))
        let ready = waiting.filter { !busy.contains($0.stack) }
        guard daemon != nil, !ready.isEmpty, asked.count < Self.askedLimit else {
            // Tickets that nobody answers are given up, and what has waited goes on.
            let end = asked.first.map { $0.since + Self.patience + .milliseconds(1) }
            return .rest(until: [wake, waiting.isEmpty ? nil : end].compactMap(\.self).min())
        }
        let next = budget.nextCall(at: now)
        guard next <= now else { return .rest(until: [wake, next].compactMap(\.self).min()) }
        for first in ready {
            if let words = first.words { return show(first, with: words, at: now) }
        }
        return .loadFront(isForLock: isLocked)
    }

    private mutating func show(_ first: WaitingPopup, with words: StackWords, at now: Duration) -> Step {
        guard let daemon else { return .rest(until: nil) }
        budget.spend(at: now)
        waiting.removeAll { $0.stack == first.stack }
        lastTicket += 1
        let app = first.notification.app
        let isHidden = isLocked && hides(app)
        asked.append(AskedPopup(ticket: lastTicket, waiting: first, since: now, saysAll: !isHidden))
        let hidden = words.hidden ?? HiddenWords(in: language)
        let popup = PopupRule(daemon: daemon, language: language).popup(
            of: isHidden ? first.notification.hidden(behind: hidden) : first.notification,
            from: facts(of: app).name ?? app,
            summary: isHidden ? nil : words.summary,
            replaces: shown.first { $0.stack == first.stack }?.daemonID ?? 0,
            playsSound: first.playsSound
        )
        return .show(popup, isHidden ? nil : first.notification.picture, ticket: lastTicket)
    }

    /// The state of the surface: banners as long as there is a daemon, sounds if it plays them.
    private var state: Presenter.State {
        var state = Presenter.State()
        state.isVisible = true
        state.showsBanners = daemon != nil
        state.playsSounds = daemon?.playsSounds == true
        return state
    }

    // MARK: Rules

    /// Has a popup wait; what waited of its stack gives way, and keeps its place.
    private mutating func wait(_ new: WaitingPopup) {
        guard let place = waiting.firstIndex(where: { $0.stack == new.stack }) else {
            waiting.append(new)
            if waiting.count > Self.stackLimit { waiting.removeFirst() }
            return
        }
        let wasHeard = !waiting[place].playsSound
        waiting[place] = new
        // One that nobody has heard yet sounds with the one that takes its place.
        if !wasHeard { waiting[place].playsSound = true }
    }

    private mutating func remove(_ daemonID: UInt32) -> ShownPopup? {
        shown.firstIndex { $0.daemonID == daemonID }.map { shown.remove(at: $0) }
    }

    /// Forgets notifications, and returns the orders that close their popups.
    private mutating func forget(_ isGone: (DesktopNotification, StackName) -> Bool) -> [Order] {
        waiting.removeAll { isGone($0.notification, $0.stack) }
        for place in asked.indices where isGone(asked[place].waiting.notification, asked[place].waiting.stack) {
            asked[place].isGone = true
        }
        let gone = shown.filter { isGone($0.notification, $0.stack) }
        shown.removeAll { isGone($0.notification, $0.stack) }
        return gone.map { .close($0.daemonID) }
    }
}
