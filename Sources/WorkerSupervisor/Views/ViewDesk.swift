// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import CenterProtocol
import Dispatch
import Glibc
import HostRuntime
import Keychain
import Logging
import SceneModel
import WorkerProtocol

/// The views that are open: a fresh process for each, from the order to the launcher until its exit.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. A view is known by the serial number of
/// its process. Whoever opened it hears of its end exactly once, whatever the process does.
final class ViewDesk {
    private let equipment: Equipment
    private let sites: ExtensionSites
    private let staffing: Staffing
    private let starter: WorkerStarter
    private let network: WorkerNetwork
    private let timetable: Timetable<ViewDesk>
    private var views: [UInt64: ViewProcess] = [:]
    private var line = ViewLine()
    private let watch: ViewWatch
    private let listener: ViewListener
    private let files: ViewFiles
    private let gifts: ViewGifts

    init(
        _ equipment: Equipment,
        sites: ExtensionSites,
        staffing: Staffing,
        questions: ViewQuestions,
        files: ViewFiles,
        gifts: ViewGifts,
        watch: ViewWatch,
        timetable: Timetable<ViewDesk>
    ) {
        self.equipment = equipment
        self.sites = sites
        self.staffing = staffing
        self.timetable = timetable
        self.files = files
        self.gifts = gifts
        starter = WorkerStarter(equipment)
        network = WorkerNetwork(equipment)
        self.watch = watch
        listener = ViewListener(equipment.logger, questions: questions, files: files)
        sites.joinForViews(self)
        questions.join(self)
        files.join(self)
        gifts.join(self)
        watch.join(self)
    }

    private var launcher: Launcher { equipment.launcher }

    var isEmpty: Bool { views.isEmpty }
    /// The processes of views, those that are ending included.
    var all: [ViewProcess] { Array(views.values) }
    func owns(_ serial: UInt64) -> Bool { views[serial] != nil }

    // MARK: Whoever opened it

    /// Opens a view of an app for an owner and returns its number; `nil` when there is no room or no such extension.
    ///
    /// `files` are those of the notification, which come before it; `report` is called on the loop's thread.
    func open(
        _ opening: ViewOpening,
        _ files: [ViewAttachment],
        of topic: String,
        for owner: String,
        report: @escaping @Sendable (ViewReport) -> Void
    ) -> UInt64? {
        guard equipment.gate.isOpen, sites.shows(topic) else { return nil }
        let known = sites.place(of: topic, for: owner)
        let own = known.map { open(of: $0) } ?? []
        guard open().count < ViewRules.views || own.count >= ViewRules.viewsOfSite,
            let place = known ?? sites.add(topic, for: owner)
        else { return nil }
        if own.count >= ViewRules.viewsOfSite, let oldest = own.min() { close(oldest) }
        let serial = equipment.serials.next()
        let files = gifts.admit(files, of: serial)
        line.append(
            WaitingView(
                serial: serial,
                life: ViewLife(opening, files, now: timetable.now),
                place: place,
                report: report,
                limit: timetable.schedule(at: timetable.now + ViewRules.firstScene) { $0.firstSceneIsDue(serial) }
            )
        )
        // A further owner's site may have no folder yet.
        if sites.contentSite(place) == nil { sites.open(place) }
        startNext()
        return serial
    }

    /// The numbers of views that have not ended, of one site or of all.
    private func open(of place: Int? = nil) -> [UInt64] {
        let started = views.values.filter { $0.life.isOpen && (place == nil || $0.site.index == place) }.map(\.serial)
        return started + line.waiting.filter { place == nil || $0.place == place }.map(\.serial)
    }

    /// Hands an event to a view; throws what a scene does not offer.
    ///
    /// The event has the number that is given, which is above those before it, or the next one; the scene that takes it
    /// in acknowledges that. Returns the number; `nil` means that the view is no more, or not yet, and heard nothing.
    func send(_ word: ViewWord, numbered given: UInt64? = nil, to serial: UInt64) throws(EventFault) -> UInt64? {
        guard let view = views[serial], view.life.takesEvents, view.channel.isOpen else { return nil }
        let number = given ?? view.lastEvent + 1
        guard number > view.lastEvent else { throw .badValue }
        if case .event(let event) = word { try view.judge(event) }
        guard try view.send(word, numbered: number) else {
            take(view.life.kill(.protocolViolation), of: view)
            return nil
        }
        if word.isStir { view.life.stir(isAct: word.isAct, now: timetable.now) }
        if case .event(.response(let response)) = word { wait(forWordOn: response.number, of: view) }
        return number
    }

