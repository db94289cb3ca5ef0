// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import DesktopBus
import DesktopPresenter
import FoundationEssentials
import Locking
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The desktop of an owner: what the centre delivers is shown by the daemon, and what a person does there is told to
/// the centre.
///
/// `PopupBoard` decides; the agent carries out.
actor DesktopAgent {
    /// The time after which a centre that is away is asked again.
    private static let pause = Duration.seconds(1)
    /// Answers and dismissals that wait for a centre; of more the later ones are not taken.
    private static let unsentLimit = 64

    private let client: CenterClient
    private let screen: any PopupScreen
    private let place: String
    private let openings: OpeningDesk
    private let player: SoundPlayer?
    private let clock = ContinuousClock()
    private let start = ContinuousClock.now
    private let work = Signal()
    private var activation = LastActivation()
    private var board: PopupBoard
    /// Answers and dismissals of a person while no centre answered, in their order.
    private var unsent: [(PopupBoard.Order, ActivationToken?)] = []
    private var badges = LauncherBadges()
    /// True if what shows popups plays the sounds of apps.
    private var handsSoundsOver = false
    private let files: DesktopFileDesk
    /// The buses of which nobody has said yet that no lock of theirs is active.
    private var locks = Set(BusConnection.Bus.allCases)

    /// Takes the centre, the socket at which it answers, what shows popups, what clicks lead to, what plays sounds, if
    /// there is something, and the desktop files of apps.
    init(
        _ client: CenterClient,
        at place: String,
        _ screen: any PopupScreen,
        _ board: PopupBoard,
        _ openings: OpeningDesk,
        _ player: SoundPlayer?,
        _ files: DesktopFileDesk
    ) {
        self.client = client
        self.place = place
        self.screen = screen
        self.board = board
        self.openings = openings
        self.player = player
        self.files = files
    }

    private var now: Duration { start.duration(to: clock.now) }

    // MARK: The centre

    /// Hears what the centre tells, until it is cancelled; a centre that ends is waited for.
    func followCenter() async {
        var position: String?
        var isAway = false
        var isReset = false
        while !Task.isCancelled {
            do {
                let after: String
                if let position { after = position } else { after = try await begin() }
                position = after
                try await client.watch(after: after, as: .desktop) { event in
                    if isAway { Voice.say("the centre on \"\(place)\" is back") }
                    isAway = false
                    isReset = event.name == "reset"
                    position = isReset ? nil : event.id ?? position
                    await take(event)
                }
            } catch let failure as Failure where !failure.isAbsence {
                if !isAway { Voice.report(failure) }
                isAway = true
            } catch {}
            board.takeEnd(at: now)
            guard !Task.isCancelled else { return }
            // A stream that ended with "reset" begins anew at once.
            if isReset {
                isReset = false
                continue
            }
            if !isAway { Voice.say("the centre on \"\(place)\" does not answer; waiting for it") }
            isAway = true
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// Learns what apps are called; returns the position from which events are told: what is past has no popup.
    private func begin() async throws -> String {
        let front = try await client.ask(.GET, "/v1/front?limit=1")
        board.take(front: front, isForLock: false, at: now)
        badges.take(front: front)
        tellBadges()
        await files.take(front: front)
        // The rest of them is told in time, if a stream began anew so soon.
        work.raise()
        let position = front["position"]?.string ?? "0"
        board.take(start: Int64(position) ?? 0)
        return position
    }

    private func take(_ event: ServerEvent) async {
        switch event.name {
        case "hello":
            board.take(hello: event.data, at: now)
            await files.takeCenter()
            // The orders of a person while no centre answered are sent now.
            let kept = unsent
            unsent = []
            for (order, token) in kept { await carryOut([order], with: token) }
        case "surfaces": board.take(surfaces: event.data)
        case "app":
            board.take(app: event.data)
            badges.take(app: event.data)
            tellBadges()
            await files.take(app: event.data)
        case "delivered": await carryOut(board.take(delivered: event.data, at: now))
        case "removed":
            let ids = (event.data["ids"]?.array ?? []).compactMap(\.string).compactMap { Int64($0) }
            await carryOut(board.take(removed: ids))
        case "owner":
            board.take(owner: event.data, at: now)
            guard let seen = event.data["seen"]?.string.flatMap({ Int64($0) }) else { break }
            await carryOut(board.take(seen: seen))
        case "reset": await carryOut(board.takeReset())
        case "missed": board.takeReturn()
        default: break
        }
        work.raise()
    }

    /// Tells launchers the numbers that are to be told now.
    private func tellBadges() { tell(badges.changes(at: now)) }

    private func tell(_ changes: [LauncherBadges.Change]) {
        for change in changes { try? screen.tell(change) }
    }

    // MARK: The daemon

    /// Hears what the daemon tells, until the bus has ended, which it throws, or nobody is there to wait for.
    func followDaemon() async throws {
        while true {
            let events = try await screen.next()
            for event in events { await take(event) }
            if screen.endsWithout, events.contains(.absent) { return }
            work.raise()
        }
    }

    private func take(_ event: ScreenEvent) async {
        switch event {
        case .came(let facts):
            board.take(daemon: facts)
            handsSoundsOver = facts.takesSounds
            Voice.say("showing notifications on \(facts.name) \(facts.version)")
        case .went:
            board.takeDaemonGone()
            Voice.say("the \(screen.name) has gone; waiting for one")
        case .absent where screen.endsWithout: Voice.sayNoPopup(since: "no \(screen.name) is on the session bus")
        case .absent: Voice.say("no \(screen.name) is on the session bus; waiting for one")
        case .shown(let ticket, let id): await carryOut(board.take(shown: ticket, as: id))
        case .refused(let ticket): await carryOut(board.take(refused: ticket))
        case .closed(let id, let reason): await carryOut(board.take(closed: id, reason: reason))
        case .activation(let token, let id): activation.take(token, of: id)
        case .chosen(let key, let id):
            await carryOut(board.take(chosen: key, of: id), with: activation.take(clicked: id))
        case .reply(let text, let id): await carryOut(board.take(reply: text, of: id))
        }
    }

    // MARK: The lock

    /// Hears of the locks of a bus, until it is cancelled.
    ///
    /// A bus that is not there at the start has none. One that ends counts as locked until it is there again.
    func followLocks(of bus: BusConnection.Bus) async {
        var watch = try? LockWatch(bus)
        let isThere = watch != nil
        if !isThere { await take(bus, isLocked: false) }
        while !Task.isCancelled {
            if let found = watch {
                do {
                    try await found.run {
                        await take(bus, isLocked: $0)
                    } woke: {
                        wake()
                    }
                } catch {}
                await take(bus, isLocked: true)
            }
            try? await clock.sleep(for: isThere ? Self.pause : .seconds(3600))
            watch = isThere ? try? LockWatch(bus) : nil
        }
    }

    private func take(_ bus: BusConnection.Bus, isLocked: Bool) async {
        if isLocked { locks.insert(bus) } else { locks.remove(bus) }
        await carryOut(board.take(isLocked: !locks.isEmpty, at: now))
        work.raise()
    }

    /// Hears of the desktop's own Do Not Disturb, until it is cancelled or the bus has ended.
    func followInhibition() async {
        let take = { (isOn: Bool) in
            self.board.take(isInhibited: isOn)
            self.work.raise()
        }
        do { try await InhibitionWatch().run(take) } catch { take(false) }
    }

    /// Takes that the machine slept.
    private func wake() {
        board.takeReturn()
        work.raise()
    }

    // MARK: Orders

    private func carryOut(_ orders: [PopupBoard.Order], with token: ActivationToken? = nil) async {
        for order in orders {
            switch order {
            case .close(let id): try? screen.close(id)
            case .respond(let id, let action, let text):
                var body: JSONObject = ["action": .string(action), "surface": "desktop"]
                body["text"] = text.map(JSON.string)
                let target = "/v1/notifications/\(id)/responses"
                let what = "answer to notification \(id)"
                let answer = await tell(order, with: token, .POST, target, body, what)
                // A person wants to see the app, and the centre knows no way to bring it about.
                guard let launch = answer?["launch"]?.object else { break }
                await open(
                    Opening(
                        address: launch["url"]?.string.flatMap(PageAddress.init),
                        isPage: false,
                        entry: launch["desktopEntry"]?.string.flatMap(DesktopEntry.init),
                        action: action == "default" ? nil : action,
                        token: token
                    )
                )
            case .dismiss(let id):
                let target = "/v1/notifications/\(id)"
                _ = await tell(order, with: token, .DELETE, target, nil, "dismissal of notification \(id)")
            case .open(let address): await open(Opening(address: address, isPage: true, token: token))
            }
        }
    }

    private func open(_ opening: Opening?) async {
        guard let opening else { return }
        if let gone = await openings.add(opening) { take(gone, wasOpened: false) }
    }

    /// Tells the centre what a person did; what it does not take is in its list still, or was done elsewhere.
    ///
    /// An order that no centre answers is kept for the next one, which says so where the first took it before its end.
    private func tell(
        _ order: PopupBoard.Order,
        with token: ActivationToken?,
        _ method: HTTPMethod,
        _ target: String,
        _ body: JSONObject?,
        _ what: String
    ) async -> JSONObject? {
        do { return try await client.ask(method, target, body) } catch {
            let failure = error as? Failure
            let isKept = failure?.isAbsence == true && unsent.count < Self.unsentLimit
            if isKept { unsent.append((order, token)) }
            let end = isKept ? " is kept until a centre answers" : " was not taken"
            Voice.say("the \(what)\(end): \(failure?.message ?? "\(error)")")
            return nil
        }
    }

    /// Opens what popups lead to, until it is cancelled.
    func openPages() async { await openings.run { await self.take($0, wasOpened: $1) } }

    private func take(_ opening: Opening, wasOpened: Bool) {
        guard opening.isPage else { return }
        board.take(wasOpened: wasOpened)
        work.raise()
    }

    /// Does what comes next, until it is cancelled.
    func present() async {
        while !Task.isCancelled {
            tellBadges()
            switch board.step(at: now) {
            case .tell(let surface, let state):
                let object: JSONObject = [
                    "visible": .bool(state.isVisible), "focused": .bool(state.isFocused),
                    "banners": .bool(state.showsBanners), "sound": .bool(state.playsSounds),
                ]
                do {
                    _ = try await client.ask(.PUT, "/v1/surfaces/\(CenterClient.segment(surface))", object)
                } catch { board.takeUntold() }
            case .loadFront(let isForLock):
                let surface = isForLock ? "lock" : "open"
                do {
                    let target = "/v1/front?limit=\(PopupBoard.stackLimit)&surface=\(surface)"
                    let front = try await client.ask(.GET, target)
                    board.take(front: front, isForLock: isForLock, at: now)
                } catch { board.takeNoFront() }
            case .loadUnseen:
                let answer = await UnseenReader(client).answer()
                board.take(unseen: answer, at: now)
            case .show(let popup, let files, let ticket): await show(popup, files, ticket)
            case .rest(let end): await rest(until: [end, badges.wake].compactMap(\.self).min())
            }
        }
    }

    /// Has a popup shown, and its sound played; one whose files cannot be had is shown without.
    private func show(_ popup: Popup, _ files: PopupFiles, _ ticket: Int) async {
        var bytes = PopupBytes()
        if let picture = files.picture {
            bytes.picture = try? await client.file(picture.target, byteLimit: Int(PopupPicture.byteLimit))
        }
        if handsSoundsOver, let sound = files.sound?.target {
            bytes.sound = try? await client.file(sound, byteLimit: PopupSound.byteLimit)
        }
        // The session may have been locked meanwhile; the popup of what was missed has no files.
        guard files == PopupFiles() || board.stands(ticket) else { return await carryOut(board.take(refused: ticket)) }
        do { try screen.show(popup, bytes, ticket: ticket) } catch {
            return await carryOut(board.take(refused: ticket))
        }
        if !handsSoundsOver, let sound = files.sound { await player?.take(sound) }
    }

    /// Waits until something has happened, or until this moment.
    private func rest(until end: Duration?) async {
        let pause = end.map { $0 - now }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { [work] in await work.wait() }
            if let pause { group.addTask { [clock] in try? await clock.sleep(for: pause) } }
            await group.next()
            group.cancelAll()
        }
    }

    /// Closes what is on the screen, because nobody would hear of its buttons any more, and takes the numbers from
    /// icons.
    func closeAll() {
        tell(badges.takeEnd())
        for id in board.daemonIDs { try? screen.close(id) }
    }
}
