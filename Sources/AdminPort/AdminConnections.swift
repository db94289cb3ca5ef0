// SPDX-License-Identifier: Apache-2.0

private import Locking
internal import NIOCore

/// The open channels of the admin port, to be closed from outside.
///
/// The server must not be cancelled: it would drop a connection that was just accepted, which NIO holds for a bug and
/// ends the process for. Without its channels it ends by itself.
final class AdminConnections: Sendable {
    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        var isClosing = false
    }

    private let state = Locked(State())

    var isClosing: Bool { state.withLock(\.isClosing) }

    /// Closes it at once if the others were closed already.
    func add(_ channel: any Channel) {
        let isClosing = state.withLock { state in
            if !state.isClosing { state.channels[ObjectIdentifier(channel)] = channel }
            return state.isClosing
        }
        if isClosing { channel.close(promise: nil) }
    }

    func remove(_ channel: any Channel) {
        _ = state.withLock { $0.channels.removeValue(forKey: ObjectIdentifier(channel)) }
    }

    func close() {
        let channels = state.withLock { state in
            state.isClosing = true
            defer { state.channels = [:] }
            return state.channels
        }
        for channel in channels.values { channel.close(promise: nil) }
    }
}

/// Enters a connection, ends it in time, and takes it out again.
final class AdminConnectionEntry: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = Never

    private let connections: AdminConnections
    private let lifetime: TimeAmount
    private var end: Scheduled<Void>?

    init(_ connections: AdminConnections, lifetime: Duration) {
        self.connections = connections
        let (seconds, attoseconds) = lifetime.components
        self.lifetime = .seconds(seconds) + .nanoseconds(attoseconds / 1_000_000_000)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        connections.add(channel)
        end = context.eventLoop.scheduleTask(in: lifetime) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end?.cancel()
        connections.remove(context.channel)
        context.fireChannelInactive()
    }
}