    /// Hands an event on under a number of the caller's, above those before it.
    ///
    /// A word that comes before the view is open changes what it opens with, and a response then has nobody who could
    /// decide on it. An event that the scene does not offer is acknowledged without effect. `files` are those of a
    /// notification, which come before it; the words behind it wait so long.
    func pass(_ word: ViewWord, _ files: [ViewAttachment], numbered number: UInt64, to serial: UInt64) {
        let files = gifts.admit(files, of: serial)
        if line.amend(serial, { $0.amend(word, files) }, { $0.report(.scene(SceneUpdate(acknowledged: number))) }) {
            if case .event(.response(let response)) = word { forward(response, of: serial) }
            return
        }
        guard let view = views[serial], view.life.isOpen,
            number > max(view.lastEvent, view.heldWords.last?.number ?? 0)
        else { return }
        guard view.life.takesEvents else {
            view.life.amend(word, files)
            if case .notification = word { gifts.cutShort(view) }
            return pass(word, numbered: number, to: view)
        }
        if !gifts.hand(word, files, numbered: number, to: view) { close(serial) }
    }

    func pass(_ word: ViewWord, numbered number: UInt64, to view: ViewProcess) {
        let serial = view.serial
        do throws(EventFault) {
            if try send(word, numbered: number, to: serial) != nil { return }
        } catch {
            if case .notification = word {
                log("newer notification not shown: it fits no packet", [:], of: view.site, view.pid)
            }
            // For an event the scene has changed meanwhile.
        }
        // Behind every scene that came before it.
        release(view)
        guard view.life.isOpen else { return }
        view.skip(number)
        if case .event(.response(let response)) = word { forward(response, of: serial) }
    }

    /// A response on which a view says nothing goes on, and the view ends.
    private func forward(_ response: ViewResponse, of serial: UInt64) {
        let call = SceneCall.option(.dismissAndForwardAction, response: response.number)
        line.waiting.first { $0.serial == serial }?.report(.scene(SceneUpdate(calls: [call])))
        views[serial]?.tell(.scene(SceneUpdate(calls: [call])))
        close(serial)
    }

    /// A view that says nothing on a response in time goes, and whoever opened it goes on with the response.
    private func wait(forWordOn response: UInt64, of view: ViewProcess) {
        let serial = view.serial
        _ = timetable.schedule(at: timetable.now + ViewRules.response) { desk in
            guard let view = desk.views[serial], view.giveUp(response: response) else { return }
            desk.show(SceneUpdate(calls: [.option(.dismissAndForwardAction, response: response)]), of: view)
        }
    }

    /// The whole scene of a view, to which all later reports fit; `nil` when there is none.
    func scene(of serial: UInt64) -> SceneUpdate? {
        guard let view = views[serial], view.life.isOpen else { return nil }
        release(view)
        return view.life.isOpen ? view.wholeScene : nil
    }

    func close(_ serial: UInt64) {
        endWaiting(serial) { $0.close() }
        guard let view = views[serial] else { return }
        take(view.life.close(), of: view)
    }

    /// The host ends, and its views with it.
    func dismissAll() {
        for view in line.waiting { close(view.serial) }
        for view in all { close(view.serial) }
    }

    /// Ends a view that has no process yet.
    private func endWaiting(_ serial: UInt64, _ step: (inout ViewLife) -> ViewLife.Step) {
        guard var view = line.remove(serial) else { return }
        timetable.cancel(view.limit)
        switch step(&view.life) {
        case .kill(let reason), .dismiss(let reason), .tell(let reason): view.report(.ended(reason))
        case .nothing, .open, .show: break
        }
    }

    // MARK: Starts

    private func startNext() {
        while equipment.gate.isOpen,
            let next = line.next(processCount: views.count, isOpen: { sites.contentSite($0) != nil }),
            let site = sites.contentSite(next.place)
        { start(next, of: site) }
    }

    private func start(_ waiting: WaitingView, of site: ExtensionSite) {
        let serial = waiting.serial
        do {
            let order = starter.order(serial, for: site)
            let ends = try launcher.start(order, on: timetable.loop) { [timetable] readiness in
                timetable.performNow { $0.socketReady(serial, readiness) }
            } outputReady: { [timetable] _ in
                timetable.performNow { $0.outputReady(serial) }
            }
            let view = ViewProcess(serial: serial, ends: ends, site: site, life: waiting.life, report: waiting.report)
            views[serial] = view
            sites.viewBegan(site.index)
            view.limit = waiting.limit
            view.isOrdered = true
            view.channel.send(try starter.hello(to: site))
        } catch {
            log("view not started", ["error": "\(error)"], of: site)
            if let view = views[serial] { return take(view.life.kill(.notStarted), of: view) }
            // The order may have gone out before something else failed.
            _ = launcher_send_kill(launcher.socket.raw, serial)
            line.answered()
            timetable.cancel(waiting.limit)
            waiting.report(.ended(.notStarted))
        }
    }

