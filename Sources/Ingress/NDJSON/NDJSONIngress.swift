// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
package import Logging

private import class Foundation.Thread

/// Takes pushes from a descriptor, standard input unless told otherwise, one JSON object a line.
///
/// Refusals go to a second descriptor as JSON lines; an accepted push shows as a delivery record only. Input is read
/// when the last batch was taken, so that a full host holds the writer back: nothing is refused for want of room.
package struct NDJSONIngress: Sendable {
    private let source: LineSource

    /// Opens nothing; `run()` reads.
    ///
    /// `firstToken` tells of an app, by its bundle identifier, the device token of a payload that names only its
    /// `Simulator Target Bundle`.
    package init(
        input: Int32 = 0,
        refusals: Int32 = 2,
        tokens: any DeviceTokens,
        firstToken: @escaping @Sendable (String) -> String?,
        conformance: Conformance = .lenient,
        acceptor: any PushAcceptor,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger,
        retryDelay: Duration = .milliseconds(20)
    ) {
        source = LineSource(
            input: input,
            refusals: refusals,
            tokens: tokens,
            firstToken: firstToken,
            conformance: conformance,
            acceptor: acceptor,
            metrics: metrics.ingress,
            logger: logger,
            retryDelay: retryDelay
        )
    }

    /// Reads to the end of input, and returns the number of refused lines once every other line is accepted.
    ///
    /// Cancellation ends the reading: what was read and found no room yet is refused with `Shutdown`, what lies unread
    /// stays in the descriptor.
    package func run() async throws(IngressError) -> Int {
        let bell: Bell
        do {
            bell = try Bell()
        } catch {
            throw IngressError(.readFailed, "cannot make a pipe: errno \(error.errno)")
        }
        let outcome: Result<Int, IngressError> = await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                let thread = Thread {
                    var reader = NDJSONReader(source: source, bell: bell)
                    ended.resume(returning: reader.readToEnd())
                }
                thread.name = "ingress-ndjson"
                thread.start()
            }
        } onCancel: {
            bell.ring()
        }
        return try outcome.get()
    }
}
