// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking

/// The place where a host keeps accepted pushes until they end: a journal of its own, or the database of a fleet.
protocol PushKeeping: Sendable {
    var queue: PushQueue { get }
    /// The device tokens to which senders may send.
    var tokens: any DeviceTokens { get }
    /// Records that wait for remote sinks.
    var records: any OutboxReading { get }
    /// The journal, from which streams read; `nil` means that there is none.
    var journal: (any PushJournal)? { get }
    /// Raised when there are records in the journal that another process has put there.
    var othersWrote: Signal? { get }
    /// The memory of opened envelopes; `nil` means that the opener's own is the only one.
    var envelopes: (any EnvelopeMemory)? { get }
    /// The words for people about where accepted pushes are.
    var place: String { get }
    /// The reason for which senders should go elsewhere; `nil` means that there is none.
    var obstacle: Readiness.State? { get }

    /// Makes a start, once the opener runs; `nextOpening` is above every number that the opener remembers.
    func begin(nextOpening: Int64) async throws(CommandError)
    /// Works beside the pushes until the task is cancelled.
    func run() async
    /// Calls `action` when records wait that were not there before.
    func onRecordsStored(_ action: @escaping @Sendable () -> Void)
    /// Begins to hand over what other hosts can work on.
    func leave()
    /// Returns when nothing is left to hand over; called once, after `leave`.
    func hasLeft() async
    /// Removes a token whose target is gone for good.
    func removeToken(_ token: String) async throws
    /// Has the gauges ask what is kept here.
    func watch(_ metrics: HostMetrics, sinks: [String])
    /// Closes what is open, once the queue has ended.
    func close() throws(CommandError)
}
