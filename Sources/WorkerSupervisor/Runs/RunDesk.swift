// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Logging
import NotificationPayload
import WorkerProtocol

/// The notifications between `run` and their conclusions.
///
/// Belongs to the supervisor's actor and is called on its loop's thread alone. Each notification is concluded exactly
/// once, whatever becomes of its worker; which phase follows which, `RunLife` says.
final class RunDesk {
    private let equipment: Equipment
    private let staffing: Staffing
    private let listener: WorkerListener
    private let pool: WorkerPool
    private let watch: WorkerWatch
    private let courier: ScratchCourier
    private let files: RunFiles
    private let timetable: Timetable<RunDesk>
    private let sites: ExtensionSites
    private var runs: [UInt64: ExtensionRun] = [:]
    /// The notifications of each site that wait for a worker.
    private var lines: [WaitingLine<ExtensionRun>]
    /// The instant at which each site's line is looked at for waits that are over; `nil` while none is set.
    private var waitLooks: [Duration?]
    /// The notifications whose files are being put into a worker's scratch folder, by the worker's number.
    private var preparing: [UInt64: Set<UInt64>] = [:]

    init(
        _ equipment: Equipment,
        sites: ExtensionSites,
        staffing: Staffing,
        listener: WorkerListener,
        pool: WorkerPool,
        watch: WorkerWatch,
        courier: ScratchCourier,
        files: RunFiles,
        timetable: Timetable<RunDesk>
    ) {
        self.equipment = equipment
        self.sites = sites
        self.staffing = staffing
        self.listener = listener
        self.pool = pool
        self.watch = watch
        self.courier = courier
        self.files = files
        self.timetable = timetable
        lines = (0..<sites.count).map { _ in WaitingLine() }
        waitLooks = (0..<sites.count).map { _ in nil }
        files.join(self)
        sites.join(self)
    }

    /// The notifications that are not concluded, for tests.
    var all: [ExtensionRun] { Array(runs.values) }

    /// Notifications that wait for a worker.
    var waitingCount: Int { lines.reduce(0) { $0 + $1.count } }

    /// Answers through the continuation when the time is up at the latest.
    func run(
        _ request: ExtensionRequest,
        within time: ExtensionTime,
        answer: CheckedContinuation<ExtensionResult, Never>
    ) {
        let owner = request.push.owner
        guard let app = sites.place(of: request.app, for: owner) ?? sites.add(request.app, for: owner) else {
            let failure: ExtensionFailure = sites.serves(request.app) ? .otherOwner : .launchFailed
            return answer.resume(returning: ExtensionResult(.failed(failure), worker: nil))
        }
        guard equipment.gate.isOpen, !staffing.isPaused(app, now: timetable.now) else {
            return answer.resume(returning: ExtensionResult(.failed(.launchFailed), worker: nil))
        }
        guard !lines[app].isFull else {
            staffing.count(of: app) { $0.noWorker += 1 }
            return answer.resume(returning: ExtensionResult(.failed(.noWorker), worker: nil))
        }
        let run = ExtensionRun(
            id: equipment.serials.next(),
            request: request,
            app: app,
            life: RunLife(asked: timetable.now, time: time),
            continuation: answer
        )
        runs[run.id] = run
        if !staffing.hasWorker(app) { staffing.count(of: app) { $0.coldStarts += 1 } }
        lines[app].append(run, since: run.life.asked)
        staffing.needed(app)
        if sites[app] == nil { sites.open(app) }
        pool.settle(app)
        // Most are taken at once, and have no wait that could end.
        if run.life.isWaiting { watchWait(of: run) }
    }

    /// The launcher is lost; what is being collected concludes with its files' answers.
    func loseLauncher() {
        for run in runs.values { conclude(run, .failed(.launchFailed)) }
    }

    /// Concludes every notification at once, and ends the workers that have begun one.
    func cutOff() {
        // In this order nothing that a worker leaves is given to another.
        for line in lines {
            for run in line.all { conclude(run, .failed(.exitedEarly)) }
        }
        var begun: [UInt64: WorkerProcess] = [:]
        for run in runs.values {
            if let worker = run.life.assignment?.worker { begun[worker.serial] = worker }
            if let delivery = run.life.delivery {
                // What is not taken yet stays where it is.
                delivery.refuseRest(.outOfTime)
                collected(delivery, of: run)
            } else {
                conclude(run, .failed(.exitedEarly))
            }
        }
        for worker in begun.values { pool.end(worker, .retired, .exitedEarly) }
    }

