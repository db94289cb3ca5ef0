// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Logging
internal import NIOCore
internal import SocketRelay

/// One connection of an extension: a head, one answer or one relay, an end.
///
/// A connection never serves a second request. It is over when neither side has an open channel.
final class ProxyConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case readingHead(ProxyRequestReader)
        case dialing(Dial)
        case relaying
        case refused
        case ended
    }

    /// The requests it is charged to, and with whose end it ends; empty before it has said what it wants.
    private(set) var payers: [Allowance] = []
    private let worker: GrantedWorker
    private let loop: ProxyLoop
    private let channel: any Channel
    private let socket: BookedSocket
    /// The other side of the relay, as long as it is open.
    private var host: (any Channel)?
    private var hostSocket: BookedSocket?
    private var state: State
    /// The bytes read and not yet understood or passed on; bounded by the head's limit and the kernel's buffer.
    private var received: [UInt8] = []
    private var target: NetworkTarget?
    private var upByteCount = 0
    private var downByteCount = 0
    private var isCutOff = false
    private var hasReadEnd = false
    private var timer: LoopTimer?

    init(worker: GrantedWorker, loop: ProxyLoop, channel: any Channel, socket: BookedSocket) {
        self.worker = worker
        self.loop = loop
        self.channel = channel
        self.socket = socket
        state = .readingHead(ProxyRequestReader(limit: loop.limits.headByteCount))
    }

    var isAttached: Bool { !payers.isEmpty }

    /// The end of its request, or of its worker.
    func abort() {
        channel.close(promise: nil)
        host?.close(promise: nil)
    }

    /// One of its sockets is another app's now.
    func giveWay() {
        if worker.takeLogLine() { loop.logger.info("network taken back", metadata: metadata([:])) }
        abort()
    }

    // MARK: The head

    func channelActive(context: ChannelHandlerContext) {
        timer = loop.after(loop.limits.head) { [weak self] in self?.abort() }
        context.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .readingHead, .dialing:
            received.append(contentsOf: unwrapInboundIn(data).readableBytesView)
        case .relaying: context.fireChannelRead(data)
        case .refused, .ended: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .readingHead(var reader):
            let result = reader.read(received)
            state = .readingHead(reader)
            switch result {
            case .incomplete: context.read()
            case .refused(let refusal): refuse(refusal)
            case .request(let request, let count):
                received.removeFirst(count)
                beginSoon(request, headByteCount: count)
            }
        case .refused: context.read()
        case .dialing, .ended: break
        case .relaying: context.fireChannelReadComplete()
        }
    }

    /// A worker may be faster than the news that it has a notification to work on: then they wait behind this read.
    private func beginSoon(_ request: ProxyRequest, headByteCount: Int) {
        guard !worker.isAtWork else { return begin(request, headByteCount: headByteCount) }
        loop.eventLoop.assumeIsolated().execute { [self] in
            if case .readingHead = state { begin(request, headByteCount: headByteCount) }
        }
    }

    private func begin(_ request: ProxyRequest, headByteCount: Int) {
        timer?.cancel()
        target = request.target
        do throws(Refusal) {
            payers = try worker.attach(to: request.target)
            // A request without a body has nothing behind its head.
            if case .fetch = request.kind, !received.isEmpty { throw .malformed }
        } catch {
            return refuse(error)
        }
        guard charge(headByteCount, .up) else { return abort() }
        let hostEnd = RelayEnd()
        let dial = Dial(
            request.target,
            for: worker.client.app,
            owner: worker.client.owner,
            admittedBy: worker.allowList,
            loop: loop
        ) { channel in
            try channel.pipeline.syncOperations.addHandler(hostEnd)
        }
        state = .dialing(dial)
        dial.start { [weak self] result in
            switch result {
            case .success(let host): self?.relay(request, to: host, hostEnd)
            case .failure(let refusal): self?.refuse(refusal)
            }
        }
    }

    // MARK: The relay

    private func relay(_ request: ProxyRequest, to dialed: DialedHost, _ hostEnd: RelayEnd) {
        let host = dialed.channel
        guard case .dialing = state else { return host.close(promise: nil) }
        state = .relaying
        self.host = host
        hostSocket = dialed.socket
        dialed.socket.whenTakenBack = { [weak self] in self?.giveWay() }
        host.closeFuture.assumeIsolated().whenComplete { [self] _ in
            self.host = nil
            endIfClosed()
        }
        // It may have closed already.
        guard self.host != nil else { return abort() }
        let clientEnd = RelayEnd()
        clientEnd.admit = { [weak self] in self?.charge($0.readableBytes, .up) ?? false }
        hostEnd.admit = { [weak self] in self?.charge($0.readableBytes, .down) ?? false }
        do {
            try channel.pipeline.syncOperations.addHandler(clientEnd)
        } catch {
            return abort()
        }
        switch request.kind {
        case .tunnel:
            clientEnd.write(ByteBuffer(string: "HTTP/1.1 200 Connection established\r\n\r\n"))
            guard charge(received.count, .up) else { return abort() }
            hostEnd.write(ByteBuffer(bytes: received))
        case .fetch(let head):
            // One request, no body: a second one on this connection would go to the host unjudged.
            guard received.isEmpty else { return abort() }
            clientEnd.admit = { _ in false }
            clientEnd.passesEnd = false
            hostEnd.write(ByteBuffer(bytes: head))
        }
        received = []
        if hasReadEnd { clientEnd.noteEnd() }
        RelayEnd.join(clientEnd, hostEnd)
    }

    private func charge(_ count: Int, _ direction: Allowance.Direction) -> Bool {
        switch direction {
        case .up: upByteCount += count
        case .down: downByteCount += count
        }
        socket.noteUse()
        hostSocket?.noteUse()
        guard payers.take(count, direction) else {
            isCutOff = true
            return false
        }
        return true
    }

    // MARK: The end

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.inputClosed) = event as? ChannelEvent {
            hasReadEnd = true
            switch state {
            case .readingHead, .refused: return abort()
            case .dialing, .relaying, .ended: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func refuse(_ refusal: Refusal) {
        if case .ended = state { return }
        logRefusal(refusal)
        state = .refused
        received = []
        timer?.cancel()
        timer = loop.after(loop.limits.lingering) { [weak self] in self?.abort() }
        let written = channel.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [weak self] _ in self?.refusalWritten() }
        channel.writeAndFlush(ByteBuffer(bytes: refusal.response), promise: written)
    }

    /// Says that nothing more comes, and drops what still does: a close with bytes unread would destroy the answer.
    ///
    /// A client that has ended is closed as a whole.
    private func refusalWritten() {
        channel.close(mode: .output, promise: nil)
        channel.read()
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        if case .dialing(let dial) = state { dial.cancel() }
        if case .relaying = state { logRelay() }
        state = .ended
        context.fireChannelInactive()
        endIfClosed()
    }

    /// Takes note that the channel is closed: a channel whose request ended before it was active gets no call when it
    /// becomes inactive.
    func noteClosed() {
        state = .ended
        endIfClosed()
    }

    /// Leaves the worker's books, in which a host that is still written to keeps it.
    private func endIfClosed() {
        guard case .ended = state, host == nil else { return }
        worker.connectionEnded(self)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        abort()
    }

    // MARK: The log

    // Hosts and sizes: never a path, a header or a byte of what was said.

    private func logRelay() {
        loop.logger.info(
            "network used",
            metadata: metadata(["network.up": "\(upByteCount)", "network.down": "\(downByteCount)"])
        )
        guard isCutOff else { return }
        loop.logger.warning("network limit reached", metadata: metadata([:]))
    }

    private func logRefusal(_ refusal: Refusal) {
        guard worker.takeLogLine() else { return }
        loop.logger.log(
            level: refusal.isFailure ? .info : .warning,
            "network refused",
            metadata: metadata(["network.reason": "\(refusal.reason)"])
        )
    }

    private func metadata(_ own: Logger.Metadata) -> Logger.Metadata {
        var metadata = own
        metadata["push.topic"] = "\(worker.client.app)"
        metadata["worker.pid"] = "\(worker.client.pid)"
        if let target { metadata["network.host"] = "\(target.place):\(target.port)" }
        return metadata
    }
}
