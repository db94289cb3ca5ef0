// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore
private import NIOPosix

/// One attempt to reach a target: look it up once, keep the addresses that may be reached, connect to the first that
/// answers.
///
/// The connection goes to an address that was checked, never to the name again. The addresses take turns by their
/// version and each gets a quarter of a second before the next is tried beside it (RFC 8305). A dial is over when it
/// has completed, failed or been cancelled; then nothing of it is left.
final class Dial {
    typealias Completion = (Result<DialedHost, Refusal>) -> Void

    private let allowList: AllowList
    private let app: String
    /// `nil` means the host itself.
    private let owner: String?
    private let loop: ProxyLoop
    private let target: NetworkTarget
    private let initializer: (any Channel) throws -> Void
    private var completion: Completion?
    private var waiting: [IPAddress] = []
    private var attempts: [ObjectIdentifier: any Channel] = [:]
    private var openAttempts = 0
    private var deadline: LoopTimer?
    private var stagger: LoopTimer?
    private var lookUp: NameQueue.LookUp?

    init(
        _ target: NetworkTarget,
        for app: String,
        owner: String? = nil,
        admittedBy allowList: AllowList,
        loop: ProxyLoop,
        initializer: @escaping (any Channel) throws -> Void = { _ in }
    ) {
        self.target = target
        self.allowList = allowList
        self.app = app
        self.owner = owner
        self.loop = loop
        self.initializer = initializer
    }

    func start(_ completion: @escaping Completion) {
        self.completion = completion
        deadline = loop.after(loop.limits.connect) { [self] in finish(.failure(.timedOut)) }
        switch target.place {
        case .address(let address): connect(to: [address])
        case .name(let name): lookUp = loop.names(for: app).lookUp(name) { [self] in connect(to: $0) }
        }
    }

    func cancel() {
        completion = nil
        end(keeping: nil)
    }

    private func connect(to addresses: [IPAddress]) {
        guard completion != nil else { return }
        guard !addresses.isEmpty else { return finish(.failure(.unresolved)) }
        let refusals = addresses.map { allowList.refusal(of: $0, for: target, isOwn: loop.isOwn($0)) }
        let permitted = zip(addresses, refusals).filter { $0.1 == nil }.map(\.0)
        if permitted.isEmpty, let refusal = refusals[0] { return finish(.failure(.address(refusal))) }
        waiting = Array(Self.inTurns(permitted).prefix(loop.limits.addresses))
        tryNext()
    }

    /// Versions take turns; the first address stays the first.
    static func inTurns(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first else { return [] }
        var mine = addresses.filter { $0.isVersion6 == first.isVersion6 }[...]
        var others = addresses.filter { $0.isVersion6 != first.isVersion6 }[...]
        var result: [IPAddress] = []
        while result.count < addresses.count {
            if let next = mine.popFirst() { result.append(next) }
            if let next = others.popFirst() { result.append(next) }
        }
        return result
    }

    private func tryNext() {
        stagger?.cancel()
        guard completion != nil else { return }
        guard !waiting.isEmpty else {
            if openAttempts == 0 { finish(.failure(.unreachable)) }
            return
        }
        guard let socket = loop.sockets.take(for: app, owner: owner) else {
            // Those that are under way are waited for.
            if openAttempts == 0 { finish(.failure(.noSocketLeft)) }
            return
        }
        let address = waiting.removeFirst()
        guard let address = try? SocketAddress(address, port: target.port) else {
            socket.giveBack()
            return tryNext()
        }
        if !waiting.isEmpty { stagger = loop.after(loop.limits.stagger) { [self] in tryNext() } }
        openAttempts += 1
        let dial = NIOLoopBound((self, socket), eventLoop: loop.eventLoop)
        ClientBootstrap(group: loop.eventLoop)
            // The dial's own deadline comes first.
            .connectTimeout(TimeAmount.hours(1))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelOption(.socketOption(.so_rcvbuf), value: 512 << 10)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 32 << 10))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let (dial, socket) = dial.value
                    channel.closeFuture.assumeIsolated().whenComplete { _ in socket.giveBack() }
                    socket.whenTakenBack = { [weak channel] in channel?.close(promise: nil) }
                    try dial.began(channel)
                }
            }
            .connect(to: address)
            .assumeIsolated()
            .whenComplete { [self] result in
                openAttempts -= 1
                switch result {
                // One too many was closed by whoever completed.
                case .success(let channel): finish(.success(DialedHost(channel: channel, socket: socket)))
                case .failure:
                    socket.giveBack()
                    tryNext()
                }
            }
    }

    private func began(_ channel: any Channel) throws {
        guard completion != nil else { throw ChannelError.alreadyClosed }
        let id = ObjectIdentifier(channel)
        attempts[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.attempts[id] = nil }
        try initializer(channel)
    }

    private func finish(_ result: Result<DialedHost, Refusal>) {
        guard let completion else { return }
        self.completion = nil
        end(keeping: try? result.get().channel)
        completion(result)
    }

    private func end(keeping channel: (any Channel)?) {
        deadline?.cancel()
        stagger?.cancel()
        if let lookUp { loop.names(for: app).cancel(lookUp) }
        lookUp = nil
        for attempt in attempts.values where attempt !== channel { attempt.close(promise: nil) }
        attempts = [:]
    }
}

/// The connection that a dial opened, and its socket in the books.
struct DialedHost {
    let channel: any Channel
    let socket: BookedSocket
}

extension SocketAddress {
    fileprivate init(_ address: IPAddress, port: UInt16) throws {
        try self.init(packedIPAddress: ByteBuffer(bytes: address.bytes), port: Int(port))
    }
}