    // MARK: Work

    private func give(_ run: ExtensionRun, to worker: WorkerProcess) {
        let isFresh = pool.occupy(worker)
        if !worker.hasFreeLane, run.mayGoAhead { return sendAhead(run, to: worker) }
        let now = timetable.now
        // The files are there before the last call or not at all.
        let files = courier.reaches(worker) && run.life.leavesTimeBeforeLastCall ? run.request.files : []
        _ = run.life.apply(.taken(by: worker, isFresh: isFresh, at: now, files: files))
        let id = run.id
        run.deadline = timetable.schedule(at: run.life.expiry) { $0.expired(id) }
        guard !files.isEmpty else { return send(run, to: worker, []) }
        staffing.holdBack(worker)
        preparing[worker.serial, default: []].insert(id)
        self.files.put(run, to: worker)
    }

    /// The roster knows already that the worker has it.
    private func send(_ run: ExtensionRun, to worker: WorkerProcess, _ given: [GivenFile]) {
        guard let requestID = pool.send(run.message(with: given, at: timetable.now), of: run.id, to: worker) else {
            return conclude(run, .failed(.protocolViolation))
        }
        leavePreparing(run, of: worker)
        _ = run.life.apply(.sent(requestID: requestID))
        staffing.count(of: run.app) { $0.given += 1 }
        // Its files took so long that its last call is due already.
        if timetable.now >= run.life.expiry { lastCall(run.id) }
    }

    /// Has a request lie in the worker's hands until the worker is done with those before it.
    ///
    /// The wait is looked at again when the request comes back: a request whose turn is long in coming is asked back.
    private func sendAhead(_ run: ExtensionRun, to worker: WorkerProcess) {
        guard let requestID = pool.send(run.message(with: [], at: timetable.now), of: run.id, to: worker) else {
            pool.vacate(worker)
            return conclude(run, .failed(.protocolViolation))
        }
        _ = run.life.apply(.sentAhead(to: worker, requestID: requestID))
        staffing.count(of: run.app) { $0.given += 1 }
    }

    /// Hands the result over; everything that comes later for this run is without effect.
    ///
    /// The one way out for every notification, once for each. Whatever ends a worker takes nothing from a content that
    /// came before: while its files are being collected it waits for those alone. Without `attachments` a content says
    /// nothing of files.
    private func conclude(
        _ run: ExtensionRun,
        _ conclusion: ExtensionResult.Conclusion,
        attachments: Attachments? = nil,
        after event: RunLife<WorkerProcess>.Event = .ended
    ) {
        let taken = run.life.taken
        guard let left = run.life.apply(event) else { return }
        runs[run.id] = nil
        run.deadline.take().map(timetable.cancel)
        var use: WorkerUse?
        var given: [Attachment] = []
        switch left {
        case .atWork(let assignment), .collecting(_, let assignment):
            if case .failed = conclusion { staffing.count(of: run.app) { $0.missingCompletions += 1 } }
            let worker = assignment.worker
            worker.sampleMemory(now: timetable.now)
            use = worker.use(isFresh: assignment.isFresh)
            if attachments != nil { given = assignment.given.map(\.attachment) }
            // Before its folder is looked at.
            for file in assignment.given { courier.remove(file.name, from: worker) }
            pool.release(assignment.requestID, of: worker)
        case .ahead(let assignment):
            pool.release(assignment.requestID, of: assignment.worker)
        case .preparing(let preparation):
            leave(preparation, of: run)
        case .waiting:
            lines[run.app].remove { $0 === run }
        case .concluded:
            break
        }
        run.continuation.resume(
            returning: ExtensionResult(
                conclusion,
                attachments: attachments ?? .init(),
                given: given,
                worker: use,
                taken: taken
            )
        )
    }

    // MARK: Time

    /// Sets one deadline for an app's whole line: most waits end with a worker, long before their time, and cost none.
    private func watchWait(of run: ExtensionRun) {
        lookForEndedWaits(of: run.app, at: run.life.waitEnd)
        // Time may have a further worker serve it.
        watch.watchSoon()
    }

    private func lookForEndedWaits(of app: Int, at instant: Duration) {
        if let look = waitLooks[app], look <= instant { return }
        waitLooks[app] = instant
        _ = timetable.schedule(at: instant) { $0.endWaits(of: app, look: instant) }
    }

