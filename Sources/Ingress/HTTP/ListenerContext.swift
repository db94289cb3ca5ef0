// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Logging

/// The state that the connections of one listener share; it lives on the listener's event loop.
final class ListenerContext {
    let limits: HTTPLimits
    let services: [any PushService]
    let acceptor: any PushAcceptor
    let counters: IngressCounters
    let logger: Logger
    let senders: SenderContext
    /// Bodies that came in and are not answered.
    let bodies: HeldBodies
    let streams: OpenStreams
    /// Shut once the loop is about to go, since an acceptor that answers later finds nobody to tell.
    let gate = AnswerGate()

    init(
        limits: HTTPLimits,
        services: [any PushService],
        acceptor: any PushAcceptor,
        counters: IngressCounters,
        logger: Logger,
        senders: SenderContext,
        bodies: HeldBodies
    ) {
        self.limits = limits
        self.services = services
        self.acceptor = acceptor
        self.counters = counters
        self.logger = logger
        self.senders = senders
        self.bodies = bodies
        streams = OpenStreams(limit: limits.openStreams, connections: limits.connections)
    }

    /// True if a listener of these services may leave loopback only with authentication.
    var needsAuthentication: Bool { services.contains(where: \.needsAuthentication) }
}
