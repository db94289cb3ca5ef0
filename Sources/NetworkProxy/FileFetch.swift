// SPDX-License-Identifier: Apache-2.0

private import Dispatch
private import Glibc
internal import HostRuntime
internal import NIOCore
private import NIOHTTP1
internal import NIOSSL
private import NIOTLS

/// One sealed file on its way from its host into a file: one connection, one GET, one answer of a known length.
///
/// Over when it has completed or failed; then nothing of it is left open.
final class FileFetch {
    /// Bytes that may wait for the disk.
    private static let waitingLimit = 1 << 20

    let address: FileAddress
    /// The length of the whole file.
    let byteCount: Int
    private let makeTarget: @Sendable () -> HeldFile?
    private var target: HeldFile?
    private let loop: ProxyLoop
    private let disk = DispatchQueue(label: "fetched-file")
    private var completion: ((Result<HeldFile, AttachmentRefusal>) -> Void)?
    private var deadline: LoopTimer?
    private var dial: Dial?
    private var channel: (any Channel)?
    private var socket: BookedSocket?
    private var receivedCount = 0
    private var waitingCount = 0
    private var hasEnded = false

    init(_ address: FileAddress, byteCount: Int, into target: @escaping @Sendable () -> HeldFile?, loop: ProxyLoop) {
        self.address = address
        self.byteCount = byteCount
        makeTarget = target
        self.loop = loop
    }

    func whenDone(before instant: Duration, _ completion: @escaping (Result<HeldFile, AttachmentRefusal>) -> Void) {
        self.completion = completion
        deadline = loop.at(instant) { [weak self] in self?.fail(.outOfTime) }
    }

    func start(_ dial: Dial, _ context: NIOSSLContext) {
        self.dial = dial
        let fetch = NIOLoopBound(self, eventLoop: loop.eventLoop)
        disk.async { [makeTarget, execute = loop.execute] in
            let target = makeTarget()
            execute { fetch.value.begin(target, context) }
        }
    }

    private func begin(_ target: HeldFile?, _ context: NIOSSLContext) {
        guard completion != nil else { return }
        guard let target else { return fail(.storeFailed) }
        self.target = target
        dial?.start { [self] result in
            switch result {
            case .success(let host): ask(host, context)
            case .failure(.address): fail(.notListed)
            case .failure: fail(.notFetched)
            }
        }
    }

    func fail(_ refusal: AttachmentRefusal) {
        finish(.failure(refusal))
    }

    private func finish(_ result: Result<HeldFile, AttachmentRefusal>) {
        guard let completion else { return }
        self.completion = nil
        deadline?.cancel()
        dial?.cancel()
        dial = nil
        channel?.close(promise: nil)
        channel = nil
        socket = nil
        target = nil
        completion(result)
    }

    /// Ends a fetch whose socket is another app's now: without the farewell of TLS, for which a server could make it
    /// wait.
    private func giveWay() {
        let tls = try? channel?.pipeline.syncOperations.context(handlerType: NIOSSLClientHandler.self)
        tls?.close(promise: nil)
        fail(.notFetched)
    }

    private func ask(_ host: DialedHost, _ context: NIOSSLContext) {
        let channel = host.channel
        dial = nil
        host.socket.whenTakenBack = { [weak self] in self?.giveWay() }
        socket = host.socket
        guard completion != nil else { return channel.close(promise: nil) }
        self.channel = channel
        let name: String? = if case .name(let name) = address.target.place { name } else { nil }
        do {
            let pipeline = channel.pipeline.syncOperations
            // Without a name the certificate is held against the address.
            try pipeline.addHandler(NIOSSLClientHandler(context: context, serverHostname: name))
            try pipeline.addHTTPClientHandlers()
            try pipeline.addHandler(FileAnswerHandler(self))
        } catch {
            return fail(.notFetched)
        }
        channel.setOption(.allowRemoteHalfClosure, value: false).whenFailure { _ in }
        channel.setOption(.autoRead, value: true).whenFailure { _ in }
    }

