// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Logging
internal import NIOCore
private import NIOHTTP2
internal import NIOSSL

/// One connection from its first byte to its end: which protocol it speaks, and how it says goodbye.
///
/// The outcome of a request is the business of the connection's `RequestDesk`.
final class PushConnection {
    private enum Mode {
        case undecided
        case http2(GoAwayHandler, FrameGuard)
        case http1(HTTP1PushHandler)
        case closed
    }

    let context: ListenerContext
    let channel: any Channel
    let flow: FlowGuard
    let desk: RequestDesk
    private let tls: NIOSSLContext?
    private let sender: SenderSession
    private let timers: ConnectionTimers
    private var mode = Mode.undecided
    /// Counts the open connections that speak the same protocol.
    private var openConnections: Gauge?
    private var isDraining = false
    /// True once the peer is at fault: what still comes is dropped, what was read is answered within `beforeGoAway`.
    private var isDismissed = false
    private var isClosed: Bool {
        if case .closed = mode { true } else { false }
    }

    /// `tls` is `nil` where the connection is in plaintext.
    init(context: ListenerContext, channel: any Channel, place: ConnectionPlace, tls: NIOSSLContext?) {
        self.context = context
        self.channel = channel
        self.tls = tls
        let limits = context.limits
        let bodies = ConnectionBodies(context.bodies)
        flow = FlowGuard(limits: limits, bodies: bodies, isTLS: tls != nil)
        let streams = ConnectionStreams(context.streams)
        sender = SenderSession(context.senders, failedTokensPerMinute: limits.failedTokensPerMinute) {
            place.prove()
            streams.isProven = true
        }
        timers = ConnectionTimers(channel.eventLoop)
        desk = RequestDesk(
            context: context,
            streams: streams,
            sender: sender,
            place: place,
            flow: flow,
            bodies: bodies,
            timers: timers,
            eventLoop: channel.eventLoop
        )
        desk.open(for: self)
    }

    private var limits: HTTPLimits { context.limits }

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
        let gauge = context.counters.metrics.connections.with(version.label(isTLS: tls != nil))
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
}

// MARK: The way to the end

extension PushConnection: PlacedConnection, DeskConnection {
    func resumeReading() { flow.resume() }

    func drain() {
        isDraining = true
        desk.isEnding = true
        startDraining()
    }

    var isIdle: Bool { desk.isIdle }

    func giveWay() { finish(.idleTimeout) }

    /// The time to prove itself is over; a push that is being answered still gets its answer before GOAWAY, at which
    /// some clients drop what they wait for.
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
            if desk.hasNothingUnanswered {
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
        desk.isEnding = true
        handler.dismiss(reason, last: HTTP2StreamID(Int(last)))
        flow.stopReading()
        timers.set(.dismissal, in: limits.beforeGoAway) { [self] in channel.close(promise: nil) }
        // What this read brought is still on its way to the acceptor.
        timers.set(.lastRead, in: .zero) { [self] in closeWhenAnswered() }
    }

    private func closeWhenAnswered() {
        if desk.isIdle { channel.close(promise: nil) }
    }

    func answersWentOut() {
        if isDismissed { return closeWhenAnswered() }
        if isDraining, desk.hasNothingUnanswered { finish(.shutdown) }
    }

    /// Sets the end: a peer that does not acknowledge GOAWAY would hold us for ever.
    func saidGoodbye(_ reason: Farewell) {
        context.counters.metrics.goaways.with(LabelValue(reason)).increment()
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
    /// Handlers and timers hold the connection or its desk, and are held by them, so that without this no closed
    /// connection would ever be freed.
    func closed() {
        openConnections?.add(-1)
        openConnections = nil
        timers.end()
        mode = .closed
        desk.close()
    }
}
