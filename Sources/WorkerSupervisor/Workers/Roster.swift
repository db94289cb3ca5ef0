// SPDX-License-Identifier: Apache-2.0

/// The workers of every app, and the stage of each.
///
/// An app is here a site: an app's extension for one owner. The roster is a pure value that knows no process and no
/// time but what it is told: `nextStep(for:_:now:)` decides who gets the next notification, who is started
/// and who ends, and the other verbs note what has happened since.
struct Roster {
    /// The terms of an app's workers, which follow from its configuration.
    struct Terms: Equatable {
        /// Notifications of one worker at once.
        var requestsPerWorker = 1
        /// Notifications of one worker in its life.
        var servedLimit = 1000
        /// Workers that have notifications or take them, at once; the spare comes on top.
        var workers = 16
        /// Notifications of one worker beyond those at once.
        var mostAhead = Roster.aheadLimit
        /// The memory limit of each worker.
        var memoryByteCount: UInt64 = 0
        /// The app, whose sites share `workers`; `nil` means that there is one site.
        var app: Int?
        /// The site is that of the app's first owner; the spare of a further one asks for memory.
        var isFirst = true
    }

    struct Member: Equatable {
        /// A worker's life; the counts are requests it has open.
        enum Stage: Equatable {
            case starting
            case ready
            case serving(Int)
            /// Gets nothing new; ends with its last request.
            case retiring(Int)
        }

        let serial: UInt64
        fileprivate(set) var stage = Stage.starting
        /// The number of requests that the worker was ever given.
        fileprivate(set) var servedCount = 0
        /// Since when it has nothing to do.
        fileprivate(set) var idleSince = Duration.zero
        fileprivate(set) var isEvicted = false
        /// The launcher was asked for it and has not answered yet.
        fileprivate(set) var isOrdered = true
        /// A last call has come for one of the worker's requests: the worker gets nothing new before it has nothing
        /// open, because it may be killed then.
        fileprivate(set) var hasLastCall = false
        /// The worker computes rather than waits, as of its last look.
        fileprivate(set) var isBurning = false
        /// Requests that the worker takes beyond those that it works on, by its own word.
        fileprivate var mostAhead = 0
        /// Requests that it is given beyond those that it works on.
        fileprivate(set) var ahead = 0
    }

    /// An app's workers.
    struct Staff {
        let terms: Terms
        fileprivate(set) var members: [Member] = []
        fileprivate(set) var lastUse = Duration.zero
        /// Starts in a row that ended without a worker.
        fileprivate(set) var failedStarts = 0
        /// No start before this instant.
        fileprivate(set) var notBefore = Duration.zero
        /// False after a spare that did not last, until the next notification.
        fileprivate(set) var wantsSpare = true
    }

    /// The notifications of an app that wait for a worker.
    struct Demand: Equatable {
        var count = 0
        /// The instant from which the first one has waited; `nil` means that it has come just now.
        var since: Duration?
        /// The first one may be sent to a worker that has others before it.
        var mayGoAhead = false
    }

    /// The limits on the workers of all apps together.
    struct Bounds: Equatable {
        /// Workers at once, those that are ending included.
        var processes: Int
        /// The sum of their memory limits.
        var memoryByteCount = UInt64.max
        /// Cores of the machine.
        var processors = Int.max
    }

    /// The totals over all apps, kept as they change, so that a step costs the same for one app as for a thousand.
    struct Tally: Equatable {
        private(set) var processes = 0
        private(set) var memoryByteCount: UInt64 = 0
        /// Starts that the launcher has not answered.
        private(set) var orders = 0
        /// Workers that end to make room for another app's.
        private(set) var leaving = 0
        /// Apps without a worker that serves or will, and what the first worker of each would take.
        private(set) var vacantApps = 0
        private(set) var vacantMemoryByteCount: UInt64 = 0

        mutating func add(_ staff: Staff) {
            processes += staff.members.count
            memoryByteCount += staff.memoryByteCount
            orders += staff.members.count(where: \.isOrdered)
            leaving += staff.members.count(where: \.isEvicted)
            guard staff.isVacant else { return }
            vacantApps += 1
            vacantMemoryByteCount += staff.terms.memoryByteCount
        }

