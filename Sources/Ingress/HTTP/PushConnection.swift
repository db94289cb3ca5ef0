// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Logging
internal import NIOCore
private import NIOHTTP2
private import NIOSSL

/// A request that waits for its end or its answer.
protocol PushAnswering: AnyObject {
    /// Its body came to an end, or it was answered.
    var isComplete: Bool { get }
    /// Counts the requests that are answered one after the other.
    var number: Int { get }
    /// Nil: the acceptor failed.
    func answer(_ acceptance: Acceptance?)
    /// Its body did not come in time.
    func timeOut()
}

/// What the streams of one connection share: the batch they hand over, their deadlines, the way to the end.
final class PushConnection {
    private enum Mode {
        case undecided
        case http2(GoAwayHandler, FrameGuard)
        case http1(HTTP1PushHandler)
        case closed
    }

    let listener: PushListener
    let channel: any Channel
    private let ticket: ConnectionTable.Ticket
    let flow: FlowGuard
    private let tls: NIOSSLContext?
    /// Who its senders are.
    let sender: SenderSession
    private var mode = Mode.undecided
    /// Those of the connection's protocol.
    private var openConnections: Gauge?

    private var batch: [IncomingPush] = []
    private var askers: [any PushAnswering] = []
    /// Batches of which the acceptor has not answered every push.
    private var pending: [ObjectIdentifier: PendingAnswers] = [:]
    /// Handed over, not answered.
    private var unanswered = 0

    private var deadlines: RequestDeadlines
    private let timers: ConnectionTimers

    private var refusals: RateWindow
    private var isDraining = false
    /// Its peer is at fault: nothing more is read, and what was read is answered.
    private var isDismissed = false
    private var isClosed: Bool {
        if case .closed = mode { true } else { false }
    }

    init(listener: PushListener, channel: any Channel, ticket: ConnectionTable.Ticket) {
        self.listener = listener
        self.channel = channel
        self.ticket = ticket
        tls = listener.tls
        flow = FlowGuard(listener: listener, isTLS: tls != nil)
        sender = SenderSession(listener.senders, failedTokensPerMinute: listener.limits.failedTokensPerMinute) {
            [connections = listener.connections] in connections.prove(ticket)
        }
        refusals = RateWindow(listener.limits.refusalsPerHalfMinute, in: .seconds(30))
        deadlines = RequestDeadlines(
            patience: TimeAmount(listener.limits.request),
            openLimit: listener.limits.concurrentStreams
        )
        timers = ConnectionTimers(channel.eventLoop)
    }

    private var limits: HTTPIngress.Limits { listener.limits }

    // MARK: From the first byte to a protocol

    func open() throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            // What certificate it is counts, not who signed it; that its key is there, the handshake proves.
            let handler = NIOSSLServerHandler(context: tls) { _, verdict in verdict.succeed(.certificateVerified) }
            try pipeline.addHandler(handler)
        }
        try pipeline.addHandler(flow)
        let sniffer = ProtocolSniffer(
            agree: { [self] in timers.cancel(.firstBytes) },
            speak: { [self] in try speak($0) }
        )
        try pipeline.addHandler(sniffer)
        timers.set(.firstBytes, in: limits.firstBytes) { [self] in abort() }
    }

    func speak(_ version: HTTPVersion) throws {
        // A connection that was closed meanwhile speaks nothing any more.
        guard case .undecided = mode else { return }
        timers.cancel(.firstBytes)
        // Also of a session that goes on, for which no handshake shows it again.
        if tls != nil {
            sender.show(certificate: try? channel.pipeline.syncOperations.nioSSL_peerCertificate()?.fingerprint)
        }
        let gauge = listener.counters.metrics.connections.with(version.label(isTLS: tls != nil))
        gauge.add(1)
        openConnections = gauge
        switch version {
        case .http2:
            let (goAway, frames) = try addHTTP2Handlers()
            mode = .http2(goAway, frames)
        case .http1: mode = .http1(try addHTTP1Handlers())
        }
        if isDraining { startDraining() }
    }

    // MARK: Requests

    /// Begins a request with the service that its path belongs to.
    func exchange(method: String, path: String) -> any PushExchange {
        listener.service(for: path).exchange(method: method, path: path, from: sender)
    }

    func awaitEnd(of request: any PushAnswering) {
        deadlines.open(request)
    }

    func accept(_ push: IncomingPush, for request: any PushAnswering) {
        listener.counters.metrics.bodyBytes.observe(push.payloadByteCount)
        batch.append(push)
        askers.append(request)
    }

    /// Hands over what one read brought; called when its last byte was looked at.
    func readComplete() {
        handOver()
        deadlines.readComplete(at: .now())
        setRequestTimer()
    }

    private func handOver() {
        guard !batch.isEmpty else { return }
        let pushes = batch
        let answers = PendingAnswers(
            connection: self,
            requests: zip(askers, pushes).map { .init(request: $0, byteCount: $1.payloadByteCount) }
        )
        pending[ObjectIdentifier(answers)] = answers
        batch.removeAll(keepingCapacity: true)
        askers.removeAll(keepingCapacity: true)
        unanswered += pushes.count
        listener.connections.began(ticket, pushes.count)
        listener.hold(pushes.reduce(0) { $0 + $1.payloadByteCount })
        let bound = NIOLoopBound(answers, eventLoop: channel.eventLoop)
        listener.acceptor.accept(pushes) { [gate = listener.gate, eventLoop = channel.eventLoop] place, answers in
            if eventLoop.inEventLoop {
                bound.value.deliver(answers, from: place)
            } else {
                gate.execute(on: eventLoop) { bound.value.deliver(answers, from: place) }
            }
        }
    }

    /// Takes answers that came back; `batch` is given when they were its last.
    func deliver(_ answers: [PendingAnswers.Answer], last batch: PendingAnswers?) {
        if let batch { pending[ObjectIdentifier(batch)] = nil }
        unanswered -= answers.count
        listener.connections.ended(ticket, answers.count)
        flow.flushOnce {
            for (request, acceptance) in answers { request.answer(acceptance) }
        }
        if isDismissed { return closeWhenAnswered() }
        if isDraining, unanswered == 0 { finish(.shutdown) }
    }

    func noteAcceptance(of exchange: any PushExchange, since start: NIODeadline) {
        sender.prove()
        count(exchange, status: exchange.acceptedStatus, reason: nil, since: start)
    }

    /// Counts a refusal; a peer that makes too many is sent away.
    func noteRefusal(_ refusal: Refusal, of exchange: any PushExchange, since start: NIODeadline) {
        count(exchange, status: refusal.status, reason: refusal.reason, since: start)
        listener.logger.debug(
            "push refused",
            metadata: [
                "push.id": "\(exchange.id)", "push.reason": "\(refusal.reason)",
                "push.status": "\(refusal.status)",
            ]
        )
        if sender.hasFailedTooOften { finish(.badCredentials) }
        // 410 is a gateway learning, not misbehaving: Apple, "Handling notification responses from APNs".
        guard (400..<500).contains(refusal.status), refusal.status != 410 else { return }
        if refusals.isExceeded() { finish(.tooManyRequests) }
    }

    private func count(_ exchange: any PushExchange, status: Int, reason: String?, since start: NIODeadline) {
        let nanoseconds = Int((NIODeadline.now() - start).nanoseconds)
        listener.counters.answered(exchange.source, status: status, reason: reason, after: nanoseconds)
    }
}

