// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The life of one notification between `run` and its conclusion: a value that decides and does nothing.
///
/// A notification waits, its worker is prepared, it is at work, files of its content are collected, it is concluded.
/// A notification without files may also be sent ahead to a worker that has others before it, and is at work when its
/// turn comes.
/// `apply` is the one place that leads from a phase to the next. `Worker` is whoever takes a notification, a process
/// in the supervisor and a name in tests.
struct RunLife<Worker> {
    /// A worker took the notification and has not got its request: its files are put into the scratch folder first.
    struct Preparation {
        let worker: Worker
        /// The worker had never taken a notification before.
        let isFresh: Bool
        fileprivate(set) var waiting: ArraySlice<Attachment>
        /// The file that is being put.
        fileprivate(set) var current: GivenFile?
        fileprivate(set) var given: [GivenFile] = []
    }

    /// The worker has the request.
    struct Assignment {
        let worker: Worker
        /// The request's number in the conversation with the worker.
        let requestID: UInt64
        let isFresh: Bool
        /// The notification's files that lie in the worker's folder.
        let given: [GivenFile]
    }

    /// Two phases are boxed, so that a copy of any phase is cheap: a phase is copied with each question about it.
    enum Phase {
        case waiting
        indirect case preparing(Preparation)
        /// The worker has the request and has not begun it: others are before it.
        case ahead(Assignment)
        case atWork(Assignment)
        /// The content came, and its files are being taken out of the scratch folder: nothing that happens to the
        /// worker changes the content any more.
        indirect case collecting(AttachmentDelivery, Assignment)
        case concluded
    }

    enum Event {
        /// The budget begins.
        case taken(by: Worker, isFresh: Bool, at: Duration, files: [Attachment])
        case sent(requestID: UInt64)
        /// The request goes to a worker that has others before it.
        case sentAhead(to: Worker, requestID: UInt64)
        /// The worker is done with what was before the request: the budget begins.
        case begun(at: Duration)
        /// The worker ends and never began the request, or gives it back: the notification waits again, once from each
        /// phase.
        case takenBack
        case contentCame(AttachmentDelivery)
        /// The last file of the content was taken or refused.
        case collected
        /// Whatever else ends a notification: a content without files, or a failure.
        case ended
    }

    private(set) var phase = Phase.waiting
    let asked: Duration
    /// The instant at which a worker took the notification, before its files are put, or at which the turn of one sent
    /// ahead came; `nil` as long as it waits.
    private(set) var taken: Duration?
    private(set) var wasTakenBack = false
    private var wasAhead = false
    private let time: ExtensionTime

    init(asked: Duration, time: ExtensionTime) {
        self.asked = asked
        self.time = time
    }

    /// Goes on to the next phase and returns the one that it leaves; `nil` means that the event changes nothing.
    mutating func apply(_ event: Event) -> Phase? {
        let left = phase
        switch (phase, event) {
        case (.waiting, .taken(let worker, let isFresh, let instant, let files)):
            phase = .preparing(Preparation(worker: worker, isFresh: isFresh, waiting: files[...]))
            taken = instant
        case (.preparing(let preparation), .sent(let requestID)):
            phase = .atWork(
                Assignment(
                    worker: preparation.worker,
                    requestID: requestID,
                    isFresh: preparation.isFresh,
                    given: preparation.given
                )
            )
        case (.waiting, .sentAhead(let worker, let requestID)) where mayGoAhead:
            phase = .ahead(Assignment(worker: worker, requestID: requestID, isFresh: false, given: []))
            wasAhead = true
        case (.ahead(let assignment), .begun(let instant)):
            phase = .atWork(assignment)
            taken = instant
        case (.ahead, .takenBack):
            phase = .waiting
        case (.preparing, .takenBack) where !wasTakenBack, (.atWork, .takenBack) where !wasTakenBack:
            phase = .waiting
            taken = nil
            wasTakenBack = true
        case (.atWork(let assignment), .contentCame(let delivery)):
            phase = .collecting(delivery, assignment)
        case (.collecting, .collected), (.waiting, .ended), (.preparing, .ended), (.ahead, .ended), (.atWork, .ended):
            phase = .concluded
        case (.waiting, .sent), (.waiting, .sentAhead), (.waiting, .begun), (.waiting, .takenBack),
            (.waiting, .contentCame), (.waiting, .collected),
            (.preparing, .taken), (.preparing, .sentAhead), (.preparing, .begun), (.preparing, .takenBack),
            (.preparing, .contentCame), (.preparing, .collected),
            (.ahead, .taken), (.ahead, .sent), (.ahead, .sentAhead), (.ahead, .contentCame), (.ahead, .collected),
            (.atWork, .taken), (.atWork, .sent), (.atWork, .sentAhead), (.atWork, .begun), (.atWork, .takenBack),
            (.atWork, .collected),
            (.collecting, .taken), (.collecting, .sent), (.collecting, .sentAhead), (.collecting, .begun),
            (.collecting, .takenBack), (.collecting, .contentCame), (.collecting, .ended), (.concluded, _):
            return nil
        }
        return left
    }

