// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// Opens sealed payloads; the one implementation talks to the process that holds the keys.
package protocol PayloadOpening: Sendable {
    /// Answers before `deadline` or with `unavailable`; never throws, because every push must conclude.
    ///
    /// A cancelled call answers `unavailable`.
    func open(_ request: OpenRequest, deadline: Duration) async -> OpenResult
}

package struct OpenRequest: Sendable {
    package let push: IncomingPush
    /// The app whose keys and policy apply: its bundle identifier.
    package let app: String

    package init(push: IncomingPush, app: String) {
        self.push = push
        self.app = app
    }
}

package enum OpenResult: Sendable, Equatable {
    /// Built only from what was sealed, with `encryption` beside `aps`, and without the files that it named.
    ///
    /// The mark is there if the opener was asked for it, and the envelope's format has one.
    case opened(Payload, usesRetiredKey: Bool = false, files: [NamedFile] = [], mark: EnvelopeMark? = nil)
    case refused(OpenRefusal)
    /// The opener died twice, hung, sent garbage, or cannot remember what it opens; nothing was decided about the push.
    case unavailable
}

/// The mark that an opened envelope leaves, by which it is known again, whatever push it comes with.
package struct EnvelopeMark: Sendable, Equatable {
    /// 16 bytes.
    package let id: [UInt8]
    /// The time at which the envelope has expired, in seconds since 1970.
    package let expiry: Int64

    package init(id: [UInt8], expiry: Int64) {
        self.id = id
        self.expiry = expiry
    }
}

/// Remembers for which push an envelope was opened first, where more than one opener may be given it.
package protocol EnvelopeMemory: Sendable {
    /// Returns once it is known, and will be behind every crash, whose the envelope is; nothing of it may be shown
    /// before.
    func remember(_ mark: EnvelopeMark, of push: IncomingPush) async -> EnvelopeVerdict
}

package enum EnvelopeVerdict: Sendable, Equatable {
    /// The envelope is this push's, and may be shown.
    case own
    /// The envelope was opened for another push.
    case replay
    /// The push is not this host's any more.
    case over
}

/// Runs an app's extension on one notification.
package protocol ExtensionRunning: Sendable {
    /// Ends when the time is up at the latest, whatever the workers do; never throws.
    func run(_ request: ExtensionRequest, within time: ExtensionTime) async -> ExtensionResult
}

package struct ExtensionRequest: Sendable {
    package let push: IncomingPush
    package let app: String
    /// The content the extension is given; also what is delivered when it fails.
    package let payload: Payload
    /// Files in the host's store of which the extension is to get copies; no two have one identifier.
    package let files: [Attachment]

    package init(push: IncomingPush, app: String, payload: Payload, files: [Attachment] = []) {
        self.push = push
        self.app = app
        self.payload = payload
        self.files = files
    }
}

/// The longest time that a notification may wait for a worker, and the time that the worker may then take.
package struct ExtensionTime: Sendable, Equatable {
    /// The longest time from the call to the moment a worker takes the notification.
    package let wait: Duration
    /// The time from that moment to the kill.
    package let budget: Duration
    /// The time from the sending of `willExpire` to the end of the budget.
    package let grace: Duration

    package init(wait: Duration, budget: Duration, grace: Duration) {
        self.wait = wait
        self.budget = budget
        self.grace = grace
    }
}

package struct ExtensionResult: Sendable, Equatable {
    package enum Conclusion: Sendable, Equatable {
        /// The extension's content; `late` when it came after the last call.
        case content(Payload, late: Bool)
        case failed(ExtensionFailure)
    }

    package var conclusion: Conclusion
    /// The files of the content, already in the host's store; one that the extension was given and handed on is the
    /// request's own.
    package var attachments: Attachments
    /// The request's files that the extension got and the content speaks for: what is missing in
    /// `attachments` it has removed.
    package var given: [Attachment]
    package var worker: WorkerUse?
    /// The instant of `HostClock` at which a worker took the notification; nil when none did.
    package var taken: Duration?

    package init(
        _ conclusion: Conclusion,
        attachments: Attachments = Attachments(),
        given: [Attachment] = [],
        worker: WorkerUse?,
        taken: Duration? = nil
    ) {
        self.conclusion = conclusion
        self.attachments = attachments
        self.given = given
        self.worker = worker
        self.taken = taken
    }
}

/// Carries what extensions may reach on the network; the one implementation is the host's proxy.
///
/// Every call returns at once and their order holds. A worker is known by its serial, which is never used twice.
package protocol NetworkGranting: Sendable {
    /// Serves a worker behind a listening TCP socket in that worker's own network; the descriptor is taken over.
    ///
    /// Nothing is reached outside of requests, and only what the app was granted.
    func open(listener: CInt, for client: NetworkClient)
    /// Comes before the worker can read the request.
    func requestBegan(_ request: UInt64, worker: UInt64)
    /// Connections that were opened during the request end with it, or with the last that was open beside it.
    func requestEnded(_ request: UInt64, worker: UInt64)
    /// The worker is gone: its listener and its connections close.
    func closed(worker: UInt64)
}

/// A worker with the network grant.
package struct NetworkClient: Sendable {
    package let worker: UInt64
    package let pid: Int32
    /// The app's bundle identifier.
    package let app: String
    /// The owner of the worker's notifications.
    package let owner: String

    package init(worker: UInt64, pid: Int32, app: String, owner: String = OwnedApp.onlyOwner) {
        self.worker = worker
        self.pid = pid
        self.app = app
        self.owner = owner
    }
}

/// Takes delivery records away: standard output, a webhook, a desktop.
package protocol Sink: Sendable {
    /// Stable name for logs.
    var name: String { get }
    /// Returns when the record is out of this process; throws when it may not be.
    func deliver(_ record: DeliveryRecord) async throws
    /// The host ends: what waits for room on a disk waits no longer, and its calls throw.
    func stopWaiting()
}

extension Sink {
    package func stopWaiting() {}
}

/// Routes the records of concluded pushes to remote sinks, for which they wait in the journal.
package protocol Outbox: Sendable {
    /// Returns the names of the remote sinks that take the records of a topic.
    func sinks(taking topic: String) -> [String]
}

/// Stands for the host that is started after this one.
package protocol NextHost: Sendable {
    /// Returns whether the next host takes a push over that this one could not even start: this one starts nothing any
    /// more, and the journal outlives it.
    func takesOver() async -> Bool
}