// MARK: Deadlines of requests

extension PushConnection {
    private func setRequestTimer() {
        guard let next = deadlines.next, !timers.isSet(.requests) else { return }
        timers.set(.requests, at: next) { [self] in
            flow.flushOnce {
                for request in deadlines.takeLate(at: .now()) { request.timeOut() }
            }
            setRequestTimer()
        }
    }
}

// MARK: The way to the end

extension PushConnection {
    func resumeReading() { flow.resume() }

    func drain() {
        isDraining = true
        startDraining()
    }

    /// No push of it waits for an answer.
    var isIdle: Bool { unanswered == 0 && batch.isEmpty }

    /// The time to prove itself is over; a push that is being answered still gets its answer before GOAWAY, at which some
    /// clients drop what they wait for.
    func patienceEnded() {
        if isIdle { return finish(.idleTimeout) }
        timers.set(.goAway, in: limits.beforeGoAway) { [self] in finish(.idleTimeout) }
    }

    private func startDraining() {
        switch mode {
        case .undecided: abort()
        case .closed: break
        case .http1(let handler):
            handler.beginLastRequest()
            timers.set(.lastRequest, in: limits.lastRequest) { handler.drain() }
        case .http2:
            if unanswered == 0 {
                finish(.shutdown)
            } else {
                timers.set(.goAway, in: limits.beforeGoAway) { [self] in finish(.shutdown) }
            }
        }
    }

    /// Takes no further requests, and closes when those in flight are answered.
    func finish(_ reason: Farewell) {
        switch mode {
        case .undecided: abort()
        case .closed: break
        case .http1(let handler): handler.drain()
        case .http2(let handler, let frames):
            switch reason {
            case .tooManyRequests, .badCredentials: dismiss(reason, handler, last: frames.lastStream)
            case .shutdown, .idleTimeout: handler.quiesce(reason)
            }
        }
    }

    /// A peer that goes on whatever it hears is not heard any more.
    private func dismiss(_ reason: Farewell, _ handler: GoAwayHandler, last: UInt32) {
        guard !isDismissed else { return }
        isDismissed = true
        handler.dismiss(reason, last: HTTP2StreamID(Int(last)))
        flow.stopReading()
        timers.set(.dismissal, in: limits.beforeGoAway) { [self] in channel.close(promise: nil) }
        // What this read brought is still on its way to the acceptor.
        timers.set(.lastRead, in: .zero) { [self] in closeWhenAnswered() }
    }

    private func closeWhenAnswered() {
        if unanswered == 0, batch.isEmpty { channel.close(promise: nil) }
    }

    /// Sets the end: a peer that does not acknowledge GOAWAY would hold us for ever.
    func saidGoodbye(_ reason: Farewell) {
        listener.counters.metrics.goaways.with(LabelValue(reason)).increment()
        timers.set(.end, in: limits.drain) { [self] in abort() }
    }

    /// Closes the socket without a word.
    func abort() {
        guard !isClosed else { return }
        flow.abandon()
        if let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self) {
            // From here the close passes by TLS, which would wait for the peer's goodbye.
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }

    /// Lets go of all that leads back here: handlers, requests, timers, answers that the acceptor still owes.
    ///
    /// Handlers and requests hold their connection and are held by it, so that without this no closed connection would
    /// ever be freed.
    func closed() {
        openConnections?.add(-1)
        openConnections = nil
        timers.end()
        mode = .closed
        deadlines.removeAll()
        batch.removeAll()
        askers.removeAll()
        for answers in pending.values { answers.abandon() }
        pending.removeAll()
    }
}