        mutating func remove(_ staff: Staff) {
            processes -= staff.members.count
            memoryByteCount -= staff.memoryByteCount
            orders -= staff.members.count(where: \.isOrdered)
            leaving -= staff.members.count(where: \.isEvicted)
            guard staff.isVacant else { return }
            vacantApps -= 1
            vacantMemoryByteCount -= staff.terms.memoryByteCount
        }
    }

    private(set) var staffs: [Staff]
    let bounds: Bounds
    /// True once an app has more than one site.
    private(set) var hasFurtherSites = false
    /// Workers of all apps that are ready and have nothing open.
    private(set) var readyCount = 0
    private(set) var tally = Tally()
    /// Apps without a worker that need one and found no room, in the order of their need.
    var hungry: [Int] = []
    /// Starts that the launcher may be asked for before it has answered: what its socket holds, so that many apps that
    /// start at once wait here and not there.
    static let orderLimit = 8
    /// Apps whose start waits for an order to be answered, those with a notification first.
    private(set) var postponed: [Int] = []
    private(set) var urgentCount = 0

    init(_ terms: [Terms], bounds: Bounds) {
        staffs = terms.map { Staff(terms: $0) }
        self.bounds = bounds
        for staff in staffs { tally.add(staff) }
    }

    var processCount: Int { tally.processes }

    /// Appends a site, which has no worker.
    mutating func add(_ terms: Terms) {
        let staff = Staff(terms: terms)
        staffs.append(staff)
        tally.add(staff)
        hasFurtherSites = hasFurtherSites || !terms.isFirst
    }

    func member(_ serial: UInt64, of app: Int) -> Member? {
        staffs[app].members.first { $0.serial == serial }
    }
}

// MARK: What has happened

extension Roster {
    mutating func started(_ serial: UInt64, for app: Int) {
        changeStaff(of: app) { $0.members.append(Member(serial: serial)) }
        hungry.removeAll { $0 == app }
    }

    /// The launcher has started it, or tried.
    mutating func orderAnswered(_ serial: UInt64, of app: Int) {
        changeCounted(serial, of: app) { $0.isOrdered = false }
    }

    /// The app that starts next, if there is room for an order.
    mutating func nextPostponed() -> Int? {
        guard orderCount < Self.orderLimit, !postponed.isEmpty else { return nil }
        urgentCount = max(0, urgentCount - 1)
        return postponed.removeFirst()
    }

    var orderCount: Int { tally.orders }

    /// The app asks again when an order was answered.
    mutating func postpone(_ app: Int, isUrgent: Bool) {
        if let place = postponed.firstIndex(of: app) {
            guard isUrgent, place >= urgentCount else { return }
            postponed.remove(at: place)
        }
        postponed.insert(app, at: isUrgent ? urgentCount : postponed.count)
        urgentCount += isUrgent ? 1 : 0
    }

    mutating func becameReady(_ serial: UInt64, of app: Int, ahead: Int = 0, now: Duration) {
        let terms = staffs[app].terms
        change(serial, of: app) { $0.becameReady(ahead: min(ahead, terms.mostAhead), now: now) }
        staffs[app].wantsSpare = true
    }

    mutating func requestBegan(with serial: UInt64, of app: Int, now: Duration) {
        change(serial, of: app) { $0.requestBegan() }
        staffs[app].lastUse = now
    }

    /// The time of one of the worker's requests is nearly up.
    mutating func lastCallCame(to serial: UInt64, of app: Int) {
        change(serial, of: app) { $0.hasLastCall = $0.openCount > 0 }
    }

    mutating func requestEnded(with serial: UInt64, of app: Int, now: Duration) {
        change(serial, of: app) { $0.requestEnded(now: now) }
        staffs[app].lastUse = now
    }

    /// A worker proved that the app's extension works.
    ///
    /// A quick worker gets requests ahead, at first one and after each quick completion twice as many, so that the
    /// death of a worker which has served little costs few notifications their places. A slow one gets none, nor does
    /// one among files, which are put into its folder before a request and taken out of it behind a content.
    mutating func completed(_ serial: UInt64, of app: Int, after time: Duration, isAmongFiles: Bool = false) {
        staffs[app].failedStarts = 0
        change(serial, of: app) { $0.completed(isQuick: time < Self.quickness && !isAmongFiles) }
    }

    /// The worker gets nothing ahead before its next quick completion.
    mutating func holdBack(_ serial: UInt64, of app: Int) {
        change(serial, of: app) { $0.ahead = 0 }
    }