    // MARK: What a phase holds

    var preparation: Preparation? {
        if case .preparing(let preparation) = phase { preparation } else { nil }
    }

    /// The worker that has the request, also while files of its content are collected.
    var assignment: Assignment? {
        switch phase {
        case .atWork(let assignment), .collecting(_, let assignment): assignment
        case .waiting, .preparing, .ahead, .concluded: nil
        }
    }

    var delivery: AttachmentDelivery? {
        if case .collecting(let delivery, _) = phase { delivery } else { nil }
    }

    var isWaiting: Bool {
        if case .waiting = phase { true } else { false }
    }

    var isAtWork: Bool {
        if case .atWork = phase { true } else { false }
    }

    /// The notification may be sent to a worker that has others before it, as long as it has left no worker.
    var mayGoAhead: Bool { isWaiting && !wasAhead && !wasTakenBack }

    /// The next file to put into the worker's folder, under the name that it is to have there; `nil` when none is left.
    mutating func putNext(name: (Attachment) -> String) -> GivenFile? {
        guard case .preparing(var preparation) = phase, let attachment = preparation.waiting.popFirst() else {
            return nil
        }
        let file = GivenFile(name: name(attachment), attachment: attachment)
        preparation.current = file
        phase = .preparing(preparation)
        return file
    }

    /// Tells whether this file is being put; the result of any other one comes too late.
    func isPutting(_ file: GivenFile) -> Bool { preparation?.current?.name == file.name }

    /// The file lies in the worker's folder, or could not be put there.
    mutating func settled(_ file: GivenFile, isThere: Bool) {
        guard case .preparing(var preparation) = phase else { return }
        preparation.current = nil
        if isThere { preparation.given.append(file) }
        phase = .preparing(preparation)
    }

    // MARK: Time

    /// The instant at which a notification stops waiting.
    ///
    /// After that instant a notification that its worker left unread is not taken back, and one that comes back ends at
    /// once.
    var waitEnd: Duration { asked + time.wait }

    /// The end of the budget, at which a request that is not completed ends; its worker is killed then, or with the
    /// last of its other requests.
    ///
    /// For a notification that waits this is computed as if it were taken at the last moment.
    var end: Duration { (taken ?? waitEnd) + time.budget }

    /// The instant of the last call, which tells the worker that its time will end.
    var expiry: Duration { end - time.grace }

    /// True if a notification that is taken now has time before its last call.
    var leavesTimeBeforeLastCall: Bool { time.budget > time.grace }

    /// Tells whether a notification that its worker has not read may go to another worker.
    func mayWaitAgain(at now: Duration) -> Bool { !wasTakenBack && now < waitEnd }

    /// Returns the rest of the budget, rounded up: the microseconds since it began are not worth a millisecond of it.
    ///
    /// The whole budget is left before it begins.
    func millisecondsLeft(at now: Duration) -> Int64 {
        let left = taken == nil ? time.budget : end - now
        return max(0, (left + .microseconds(999)).milliseconds)
    }
}
