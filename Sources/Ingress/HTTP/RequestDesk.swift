// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Logging
internal import NIOCore

/// The connection of a desk, which ends for what its requests show.
protocol DeskConnection: AnyObject {
    /// Takes no further requests, and closes when those in flight are answered.
    func finish(_ reason: Farewell)
    /// Notes that answers went out, perhaps the last ones; called once the connection is about to end.
    func answersWentOut()
    /// Closes the socket without a word.
    func abort()
}

/// Takes the requests of one connection, hands over what each read brings as a batch, and brings the answers back.
final class RequestDesk {
    let context: ListenerContext
    let streams: ConnectionStreams
    private let sender: SenderSession
    private let place: ConnectionPlace
    private let flow: FlowGuard
    private let bodies: ConnectionBodies
    private let timers: ConnectionTimers
    private let eventLoop: any EventLoop
    /// `nil` means that the connection has closed.
    private var connection: (any DeskConnection)?

    /// True if the connection is about to end, and waits for the last answers.
    var isEnding = false
    private var batch: [IncomingPush] = []
    private var askers: [any PushAnswering] = []
    /// Batches of which the acceptor has not answered every push.
    private var pending: [ObjectIdentifier: PendingAnswers] = [:]
    /// Pushes that were handed over and not answered.
    private var unanswered = 0
    private var deadlines: RequestDeadlines
    private var refusals: RateWindow
    /// Streams that were refused before anything of them was read.
    private var refusedStreams: RateWindow

    init(
        context: ListenerContext,
        streams: ConnectionStreams,
        sender: SenderSession,
        place: ConnectionPlace,
        flow: FlowGuard,
        bodies: ConnectionBodies,
        timers: ConnectionTimers,
        eventLoop: any EventLoop
    ) {
        self.context = context
        self.streams = streams
        self.sender = sender
        self.place = place
        self.flow = flow
        self.bodies = bodies
        self.timers = timers
        self.eventLoop = eventLoop
        refusals = RateWindow(context.limits.refusalsPerHalfMinute, in: .seconds(30))
        refusedStreams = RateWindow(context.limits.idleFramesPerHalfMinute, in: .seconds(30))
        deadlines = RequestDeadlines(
            patience: TimeAmount(context.limits.request),
            openLimit: context.limits.concurrentStreams
        )
    }

    /// Serves this connection from now on.
    func open(for connection: any DeskConnection) { self.connection = connection }

    /// True if every push that was handed over is answered.
    var hasNothingUnanswered: Bool { unanswered == 0 }
    /// True if no push waits to be handed over or for an answer.
    var isIdle: Bool { unanswered == 0 && batch.isEmpty }

    // MARK: Requests come in

    /// Begins a request with the service that its path belongs to, and expects its end in time.
    ///
    /// Paths that are nobody's are the first service's to refuse.
    func begin(_ request: any PushAnswering, method: String, path: String) -> any PushExchange {
        deadlines.open(request)
        let services = context.services
        let service = services.count == 1 ? services[0] : services.first { $0.owns(path) } ?? services[0]
        return service.exchange(method: method, path: path, from: sender)
    }

    /// Counts bytes of a request's body that came in (positive) or are gone (negative).
    func countBody(_ byteCount: Int) {
        bodies.count(byteCount)
        flow.resume()
    }

    func accept(_ push: IncomingPush, for request: any PushAnswering) {
        context.counters.metrics.bodyBytes.observe(push.payloadByteCount)
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
            requests: zip(askers, pushes).map { .init(request: $0, byteCount: $1.payloadByteCount) },
            bodies: bodies,
            receiver: self
        )
        pending[ObjectIdentifier(answers)] = answers
        batch.removeAll(keepingCapacity: true)
        askers.removeAll(keepingCapacity: true)
        unanswered += pushes.count
        place.began(pushes.count)
        bodies.count(pushes.reduce(0) { $0 + $1.payloadByteCount })
        let bound = NIOLoopBound(answers, eventLoop: eventLoop)
        context.acceptor.accept(pushes) { [gate = context.gate, eventLoop] place, answers in
            if eventLoop.inEventLoop {
                bound.value.deliver(answers, from: place)
            } else {
                gate.execute(on: eventLoop) { bound.value.deliver(answers, from: place) }
            }
        }
    }

    private func setRequestTimer() {
        guard let next = deadlines.next, !timers.isSet(.requests) else { return }
        timers.set(.requests, at: next) { [self] in
            flow.flushOnce {
                for request in deadlines.takeLate(at: .now()) { request.timeOut() }
            }
            setRequestTimer()
        }
    }

    // MARK: Answers go out

    func noteAcceptance(of exchange: any PushExchange, since start: NIODeadline) {
        sender.prove()
        count(exchange, status: exchange.acceptedStatus, reason: nil, since: start)
    }

    /// Counts a refusal; a peer that makes too many is sent away.
    func noteRefusal(_ refusal: Refusal, of exchange: any PushExchange, since start: NIODeadline) {
        count(exchange, status: refusal.status, reason: refusal.reason, since: start)
        context.logger.debug(
            "push refused",
            metadata: [
                "push.id": "\(exchange.id)", "push.reason": "\(refusal.reason)",
                "push.status": "\(refusal.status)",
            ]
        )
        if sender.hasFailedTooOften { connection?.finish(.badCredentials) }
        // 410 is a gateway learning, not misbehaving: Apple, "Handling notification responses from APNs".
        guard (400..<500).contains(refusal.status), refusal.status != 410 else { return }
        if refusals.isExceeded() { connection?.finish(.tooManyRequests) }
    }

    /// Counts a stream that there was no room for; a peer that goes on opening them is sent away.
    ///
    /// A good sender retries such a stream (RFC 9113, section 8.7), so it may do so far more often than ask for what is
    /// refused with an answer.
    func noteRefusedStream() {
        if refusedStreams.isExceeded() { connection?.finish(.tooManyRequests) }
    }

    private func count(_ exchange: any PushExchange, status: Int, reason: String?, since start: NIODeadline) {
        let nanoseconds = Int((NIODeadline.now() - start).nanoseconds)
        context.counters.answered(exchange.source, status: status, reason: reason, after: nanoseconds)
    }

    // MARK: The end

    /// Closes the connection of a peer that reads no answers.
    func abort() { connection?.abort() }

    /// Lets go of the connection, of requests, and of answers that the acceptor still owes.
    func close() {
        connection = nil
        deadlines.removeAll()
        batch.removeAll()
        askers.removeAll()
        for answers in pending.values { answers.abandon() }
        pending.removeAll()
    }
}

extension RequestDesk: AnswerReceiving {
    func deliver(_ answers: [PendingAnswers.Answer], last batch: PendingAnswers?) {
        if let batch { pending[ObjectIdentifier(batch)] = nil }
        unanswered -= answers.count
        place.ended(answers.count)
        flow.flushOnce {
            for (request, acceptance) in answers { request.answer(acceptance) }
        }
        flow.resume()
        if isEnding { connection?.answersWentOut() }
    }
}