    private func endWaits(of app: Int, look: Duration) {
        // Another look was set for an earlier instant, and set the next one.
        guard waitLooks[app] == look else { return }
        waitLooks[app] = nil
        let now = timetable.now
        let ended = lines[app].all.filter { $0.life.waitEnd <= now }
        for run in ended {
            staffing.count(of: app) { $0.noWorker += 1 }
            conclude(run, .failed(.noWorker))
        }
        if let next = lines[app].all.lazy.map(\.life.waitEnd).min() { lookForEndedWaits(of: app, at: next) }
        if !ended.isEmpty { pool.settle(app) }
    }

    /// A notification that was taken back waits again, in its old place, as long as it had left.
    private func waitAgain(_ run: ExtensionRun) {
        run.deadline.take().map(timetable.cancel)
        lines[run.app].prepend(run, since: run.life.asked)
        watchWait(of: run)
    }

    /// The end of the budget has its deadline from here on.
    private func expired(_ id: UInt64) {
        // One that was taken back meanwhile has another last call.
        guard let run = runs[id], !run.life.isWaiting, timetable.now >= run.life.expiry else { return }
        run.deadline = timetable.schedule(at: run.life.end) { $0.budgetEnded(id) }
        lastCall(id)
    }

    private func lastCall(_ id: UInt64) {
        guard let run = runs[id] else { return }
        switch run.life.phase {
        // Files that are not there by now are not given.
        case .preparing(let preparation): return prepared(run, for: preparation.worker)
        case .waiting, .ahead, .collecting, .concluded: return
        case .atWork(let assignment):
            // A completion that waits in the socket was not made at the last call.
            listener.readContents(of: assignment.worker)
            if case .atWork(let assignment) = run.life.phase {
                staffing.lastCallCame(to: assignment.worker)
                assignment.worker.sendLastCall(assignment.requestID)
            }
            pool.settle(run.app)
        }
    }

    private func budgetEnded(_ id: UInt64) {
        guard let run = runs[id], timetable.now >= run.life.end else { return }
        guard let worker = run.life.assignment?.worker else {
            conclude(run, .failed(.budgetExceeded))
            return pool.settle(run.app)
        }
        // A completion that was sent in time may still wait in the socket, behind others.
        listener.drain(worker)
        guard runs[id] != nil else { return pool.settle(run.app) }
        if let delivery = run.life.delivery {
            // What is not taken yet stays where it is.
            delivery.refuseRest(.outOfTime)
            return collected(delivery, of: run)
        }
        // The host claims no more than it saw: a worker that spoke after the last call ignored it; of a silent one it
        // is known only that its time is up.
        let wasHeard = worker.wasHeardAfterLastCall(of: id)
        let failure: ExtensionFailure = wasHeard ? .timeWillExpireIgnored : .budgetExceeded
        // What it has not got yet goes to another worker, if it may.
        takeBackUnsent(of: worker, orFail: nil)
        guard staffing.openCount(of: worker) - worker.waitingRequests.count > 1 else {
            return pool.end(worker, .budget, failure)
        }
        pool.endAfterOthers(worker)
        conclude(run, .failed(failure))
        pool.settle(run.app)
    }

    // MARK: Files for the worker

    private func leave(_ preparation: RunLife<WorkerProcess>.Preparation, of run: ExtensionRun) {
        leavePreparing(run, of: preparation.worker)
        for file in preparation.given { courier.remove(file.name, from: preparation.worker) }
        pool.vacate(preparation.worker)
    }

    private func leavePreparing(_ run: ExtensionRun, of worker: WorkerProcess) {
        guard let place = preparing.index(forKey: worker.serial) else { return }
        preparing.values[place].remove(run.id)
        if preparing.values[place].isEmpty { preparing.remove(at: place) }
    }
}

// MARK: What becomes of files

extension RunDesk: RunFilesDelegate {
    func run(_ id: UInt64) -> ExtensionRun? { runs[id] }

    /// Sends it with the files that are there.
    func prepared(_ run: ExtensionRun, for worker: WorkerProcess) {
        guard let preparation = run.life.preparation else { return }
        if worker.isServiceable {
            send(run, to: worker, preparation.given)
        } else {
            takeBackUnsent(of: worker, orFail: .exitedEarly)
        }
        pool.settle(run.app)
    }

