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
    let answers: Int32
    /// False: only what is refused is answered.
    let answersAll: Bool
    /// How long a reader of the answers may take none; -1: for ever.
    let answerPatienceMilliseconds: Int32
    /// Who writes the lines; nil: whoever has the input.
    let sender: PushSender?
    let validator: PushValidator
    let firstToken: @Sendable (String) -> String?
    let acceptor: any PushAcceptor
    let metrics: IngressMetrics
    let logger: Logger
    /// Is told when lines were read and when they were answered.
    let work: @Sendable (_ isAtWork: Bool) -> Void
    /// How long to wait before offering again what found no room.
    let retryDelay: Duration

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
        metrics: Metrics = Metrics(),
        logger: Logger,
        retryDelay: Duration = .milliseconds(20)
    ) {
        self.input = input
        answers = refusals
        answersAll = false
        answerPatienceMilliseconds = -1
        sender = nil
        validator = PushValidator(tokens: tokens, environment: nil, conformance: conformance)
        self.firstToken = firstToken
        self.acceptor = acceptor
        self.metrics = metrics.ingress
        self.logger = Self.named("ndjson", logger)
        work = { _ in }
        self.retryDelay = retryDelay
    }

    /// Of one client of a socket, who hears of every line.
    init(
        client: Int32,
        of user: UInt32,
        tokens: any DeviceTokens,
        firstToken: @escaping @Sendable (String) -> String?,
        conformance: Conformance,
        acceptor: any PushAcceptor,
        metrics: IngressMetrics,
        logger: Logger,
        work: @escaping @Sendable (_ isAtWork: Bool) -> Void
    ) {
        self.work = work
        input = client
        answers = client
        answersAll = true
        answerPatienceMilliseconds = 10_000
        sender = .user(user)
        validator = PushValidator(tokens: tokens, environment: nil, conformance: conformance)
        self.firstToken = firstToken
        self.acceptor = acceptor
        self.metrics = metrics
        self.logger = Self.named("socket", logger)
        retryDelay = .milliseconds(20)
    }

    private static func named(_ ingress: String, _ logger: Logger) -> Logger {
        var logger = logger
        logger[metadataKey: "push.ingress"] = "\(ingress)"
        return logger
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