    /// The launcher has answered: the next order may go.
    private func orderAnswered(_ view: ViewProcess) {
        guard view.isOrdered else { return }
        view.isOrdered = false
        line.answered()
        startNext()
    }

    private func firstSceneIsDue(_ serial: UInt64) {
        endWaiting(serial) { $0.firstSceneIsDue() }
        guard let view = views[serial] else { return }
        // What it said in time may still lie in the socket.
        readAll(view)
        release(view)
        take(view.life.firstSceneIsDue(), of: view)
    }

    private func enterService(_ view: ViewProcess) {
        guard view.canServe, !view.awaitsFiles else { return }
        let files = view.life.takeFiles()
        guard files.isEmpty else {
            return gifts.put(files, of: 0, to: view) { [weak self] attachments in
                view.life.give(attachments)
                self?.enterService(view)
            }
        }
        view.readMemory(now: timetable.now)
        take(view.life.entersService(), of: view)
        watch.lookSoon()
    }

    // MARK: Steps

    private func take(_ step: ViewLife.Step, of view: ViewProcess) {
        switch step {
        case .nothing: return
        case .open(let opening):
            network.began(ViewConversation.viewID, with: view)
            guard !view.send(opening) else { return }
            log("view not opened: its notification fits no packet", [:], of: view.site, view.pid)
            take(view.life.kill(.notStarted), of: view)
        case .show(let update): view.tell(.scene(update))
        case .dismiss(let reason):
            end(view, reason)
            sayFarewell(to: view)
        case .kill(let reason):
            end(view, reason)
            view.kill(reason.killCause, through: launcher)
        case .tell(let reason): end(view, reason)
        }
    }

    private func end(_ view: ViewProcess, _ reason: ViewEnd) {
        network.ended(ViewConversation.viewID, with: view)
        view.tell(.ended(reason))
        // What a person or the view wanted is no news.
        guard ![.closed, .dismissed].contains(reason) else { return }
        log("view ended", ["reason": "\(reason.rawValue)"], of: view.site, view.pid)
    }

    private func sayFarewell(to view: ViewProcess) {
        view.sayFarewell()
        let serial = view.serial
        view.limit.take().map(timetable.cancel)
        view.limit = timetable.schedule(at: timetable.now + ViewRules.farewell) { desk in
            guard let view = desk.views[serial] else { return }
            view.kill(.retired, through: desk.launcher)
        }
    }

    private func log(_ text: Logger.Message, _ facts: Logger.Metadata, of site: ExtensionSite, _ pid: Int32 = 0) {
        equipment.logger.noteView(text, facts, of: site, pid)
    }

    private func show(_ update: SceneUpdate, of view: ViewProcess) {
        let steps = view.life.said(update, isEmpty: view.isEmpty, lastEvent: view.lastEvent, now: timetable.now)
        if update.calls.contains(.defaultAction), !steps.isEmpty, !steps.contains(.dismiss(.dismissed)) {
            log("default action ignored: no person did anything", [:], of: view.site, view.pid)
        }
        for step in steps { take(step, of: view) }
        if !view.isEmpty, !view.hasWeight { view.hasWeight = view.raisePriority(through: launcher) }
    }

    /// Shows what is held, whatever the time.
    private func release(_ view: ViewProcess) {
        if let update = view.releaseScene() { show(update, of: view) }
    }

    private func releaseLater(_ view: ViewProcess) {
        guard view.holdsScene, !view.isReleasing else { return }
        view.isReleasing = true
        let serial = view.serial
        _ = timetable.schedule(at: timetable.now + SceneThrottle.interval) { desk in
            guard let view = desk.views[serial] else { return }
            view.isReleasing = false
            if let update = view.releaseScene(now: desk.timetable.now) { desk.show(update, of: view) }
            desk.releaseLater(view)
        }
    }

    // MARK: Its descriptors

    private func socketReady(_ serial: UInt64, _ readiness: EventLoop.Readiness) {
        guard let view = views[serial] else { return }
        if readiness.contains(.write) { view.channel.flush() }
        read(view)
    }

    private func outputReady(_ serial: UInt64) { views[serial].map(listener.logOutput) }

    private func read(_ view: ViewProcess) { listener.read(view, now: timetable.now) { heard($0, from: view) } }

    private func readAll(_ view: ViewProcess) { listener.readAll(view, now: timetable.now) { heard($0, from: view) } }