    /// Notes whether a worker computed or waited since its load was last measured.
    mutating func looked(at serial: UInt64, of app: Int, isBurning: Bool) {
        change(serial, of: app) { $0.isBurning = isBurning }
    }

    /// The worker gets nothing new.
    mutating func retire(_ serial: UInt64, of app: Int) {
        changeCounted(serial, of: app) { $0.retire() }
    }

    mutating func evict(_ serial: UInt64) {
        for app in staffs.indices {
            changeCounted(serial, of: app) { member in
                member.retire()
                member.isEvicted = true
            }
        }
    }

    /// The process is gone.
    mutating func remove(_ serial: UInt64, of app: Int) {
        readyCount -= staffs[app].members.contains { $0.serial == serial && $0.stage == .ready } ? 1 : 0
        changeStaff(of: app) { $0.members.removeAll { $0.serial == serial } }
    }

    /// A notification arrived: the app is worth another try.
    mutating func needed(_ app: Int) {
        staffs[app].wantsSpare = true
    }

    /// A worker was killed from outside before it had served: no fault of the extension, as long as it is not the rule.
    ///
    /// False when it is.
    mutating func excuse(_ app: Int) -> Bool {
        guard staffs[app].failedStarts < 8 else { return false }
        staffs[app].failedStarts += 1
        return true
    }

    /// A ready worker ended without having served: no other takes its place before a notification asks for one.
    mutating func spareFailed(in app: Int) {
        staffs[app].wantsSpare = false
    }

    /// A start ended before `ready`; after three in a row the app pauses for 1, 2, 4 … 60 seconds.
    mutating func startFailed(in app: Int, now: Duration) {
        staffs[app].wantsSpare = false
        staffs[app].failedStarts += 1
        let failures = staffs[app].failedStarts
        guard failures >= 3 else { return }
        staffs[app].notBefore = now + .seconds(min(60, 1 << min(6, failures - 3)))
    }

    /// For what the tally counts: who is there, who was asked for, who ends.
    private mutating func changeStaff(of app: Int, _ body: (inout Staff) -> Void) {
        tally.remove(staffs[app])
        body(&staffs[app])
        tally.add(staffs[app])
    }

    private mutating func changeCounted(_ serial: UInt64, of app: Int, _ body: (inout Member) -> Void) {
        guard let index = staffs[app].members.firstIndex(where: { $0.serial == serial }) else { return }
        changeReady(staffs[app].members[index], by: -1)
        changeStaff(of: app) { body(&$0.members[index]) }
        changeReady(staffs[app].members[index], by: 1)
    }

    private mutating func change(_ serial: UInt64, of app: Int, _ body: (inout Member) -> Void) {
        guard let index = staffs[app].members.firstIndex(where: { $0.serial == serial }) else { return }
        changeReady(staffs[app].members[index], by: -1)
        body(&staffs[app].members[index])
        changeReady(staffs[app].members[index], by: 1)
    }

    private mutating func changeReady(_ member: Member, by count: Int) {
        if member.stage == .ready { readyCount += count }
    }
}

extension Roster.Member {
    fileprivate mutating func becameReady(ahead: Int, now: Duration) {
        guard stage == .starting else { return }
        stage = .ready
        mostAhead = ahead
        idleSince = now
    }

    fileprivate mutating func completed(isQuick: Bool) {
        ahead = isQuick ? min(mostAhead, max(1, 2 * ahead)) : 0
    }

    fileprivate mutating func requestBegan() {
        switch stage {
        case .ready: stage = .serving(1)
        case .serving(let open): stage = .serving(open + 1)
        case .starting, .retiring: preconditionFailure("a worker that is not ready gets no request")
        }
        servedCount += 1
    }

    fileprivate mutating func requestEnded(now: Duration) {
        switch stage {
        case .serving(1):
            stage = .ready
            idleSince = now
            hasLastCall = false
        case .serving(let open): stage = .serving(open - 1)
        case .retiring(let open): stage = .retiring(open - 1)
        case .starting, .ready: preconditionFailure("an idle worker ends no request")
        }
    }

    fileprivate mutating func retire() {
        switch stage {
        case .starting, .ready: stage = .retiring(0)
        case .serving(let open): stage = .retiring(open)
        case .retiring: break
        }
    }
}
