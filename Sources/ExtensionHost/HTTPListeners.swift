// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Ingress
import Logging

/// The addresses on which a host takes pushes over HTTP: that of APNs, that of Web Push, one for both, or none.
struct HTTPListeners: Sendable {
    private struct Listener {
        let ingress: HTTPIngress
        /// The words for what comes in here, in the note that the listener has started.
        let purpose: String
        let security: HTTPConfiguration.Security
        let reload: ListenerReload
    }

    private let listeners: [Listener]
    /// `nil` means that the host runs without a file that could be read again.
    private let reloading: ConfigurationReload?

    init(
        _ configuration: HostConfiguration,
        tokens: any DeviceTokens,
        subscriptions: any WebPushSubscriptions,
        acceptor: any PushAcceptor,
        connections: Int = DescriptorBudget.mostConnections,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger
    ) {
        let webPush = configuration.webPush.map { webPush in
            WebPushService(
                origin: webPush.origin,
                subscriptions: subscriptions,
                alerts: configuration.webPushAlerts
            )
        }
        let isShared = configuration.webPush?.listener == nil
        let apns = configuration.apns.map { apns in
            let ingress = HTTPIngress(
                configuration: apns.ingress.bounded(to: connections),
                tokens: tokens,
                webPush: isShared ? webPush : nil,
                acceptor: acceptor,
                metrics: metrics,
                logger: logger
            )
            return Listener(
                ingress: ingress,
                purpose: isShared && webPush != nil ? "APNs requests and Web Push" : "APNs requests",
                security: apns.security,
                reload: ListenerReload(
                    taken: HostSchema.reloaded(below: "listen.apns"),
                    ingress: ingress
                ) { $0.apns?.ingress }
            )
        }
        let own = configuration.webPush?.listener.map { listener in
            let ingress = HTTPIngress(
                configuration: listener.ingress.bounded(to: connections),
                tokens: nil,
                webPush: webPush,
                acceptor: acceptor,
                metrics: metrics,
                logger: logger
            )
            return Listener(
                ingress: ingress,
                purpose: "Web Push",
                security: listener.security,
                reload: ListenerReload(
                    taken: HostSchema.reloaded(below: "listen.web-push"),
                    ingress: ingress
                ) { $0.webPush?.listener?.ingress }
            )
        }
        let listeners = [apns, own].compactMap { $0 }
        self.listeners = listeners
        reloading = configuration.document.map {
            ConfigurationReload(running: $0, listeners: listeners.map(\.reload), logger: logger)
        }
    }

    /// Binds every address, and says which.
    ///
    /// - Throws: `IngressError` of the first that is not to be had; none is left open then.
    func start() async throws(IngressError) {
        for listener in listeners {
            do {
                let address = try await listener.ingress.start()
                let security = listener.security == .plaintext ? "plaintext" : "TLS"
                Terminal.note("listening for \(listener.purpose) on \(address.host):\(address.port), \(security)")
            } catch {
                await drain()
                throw error
            }
        }
    }

    /// Reads certificates and senders again at each SIGHUP, until the task is cancelled.
    func reload() async {
        await reloading?.run()
    }

    /// Takes no more requests, answers those in flight, and returns when every connection has ended.
    func drain() async {
        await withTaskGroup(of: Void.self) { group in
            for listener in listeners { group.addTask { await listener.ingress.drain() } }
        }
    }
}

extension HTTPConfiguration {
    /// With no more connections than there are descriptors for.
    fileprivate func bounded(to connections: Int) -> Self {
        var bounded = self
        bounded.limits.connections = min(limits.connections, connections)
        return bounded
    }
}
