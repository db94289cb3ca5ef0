// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import NIOCore

/// The open channels of the API, to be counted and closed from outside.
///
/// The server must not be cancelled: it would drop a connection that was just accepted, which NIO holds for a bug and
/// ends the process for. Without its channels it ends by itself.
package final class APIConnections: Sendable {
    private struct State {
        var listeners: [any Channel] = []
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosing = false
    }

    private let limit: Int
    private let state = Locked(State())

    /// Connections beyond the limit are closed at once.
    package init(limit: Int = 12_288) {
        self.limit = limit
    }

    package var count: Int { state.withLock { $0.channels.count } }

    /// Enters a channel that accepts others; false means that the server ends.
    func listen(_ channel: any Channel) -> Bool {
        let isClosing = state.withLock { state in
            state.listeners.append(channel)
            return state.isClosing
        }
        if isClosing { channel.close(promise: nil) }
        return !isClosing
    }

    /// Enters a connection; false means that there is no place for it, or that the server ends.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.isClosing, state.channels.count < limit else { return false }
            state.channels[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    func remove(_ channel: any Channel) {
        _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    /// Ends every connection and the listening; the server returns.
    package func close() {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.channels.values) + state.listeners
        }
        for channel in channels { channel.close(promise: nil) }
    }
}

/// Ends a connection that has not shown who it is within ten seconds, however slowly it speaks.
///
/// The server takes the handler away once it knows the caller.
final class StrangerLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Any

    private static let limit = TimeAmount.seconds(10)

    private var end: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) {
        end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.limit) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { end?.cancel() }
}

/// Enters a connection and takes it out again, and ends one that is silent.
final class APIConnectionEntry: ChannelInboundHandler {
    typealias InboundIn = Any

    private let connections: APIConnections

    init(_ connections: APIConnections) {
        self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
        if !connections.add(context.channel) { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.remove(context.channel)
        context.fireChannelInactive()
    }
}