    /// The handshake is over; nothing of the address was said before.
    fileprivate func isSecured(_ pipeline: ChannelPipeline.SynchronousOperations) {
        guard let channel, let tls = try? pipeline.handler(type: NIOSSLClientHandler.self) else { return lost() }
        if case .name(let name) = address.target.place, tls.peerCertificate?.isFor(name) != true {
            return fail(.notFetched)
        }
        var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: address.path)
        head.headers = [
            "Host": address.authority, "Accept": "*/*", "Accept-Encoding": "identity", "Connection": "close",
        ]
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }

    // MARK: The answer

    fileprivate func received(_ part: HTTPClientResponsePart) {
        guard completion != nil else { return }
        switch part {
        case .head(let head):
            guard head.status == .ok, head.headers[canonicalForm: "content-encoding"].allSatisfy({ $0 == "identity" })
            else { return fail(.notFetched) }
            let lengths = head.headers["content-length"]
            guard lengths.allSatisfy({ Int($0) == byteCount }) else { return fail(.wrongSize) }
        case .body(let bytes):
            receivedCount += bytes.readableBytes
            socket?.noteUse()
            guard receivedCount <= byteCount else { return fail(.wrongSize) }
            write(bytes)
        case .end:
            guard receivedCount == byteCount else { return fail(.wrongSize) }
            hasEnded = true
            finishIfWritten()
        }
    }

    /// The end of the connection, in whatever way.
    fileprivate func lost() {
        guard !hasEnded else { return }
        fail(.notFetched)
    }

    private func finishIfWritten() {
        if hasEnded, waitingCount == 0, let target { finish(.success(target)) }
    }

    // MARK: The disk

    private func write(_ bytes: ByteBuffer) {
        guard let target else { return }
        let count = bytes.readableBytes
        waitingCount += count
        if waitingCount > Self.waitingLimit { channel?.setOption(.autoRead, value: false).whenFailure { _ in } }
        let fetch = NIOLoopBound(self, eventLoop: loop.eventLoop)
        disk.async { [execute = loop.execute] in
            let isWritten = Self.write(bytes, to: target.descriptor)
            execute { fetch.value.wrote(count, isWritten) }
        }
    }

    private func wrote(_ count: Int, _ isWritten: Bool) {
        waitingCount -= count
        guard isWritten else { return fail(.storeFailed) }
        if waitingCount == 0 { channel?.setOption(.autoRead, value: true).whenFailure { _ in } }
        finishIfWritten()
    }

    private static func write(_ bytes: ByteBuffer, to descriptor: CInt) -> Bool {
        bytes.withUnsafeReadableBytes { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
                guard count > 0 || errno == EINTR else { return false }
                written += max(0, count)
            }
            return true
        }
    }
}

private final class FileAnswerHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private weak var fetch: FileFetch?

    init(_ fetch: FileFetch) {
        self.fetch = fetch
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        fetch?.received(unwrapInboundIn(data))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(.handshakeCompleted) = event as? TLSUserEvent {
            fetch?.isSecured(context.pipeline.syncOperations)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        fetch?.lost()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fetch?.lost()
        context.close(promise: nil)
    }
}

extension NIOSSLCertificate {
    /// Tells whether the certificate lists a host by its name.
    ///
    /// A certificate for the address alone would do for NIOSSL: anybody could have one for an address of his own, and
    /// answer for every name that is made to lead there. One `*` stands for a whole first label.
    /// Source: RFC 9525 section 6.3.
    fileprivate func isFor(_ name: String) -> Bool {
        let wildcard = name.firstIndex(of: ".").map { "*" + name[$0...] }
        return _subjectAlternativeNames().contains { alternative in
            guard alternative.nameType == .dnsName else { return false }
            let text = String(decoding: alternative.contents, as: UTF8.self).lowercased()
            return text == name || text == wildcard
        }
    }
}
