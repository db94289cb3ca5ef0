// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Logging
internal import NIOCore
private import NIOPosix

/// Everything of the proxy that lives on its one thread.
final class ProxyLoop {
    let eventLoop: any EventLoop
    let limits: NetworkProxy.Limits
    let resolver: any NameResolving
    let logger: Logger
    var workers: [UInt64: GrantedWorker] = [:]
    /// The fetchers of apps' sealed files, by the apps' identifiers.
    var fetchers: [String: FileFetcher] = [:]
    /// The look-ups of apps, by their identifiers; they outlive the workers that asked.
    private var nameQueues: [String: NameQueue] = [:]
    let sockets: SocketBooks
    private let allowLists: [String: AllowList]
    private let ownAddresses: OwnAddresses
    private let clock: HostClock
    private let deadlines: DeadlineQueue
    /// Runs work on the event loop, as long as there is one.
    let execute: @Sendable (@escaping @Sendable () -> Void) -> Void

    init(
        eventLoop: any EventLoop,
        allowLists: [String: AllowList],
        limits: NetworkProxy.Limits,
        resolver: any NameResolving,
        ownAddresses: OwnAddresses,
        clock: HostClock,
        deadlines: DeadlineQueue,
        logger: Logger,
        execute: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        self.eventLoop = eventLoop
        self.allowLists = allowLists
        self.limits = limits
        self.resolver = resolver
        self.ownAddresses = ownAddresses
        self.clock = clock
        self.deadlines = deadlines
        self.logger = logger
        self.execute = execute
        sockets = SocketBooks(limit: limits.sockets, apps: Set(allowLists.keys))
        sockets.whenRoomChanges = { [weak self] in
            for worker in (self?.workers ?? [:]).values { worker.adjustAccepting() }
        }
    }

    func open(_ listener: CInt, for client: NetworkClient) {
        let worker = GrantedWorker(client, allowList: allowLists[client.app] ?? AllowList(hosts: []), loop: self)
        workers[client.worker] = worker
        worker.listen(on: listener)
    }

    func closeAll() {
        for worker in workers.values { worker.close() }
        workers = [:]
        for fetcher in fetchers.values { fetcher.close() }
        fetchers = [:]
    }

    /// Returns the fetcher of an app, which is made with its first file.
    func fetcher(for app: String) -> FileFetcher {
        if let fetcher = fetchers[app] { return fetcher }
        let fetcher = FileFetcher(app: app, allowList: allowLists[app] ?? AllowList(hosts: []), loop: self)
        fetchers[app] = fetcher
        return fetcher
    }

    var now: Duration { clock.now }

    func isOwn(_ address: IPAddress) -> Bool {
        ownAddresses.contain(address, now: now)
    }

    func names(for app: String) -> NameQueue {
        if let names = nameQueues[app] { return names }
        let names = NameQueue(self)
        nameQueues[app] = names
        return names
    }

    /// Runs `body` on the loop after a while, unless it is cancelled before.
    func after(_ delay: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        at(clock.now + delay, body)
    }

    /// Runs `body` on the loop at an instant of the clock, unless it is cancelled before.
    func at(_ instant: Duration, _ body: @escaping () -> Void) -> LoopTimer {
        let timer = LoopTimer(body, deadlines: deadlines)
        let bound = NIOLoopBound(timer, eventLoop: eventLoop)
        timer.id = deadlines.schedule(at: instant) { [execute] in execute { bound.value.fire() } }
        return timer
    }
}

/// One deadline of a loop-bound object.
final class LoopTimer {
    fileprivate var id: DeadlineQueue.ID?
    private var body: (() -> Void)?
    private let deadlines: DeadlineQueue

    fileprivate init(_ body: @escaping () -> Void, deadlines: DeadlineQueue) {
        self.body = body
        self.deadlines = deadlines
    }

    /// Without effect when it has fired.
    func cancel() {
        body = nil
        if let id { deadlines.cancel(id) }
    }

    fileprivate func fire() {
        let body = body
        self.body = nil
        body?()
    }
}
