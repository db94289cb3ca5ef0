// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
package import Logging
private import Synchronization

private import class Foundation.Thread

/// Takes pushes from a descriptor, standard input unless told otherwise, one JSON object a line.
///
/// Refusals go to a second descriptor as JSON lines; an accepted push shows as a delivery record only. Input is read
/// when the last batch was taken, so that a full host holds the writer back: nothing is refused for want of room.
package struct NDJSONIngress: Sendable {
    /// Reads go up to this many bytes, and a batch to this many pushes.
    static let chunkByteCount = 64 << 10
    static let batchCount = 256

    let input: Int32
    let refusals: Int32
    let validator: PushValidator
    let firstTokens: [String: String]
    let acceptor: any PushAcceptor
    let logger: Logger
    /// How long to wait before offering again what found no room.
    let retryDelay: Duration

    /// Opens nothing; `run()` reads.
    ///
    /// `firstTokens` has for each app, by bundle identifier, the device token of a payload that names only its
    /// `Simulator Target Bundle`.
    package init(
        input: Int32 = 0,
        refusals: Int32 = 2,
        tokens: any DeviceTokens,
        firstTokens: [String: String],
        conformance: Conformance = .lenient,
        acceptor: any PushAcceptor,
        logger: Logger,
        retryDelay: Duration = .milliseconds(20)
    ) {
        self.input = input
        self.refusals = refusals
        validator = PushValidator(tokens: tokens, environment: nil, conformance: conformance)
        self.firstTokens = firstTokens
        self.acceptor = acceptor
        var logger = logger
        logger[metadataKey: "push.ingress"] = "ndjson"
        self.logger = logger
        self.retryDelay = retryDelay
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
                    var reader = NDJSONReader(ingress: self, bell: bell)
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
