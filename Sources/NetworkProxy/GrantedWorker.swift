// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
private import Logging
internal import NIOCore
private import NIOPosix

/// A worker with the grant: its listener, the requests it works on, and the connections it made.
final class GrantedWorker {
    let client: NetworkClient
    let allowList: AllowList
    private unowned let loop: ProxyLoop
    private var listener: (any Channel)?
    private var isClosed = false
    /// In the order they began.
    private var requests: [Allowance] = []
    private var connections: [ObjectIdentifier: ProxyConnection] = [:]
    /// Connections that are still taken in before the next request begins.
    private var acceptsLeft = 0

    init(_ client: NetworkClient, allowList: AllowList, loop: ProxyLoop) {
        self.client = client
        self.allowList = allowList
        self.loop = loop
        acceptsLeft = 2 * loop.limits.connectionsInAll
    }

    // MARK: Listening

    func listen(on descriptor: CInt) {
        let worker = NIOLoopBound(self, eventLoop: loop.eventLoop)
        ServerBootstrap(group: loop.eventLoop)
            // What the kernel keeps of a connection that nobody reads; connections inherit it.
            .serverChannelOption(.socketOption(.so_rcvbuf), value: 128 << 10)
            .serverChannelOption(.socketOption(.so_sndbuf), value: 256 << 10)
            // One, and then a look whether another may be.
            .serverChannelOption(.maxMessagesPerRead, value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 16 << 10))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try worker.value.admit(channel) }
            }
            .withBoundSocket(descriptor)
            .assumeIsolated()
            .whenComplete { [self] result in
                switch result {
                case .success(let channel) where isClosed: channel.close(promise: nil)
                case .success(let channel):
                    listener = channel
                    adjustAccepting()
                case .failure(let error):
                    loop.logger.error(
                        "network not granted",
                        metadata: ["push.topic": "\(client.app)", "worker.pid": "\(client.pid)", "error": "\(error)"]
                    )
                }
            }
    }

    private func admit(_ channel: any Channel) throws {
        guard !isClosed, let socket = loop.sockets.take(for: client.app, owner: client.owner) else {
            return channel.close(promise: nil)
        }
        channel.closeFuture.assumeIsolated().whenComplete { _ in socket.giveBack() }
        acceptsLeft -= 1
        let connection = ProxyConnection(worker: self, loop: loop, channel: channel, socket: socket)
        socket.whenTakenBack = { [weak connection] in connection?.giveWay() }
        connections[ObjectIdentifier(connection)] = connection
        channel.closeFuture.assumeIsolated().whenComplete { _ in connection.noteClosed() }
        try channel.pipeline.syncOperations.addHandler(connection)
        adjustAccepting()
    }

    func connectionEnded(_ connection: ProxyConnection) {
        connections[ObjectIdentifier(connection)] = nil
        adjustAccepting()
    }

    /// Leaves connections in the kernel's queue, which is short, when a worker makes more of them than it may have.
    func adjustAccepting() {
        let limit = loop.limits.connections * (requests.count + 1)
        let mayAccept =
            acceptsLeft > 0 && connections.count < limit
            && loop.sockets.hasRoom(for: client.app, owner: client.owner)
        listener?.setOption(.autoRead, value: mayAccept)
            .whenFailure { _ in }
    }

    func close() {
        isClosed = true
        listener?.close(promise: nil)
        for request in requests { request.end() }
        requests = []
        for connection in connections.values { connection.abort() }
    }

    // MARK: Requests

    func began(_ request: UInt64) {
        requests.append(Allowance(request: request, limits: loop.limits))
        acceptsLeft = 2 * loop.limits.connectionsInAll
        adjustAccepting()
    }

    func ended(_ request: UInt64) {
        for ended in requests where ended.request == request { ended.end() }
        requests.removeAll { !$0.isOpen }
        // One that has not said what it wants may be the next request's, which the worker has already and we have not.
        for connection in connections.values where connection.isAttached {
            if !connection.payers.contains(where: \.isOpen) { connection.abort() }
        }
        adjustAccepting()
    }

    var isAtWork: Bool { !requests.isEmpty }

    /// Returns the requests that a connection is charged to, and with whose end the connection ends.
    func attach(to target: NetworkTarget) throws(Refusal) -> [Allowance] {
        guard !requests.isEmpty else { throw .noRequest }
        guard allowList.admits(target) else { throw .notListed }
        let attachedCount = connections.values.count(where: \.isAttached)
        guard attachedCount < loop.limits.connections * requests.count,
            requests.contains(where: { $0.takeConnection() })
        else { throw .tooManyConnections }
        return requests
    }

    /// The log has room for another refusal.
    func takeLogLine() -> Bool {
        requests.contains { $0.takeLogLine() }
    }
}