    private func heard(_ news: ViewListener.News, from view: ViewProcess) {
        switch news {
        case .ready: enterService(view)
        case .scene(let update): show(update, of: view)
        case .held: releaseLater(view)
        case .silence: fellSilent(view)
        case .violation(let violation):
            log("protocol violation", ["error": "\(violation)"], of: view.site, view.pid)
            view.channel.close()
            take(view.life.kill(.protocolViolation), of: view)
        }
    }

    /// The process closed its socket: it ends by itself within half a second, or is killed.
    private func fellSilent(_ view: ViewProcess) {
        view.channel.close()
        let serial = view.serial
        _ = timetable.schedule(at: timetable.now + ViewRules.silence) { desk in
            // Of one that has ended the launcher tells how.
            guard let view = desk.views[serial], !view.hasEnded else { return }
            desk.take(view.life.kill(.gone), of: view)
            view.kill(.silence, through: desk.launcher)
        }
    }
}

// MARK: What is asked and looked at

extension ViewDesk: ViewGiftsDelegate {
    func view(_ serial: UInt64) -> ViewProcess? { views[serial] }
}

extension ViewDesk: ViewWatchDelegate {
    func end(_ view: ViewProcess, as reason: ViewEnd) {
        take(reason == .idle ? view.life.close(.idle) : view.life.kill(reason), of: view)
    }

    func exceedsStorage(_ site: ExtensionSite) {
        log("storage limit", ["app.storage": "\(site.storage?.path ?? "")"], of: site)
        for view in all where view.site === site { take(view.life.kill(.crashed), of: view) }
    }
}

// MARK: Sites

extension ViewDesk: SiteWaiting {
    func opened(_ site: Int) { startNext() }

    func notOpened(_ site: Int) {
        for view in line.waiting where view.place == site { endWaiting(view.serial) { $0.kill(.notStarted) } }
    }
}

// MARK: The launcher's reports

extension ViewDesk {
    func started(_ serial: UInt64, _ launched: consuming LaunchedProcess) {
        guard let view = views[serial] else { return }
        view.started(launched)
        view.repeatKill(through: launcher)
        if view.killCause == nil { network.open(for: view, of: view.site.app) }
        orderAnswered(view)
        enterService(view)
    }

    /// There is no descriptor left for the process.
    func cannotHold(_ serial: UInt64) {
        guard let view = views[serial] else { return }
        take(view.life.kill(.notStarted), of: view)
        orderAnswered(view)
    }

    func notStarted(_ serial: UInt64, _ error: SystemError) {
        guard let view = views[serial] else { return }
        // One that was closed on its way is what was asked for.
        if view.life.isOpen { log("view not started", ["error": "\(error)"], of: view.site) }
        take(view.life.ended(.notStarted), of: view)
        letGo(of: view)
    }

    func exited(_ serial: UInt64, _ exit: ProcessExit) {
        guard let view = views[serial] else { return }
        // What it said before its end still counts.
        readAll(view)
        release(view)
        listener.logLastOutput(of: view)
        equipment.logger.debug("view exited", metadata: ["worker.pid": "\(view.pid)", "worker.exit": "\(exit)"])
        take(view.life.ended(view.reason(after: exit)), of: view)
        letGo(of: view)
    }

    private func letGo(of view: ViewProcess) {
        view.limit.take().map(timetable.cancel)
        network.closed(view)
        files.forget(view)
        gifts.forget(view)
        view.close()
        views[view.serial] = nil
        sites.viewEnded(view.site.index)
        if view.droppedLogCount > 0 {
            log("log lines dropped", ["worker.droppedLogLines": "\(view.droppedLogCount)"], of: view.site, view.pid)
        }
        renewTemporaryFolder(of: view.site)
        orderAnswered(view)
        startNext()
        equipment.processEnded()
    }

    /// Without mounts of its own a view's `tmp` is a folder on the host's disk: the next one gets an empty one.
    private func renewTemporaryFolder(of site: ExtensionSite) {
        guard !launcher.hasOwnRoot, !sites.hasViews(site.index), staffing.isDeserted(site.index),
            let storage = site.storage, let old = storage.renewTemporaryFolder()
        else { return }
        equipment.storageQueue.async { storage.removeOld(old) }
    }

    /// The processes are dying with the launcher.
    func loseLauncher() {
        for view in line.waiting { endWaiting(view.serial) { $0.kill(.notStarted) } }
        for view in all {
            release(view)
            take(view.life.ended(.crashed), of: view)
            view.limit.take().map(timetable.cancel)
            network.closed(view)
            files.forget(view)
            gifts.forget(view)
            view.close()
            sites.viewEnded(view.site.index)
        }
        views = [:]
    }
}
