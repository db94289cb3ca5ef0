// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
package import Logging
private import NIOCore
private import NIOPosix

/// The one way out of an extension: an HTTP proxy at the end of each granted worker's own network.
///
/// A worker has an interface `lo`, one listening socket on it, and nothing else; the socket's other side is here, in
/// the host's network. What arrives is judged by the app's list, looked up once, connected to at an address that was
/// checked, counted, and ended with its notification. One thread serves all workers; names are looked up on others.
/// Source: RFC 9110 section 9.3.6; docs/network.md.
package final class NetworkProxy: NetworkGranting, SealedFileFetching {
    private enum State {
        case idle
        case running(MultiThreadedEventLoopGroup, NIOLoopBoundBox<ProxyLoop>)
        case ended
    }

    private let allowLists: [String: AllowList]
    private let limits: Limits
    private let resolver: any NameResolving
    private let ownAddresses: @Sendable () -> Set<IPAddress>?
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    private let logger: Logger
    private let state = Locked(State.idle)

    /// Serves apps by their identifiers, each with its list; an app that is not among them reaches nothing.
    ///
    /// `deadlines` must be running. `ownAddresses` says those of this machine; by default the kernel does. No thread is
    /// started before the first worker.
    package init(
        hosts: [String: [NetworkHost]],
        limits: Limits = Limits(),
        resolver: any NameResolving = SystemResolver(),
        ownAddresses: (@Sendable () -> Set<IPAddress>?)? = nil,
        clock: HostClock,
        deadlines: DeadlineQueue,
        logger: Logger
    ) {
        allowLists = hosts.filter { !$0.value.isEmpty }.mapValues(AllowList.init(hosts:))
        self.limits = limits
        self.resolver = resolver
        self.ownAddresses = ownAddresses ?? OwnAddresses.system
        self.clock = clock
        self.deadlines = deadlines
        self.logger = logger
    }

    package func open(listener: CInt, for client: NetworkClient) {
        start()
        perform { loop in loop.open(listener, for: client) }
    }

    package func requestBegan(_ request: UInt64, worker: UInt64) {
        perform { loop in loop.workers[worker]?.began(request) }
    }

    package func requestEnded(_ request: UInt64, worker: UInt64) {
        perform { loop in loop.workers[worker]?.ended(request) }
    }

    package func closed(worker: UInt64) {
        perform { loop in loop.workers.removeValue(forKey: worker)?.close() }
    }

    package func fetch(
        _ file: SealedFile,
        for app: String,
        into target: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile {
        start()
        let result: Result<HeldFile, AttachmentRefusal> = await withCheckedContinuation { continuation in
            let isRunning = perform { loop in
                loop.fetcher(for: app).fetch(file, into: target, deadline: deadline) {
                    continuation.resume(returning: $0)
                }
            }
            if !isRunning { continuation.resume(returning: .failure(.notFetched)) }
        }
        return try result.get()
    }

    /// Closes every listener and connection and ends the thread; nothing is served afterwards.
    package func end() async {
        let ended = state.withLock { state -> (MultiThreadedEventLoopGroup, NIOLoopBoundBox<ProxyLoop>)? in
            defer { state = .ended }
            guard case .running(let group, let loop) = state else { return nil }
            return (group, loop)
        }
        guard let (group, loop) = ended else { return }
        try? await group.any().submit { loop.value.closeAll() }.get()
        try? await group.shutdownGracefully()
    }

    private func start() {
        state.withLock { state in
            guard case .idle = state else { return }
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let eventLoop = group.any()
            let loop = ProxyLoop(
                eventLoop: eventLoop,
                allowLists: allowLists,
                limits: limits,
                resolver: resolver,
                ownAddresses: OwnAddresses(ownAddresses),
                clock: clock,
                deadlines: deadlines,
                logger: logger,
                execute: { [weak self] work in self?.execute(work) }
            )
            state = .running(group, .makeBoxSendingValue(loop, eventLoop: eventLoop))
        }
    }

    @discardableResult
    private func perform(_ work: @escaping @Sendable (ProxyLoop) -> Void) -> Bool {
        state.withLock { state in
            // Inside the lock, so that nothing is given to a loop that has ended.
            guard case .running(let group, let loop) = state else { return false }
            group.any().execute { work(loop.value) }
            return true
        }
    }

    private func execute(_ work: @escaping @Sendable () -> Void) {
        perform { _ in work() }
    }
}
