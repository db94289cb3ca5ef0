// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Logging

/// The place that lines come from, who wrote them, and who takes their pushes and answers.
struct LineSource: Sendable {
    /// Reads go up to this many bytes, and a batch to this many pushes.
    static let chunkByteCount = 64 << 10
    static let batchCount = 256

    /// The descriptor of the lines.
    let input: Int32
    /// The descriptor of the answers.
    let answers: Int32
    /// True if every line is answered; false if only one that is refused.
    let answersAll: Bool
    /// The longest time for which the reader of the answers may take none, in milliseconds; -1 means for ever.
    let answerPatienceMilliseconds: Int32
    /// The user that writes the lines; `nil` means whoever has the input.
    let sender: PushSender?
    let validator: PushValidator
    /// Returns the device token that stands for an app whose payload names no other.
    let firstToken: @Sendable (String) -> String?
    let acceptor: any PushAcceptor
    let metrics: IngressMetrics
    let logger: Logger
    /// Is told when lines were read and when they were answered.
    let work: @Sendable (_ isAtWork: Bool) -> Void
    /// Tells whether the input's end is that of a client that gave its place to another.
    let hasGivenWay: @Sendable () -> Bool
    /// The first delay before pushes that found no room are offered again; it doubles with each offer, up to 500 ms.
    let retryDelay: Duration

    /// Reads from one descriptor and writes refusals to another.
    init(
        input: Int32,
        refusals: Int32,
        tokens: any DeviceTokens,
        firstToken: @escaping @Sendable (String) -> String?,
        conformance: Conformance,
        acceptor: any PushAcceptor,
        metrics: IngressMetrics,
        logger: Logger,
        retryDelay: Duration
    ) {
        self.input = input
        answers = refusals
        answersAll = false
        answerPatienceMilliseconds = -1
        sender = nil
        validator = PushValidator(tokens: tokens, environment: nil, conformance: conformance)
        self.firstToken = firstToken
        self.acceptor = acceptor
        self.metrics = metrics
        self.logger = Self.named("ndjson", logger)
        work = { _ in }
        hasGivenWay = { false }
        self.retryDelay = retryDelay
    }

    /// Reads from one client of a socket, and answers each of its lines.
    init(
        client: Int32,
        of user: UInt32,
        tokens: any DeviceTokens,
        firstToken: @escaping @Sendable (String) -> String?,
        conformance: Conformance,
        acceptor: any PushAcceptor,
        metrics: IngressMetrics,
        logger: Logger,
        work: @escaping @Sendable (_ isAtWork: Bool) -> Void,
        hasGivenWay: @escaping @Sendable () -> Bool
    ) {
        self.work = work
        self.hasGivenWay = hasGivenWay
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
}