    func collected(_ delivery: AttachmentDelivery, of run: ExtensionRun) {
        for refused in delivery.attachments.refused {
            equipment.logger.info(
                "attachment refused",
                metadata: ["push.id": "\(run.request.push.id)", "attachment.reason": "\(refused.reason.rawValue)"]
            )
        }
        let content = ExtensionResult.Conclusion.content(delivery.payload, late: delivery.isLate)
        conclude(run, content, attachments: delivery.attachments, after: .collected)
        pool.settle(run.app)
    }
}

// MARK: What becomes of sites

extension RunDesk: ExtensionSitesDelegate {
    func added(_ site: Int) {
        staffing.add(sites.terms(of: site))
        lines.append(WaitingLine())
        waitLooks.append(nil)
    }

    func opened(_ site: Int) { pool.settle(site) }

    func notOpened(_ site: Int) { startFailed(of: site, concludesAll: true) }
}

// MARK: What becomes of workers

extension RunDesk: WorkSource {
    func line(of app: Int) -> Roster.Demand {
        let first = lines[app].first
        return Roster.Demand(
            count: lines[app].count,
            since: lines[app].since,
            mayGoAhead: first?.mayGoAhead ?? false
        )
    }

    func giveNext(of app: Int, to worker: WorkerProcess) -> Bool {
        guard let run = lines[app].popFirst() else { return false }
        give(run, to: worker)
        return true
    }

    func startFailed(of app: Int, concludesAll: Bool) {
        let failed = concludesAll ? lines[app].removeAll() : lines[app].popFirst().map { [$0] } ?? []
        for run in failed { conclude(run, .failed(.launchFailed)) }
    }

    func completed(_ run: UInt64, with content: WorkerMessage.Content, isLate: Bool) {
        guard let run = runs[run], let assignment = run.life.assignment else { return }
        staffing.count(of: run.app) {
            $0.completed += 1
            if isLate { $0.completedLate += 1 }
        }
        guard content.attachments?.isEmpty ?? true else {
            let folder = courier.store?.folder(for: run.request.push.id)
            let delivery = AttachmentDelivery(
                content,
                isLate: isLate,
                given: assignment.given,
                folder: folder,
                hold: courier.hold(assignment.worker)
            )
            _ = run.life.apply(.contentCame(delivery))
            return files.collect(run)
        }
        conclude(run, .content(content.payload, late: isLate), attachments: content.attachments.map { _ in .init() })
    }

    func begun(_ id: UInt64) {
        guard let run = runs[id], run.life.apply(.begun(at: timetable.now)) != nil else { return }
        run.deadline = timetable.schedule(at: run.life.expiry) { $0.expired(id) }
    }

    func fail(_ run: UInt64, _ failure: ExtensionFailure) {
        if let run = runs[run] { conclude(run, .failed(failure)) }
    }

    /// Once for each notification, so that a worker that ends without reading costs starts only so long.
    func takeBackUnread(_ run: UInt64) {
        guard let run = runs[run], run.life.mayWaitAgain(at: timetable.now), run.life.isAtWork else { return }
        takeBack(run)
    }

    func takeBack(_ run: UInt64) {
        if let run = runs[run] { takeBack(run) }
    }

    private func takeBack(_ run: ExtensionRun) {
        let assignment: RunLife<WorkerProcess>.Assignment
        switch run.life.apply(.takenBack) {
        case .ahead(let left), .atWork(let left): assignment = left
        case .waiting, .preparing, .collecting, .concluded, nil: return
        }
        for file in assignment.given { courier.remove(file.name, from: assignment.worker) }
        pool.release(assignment.requestID, of: assignment.worker)
        staffing.count(of: run.app) { $0.given -= 1 }
        waitAgain(run)
    }

    /// The next worker gets them, once; `nil` means that one that may not wait again stays with the worker.
    func takeBackUnsent(of worker: WorkerProcess, orFail failure: ExtensionFailure?) {
        for id in (preparing[worker.serial] ?? []).sorted(by: >) {
            guard let run = runs[id] else { continue }
            guard run.life.mayWaitAgain(at: timetable.now),
                case .preparing(let preparation)? = run.life.apply(.takenBack)
            else {
                if let failure { conclude(run, .failed(failure)) }
                continue
            }
            leave(preparation, of: run)
            waitAgain(run)
        }
    }
}
