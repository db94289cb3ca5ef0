// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import NIOCore

/// The open channels of the admin port: few at a time, and to be closed from outside.
///
/// Whoever comes has a place, if need be that of another: first of one that has not asked for anything yet, then of the
/// one that is there for longest. So peers that ask slowly, or that hold on to what they were answered, keep nobody
/// out.
///
/// The server must not be cancelled: it would drop a connection that was just accepted, which NIO holds for a bug and
/// ends the process for. Without its channels it ends by itself.
final class AdminConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        let number: Int
        var hasAsked = false
    }

    private struct State {
        var listener: (any Channel)?
        var entries: [ObjectIdentifier: Entry] = [:]
        var lastNumber = 0
        var isClosing = false
    }

    private let limit: Int
    private let state = Locked(State())

    init(limit: Int) {
        self.limit = limit
    }

    var isClosing: Bool { state.withLock(\.isClosing) }

    /// Enters the channel that accepts the others; it has no place among them.
    func listen(_ channel: any Channel) {
        let isClosing = state.withLock { state in
            state.listener = channel
            return state.isClosing
        }
        if isClosing { channel.close(promise: nil) }
    }

    /// Enters a connection, and closes the one that gives its place away; closes it at once if the others were closed.
    func add(_ channel: any Channel) {
        let closed: (any Channel)? = state.withLock { state in
            guard !state.isClosing else { return channel }
            var displaced: Entry?
            if state.entries.count >= limit {
                displaced = state.entries.values.min { left, right in
                    left.hasAsked == right.hasAsked ? left.number < right.number : !left.hasAsked
                }
                if let displaced { state.entries[ObjectIdentifier(displaced.channel)] = nil }
            }
            state.lastNumber += 1
            state.entries[ObjectIdentifier(channel)] = Entry(channel: channel, number: state.lastNumber)
            return displaced?.channel
        }
        closed?.close(promise: nil)
    }

    /// The head of a request has come whole.
    func asked(_ channel: any Channel) {
        state.withLock { $0.entries[ObjectIdentifier(channel)]?.hasAsked = true }
    }

    func remove(_ channel: any Channel) {
        _ = state.withLock { $0.entries.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    func close() {
        let channels = state.withLock { state in
            state.isClosing = true
            defer { state.entries = [:] }
            return state.entries.values.map(\.channel) + [state.listener].compactMap { $0 }
        }
        for channel in channels { channel.close(promise: nil) }
    }
}

/// Enters a connection, ends it in time, and takes it out again.
final class AdminConnectionEntry: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private let connections: AdminConnections
    private let lifetime: TimeAmount
    private let patience: TimeAmount
    private var end: Scheduled<Void>?
    /// The timer runs out unless the head of the first request comes before.
    private var silence: Scheduled<Void>?

    init(_ connections: AdminConnections, lifetime: Duration, patience: Duration) {
        self.connections = connections
        self.lifetime = TimeAmount(lifetime)
        self.patience = TimeAmount(patience)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        connections.add(channel)
        end = context.eventLoop.scheduleTask(in: lifetime) { channel.close(promise: nil) }
        silence = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Behind the parser, which hands a head on when it is whole.
        if let silence {
            silence.cancel()
            self.silence = nil
            connections.asked(context.channel)
        }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        silence?.cancel()
        connections.remove(context.channel)
        context.fireChannelInactive()
    }
}

extension TimeAmount {
    fileprivate init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }
}
