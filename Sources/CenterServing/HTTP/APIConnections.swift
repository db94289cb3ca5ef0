// SPDX-License-Identifier: Apache-2.0

internal import HTTPServing
private import Locking
internal import NIOCore

/// The open channels of the API, with their places, to be counted and closed from outside.
///
/// The server must not be cancelled: it would drop a connection that was just accepted, which NIO holds for a bug and
/// ends the process for. Without its channels it ends by itself.
package final class APIConnections: Sendable {
    private struct State {
        var listeners: [any Channel] = []
        var desk: ConnectionDesk
        var tickets: [ObjectIdentifier: ConnectionDesk.Ticket] = [:]
        var channels: [ConnectionDesk.Ticket: any Channel] = [:]
        /// Channels without a place, which are about to close.
        var leaving: [ObjectIdentifier: any Channel] = [:]
        var isClosing = false
    }

    /// The word to a connection that gives its place to another one.
    struct GivesWay: Sendable {}
    /// The word to a connection whose caller is known now.
    struct IsKnown: Sendable {}

    private let state: Locked<State>

    /// Connections beyond the limits are closed at once, or take the place of one whose caller nobody knows.
    ///
    /// `perSource` and `strangers` are about callers that have to show who they are; this machine's own addresses are
    /// exempt from the first.
    package init(limit: Int = 12_288, perSource: Int = 64, strangers: Int = 1_024) {
        let rules = ConnectionDesk.Rules(
            places: limit,
            placesPerSource: perSource,
            unprovenPlaces: strangers,
            // Each connection has a timer of its own.
            patience: .hours(1),
            provenGiveWay: false
        )
        state = Locked(State(desk: ConnectionDesk(rules)))
    }

    package var count: Int { state.withLock { $0.channels.count + $0.leaving.count } }

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
    func add(_ channel: any Channel, from source: PeerSource, isStranger: Bool) -> Bool {
        let (isAdmitted, displaced): (Bool, (any Channel)?) = state.withLock { state in
            guard !state.isClosing,
                case .admitted(let ticket, let displaced) = state.desk.admit(
                    from: source,
                    at: .now(),
                    isProven: !isStranger
                )
            else { return (false, nil) }
            state.channels[ticket] = channel
            state.tickets[ObjectIdentifier(channel)] = ticket
            let former = displaced.flatMap { state.channels.removeValue(forKey: $0) }
            if let former {
                state.tickets[ObjectIdentifier(former)] = nil
                state.leaving[ObjectIdentifier(former)] = former
            }
            return (true, former)
        }
        displaced?.pipeline.fireUserInboundEventTriggered(GivesWay())
        return isAdmitted
    }

    /// Notes that a caller is known: the connection gives way to nobody any more, and has no time by which it ends.
    func prove(_ channel: any Channel) {
        let isNew = state.withLock { state in
            guard let ticket = state.tickets[ObjectIdentifier(channel)] else { return false }
            return state.desk.prove(ticket)
        }
        if isNew { channel.pipeline.fireUserInboundEventTriggered(IsKnown()) }
    }

    func remove(_ channel: any Channel) {
        state.withLock { state in
            state.leaving[ObjectIdentifier(channel)] = nil
            guard let ticket = state.tickets.removeValue(forKey: ObjectIdentifier(channel)) else { return }
            state.channels[ticket] = nil
            state.desk.leave(ticket)
        }
    }

    /// Ends every connection and the listening; the server returns.
    package func close() {
        let channels = state.withLock { state in
            state.isClosing = true
            return Array(state.channels.values) + state.leaving.values + state.listeners
        }
        for channel in channels { channel.close(promise: nil) }
    }
}

/// Enters a connection and takes it out again, and ends one that is silent, gives way, or has not shown who it is
/// within ten seconds, however slowly it speaks.
final class APIConnectionEntry: ChannelInboundHandler {
    typealias InboundIn = Any

    private static let strangerLimit = TimeAmount.seconds(10)

    private let connections: APIConnections
    private let isStranger: Bool
    private var end: Scheduled<Void>?

    init(_ connections: APIConnections, isStranger: Bool) {
        self.connections = connections
        self.isStranger = isStranger
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let source = PeerSource(context.channel.remoteAddress)
        guard connections.add(context.channel, from: source, isStranger: isStranger) else {
            return context.close(promise: nil)
        }
        guard isStranger else { return }
        end = context.eventLoop.assumeIsolated().scheduleTask(in: Self.strangerLimit) { context.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { leave(context) }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is APIConnections.IsKnown: forgetEnd()
        case is APIConnections.GivesWay, is IdleStateHandler.IdleStateEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave(context)
        context.fireChannelInactive()
    }

    private func leave(_ context: ChannelHandlerContext) {
        forgetEnd()
        connections.remove(context.channel)
    }

    private func forgetEnd() {
        end?.cancel()
        end = nil
    }
}
