// SPDX-License-Identifier: Apache-2.0

package import Logging

/// Hands a delivery record to every sink.
///
/// A sink that throws has lost the record; the others still get it, and the operator is told which push and which sink.
/// Nothing is told of a call that was cancelled: the push is another's then, who makes a record of its own.
package struct Delivery: Sendable {
    private let sinks: [any Sink]
    private let logger: Logger

    package init(to sinks: [any Sink], logger: Logger) {
        self.sinks = sinks
        self.logger = logger
    }

    /// The host ends: see `Sink`.
    package func stopWaiting() {
        for sink in sinks { sink.stopWaiting() }
    }

    /// Returns the last failure of a sink: the host has to stop accepting what it cannot deliver.
    @discardableResult
    package func deliver(_ record: DeliveryRecord) async -> (any Error)? {
        var failure: (any Error)?
        for sink in sinks {
            do {
                try await sink.deliver(record)
            } catch {
                failure = error
                if error is CancellationError { break }
                logger.error(
                    "record not delivered",
                    metadata: [
                        "push.id": "\(record.id)", "push.topic": "\(record.topic)", "sink.name": "\(sink.name)",
                        "error": "\(error)",
                    ]
                )
            }
        }
        return failure
    }
}
