// SPDX-License-Identifier: Apache-2.0

/// A reader that takes records in the order of their pushes, many at a time, and says later which it has.
///
/// A `RemoteSink`, beside it, takes one record of a device at a time and answers each, which bounds a device to as many
/// records a second as the other side commits.
package protocol RecordStream: Sendable {
    /// Stable: records wait under this name across restarts.
    var name: String { get }

    /// Waits for the reader, and returns the connection to it; `nil` means that none will come, or that the task was
    /// cancelled.
    func connect() async -> (any RecordConnection)?
}

/// The connection to a reader, until the reader or the host ends it.
package protocol RecordConnection: Sendable {
    /// Hands a record over, and returns when there is room for the next; false: the connection has ended.
    func send(_ record: OutboxRecord) async -> Bool

    /// Waits for what the reader has said since the last call, in its order; `nil` means that the connection has ended.
    func answers() async -> [StreamAnswer]?

    /// Does what the reader asks for besides, beside the records, until the task is cancelled.
    func serve() async

    /// Tells the reader that nothing below this number comes again, so that it may forget what it took of it; the
    /// number rises from call to call.
    func forget(below number: Int64) async

    /// Ends the connection, because the reader broke the rules or the host ends; a wait in another task ends with it.
    func close() async
}

extension RecordConnection {
    /// Returns at once: a reader may ask for nothing.
    package func serve() async {}
}

/// One thing that a reader says of records.
package enum StreamAnswer: Sendable, Equatable {
    /// These are on its disk, or were before: records need not come again. Both ends are included.
    case taken(ClosedRange<Int64>)
    /// The record would be refused each time.
    case unfit(Int64, reason: String)
}
