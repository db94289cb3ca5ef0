// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
private import Locking
package import Logging
private import NIOCore
private import NIOPosix

/// Takes pushes over HTTP/2 and HTTP/1.1 on one address: what APNs takes, what a Web Push server takes, or both.
///
/// Most callers need one call, which listens while its body runs and drains after it:
/// `try await ingress.withListener { address in … }`. `start()` and `drain()` are its two halves.
///
/// A push that was handed to the acceptor is answered, or its connection is gone: no answer is held back, and nothing
/// is accepted twice by us. One event loop carries a listener; the acceptor is called on it and must not block.
/// Source: RFC 9113; RFC 9112.
package final class HTTPIngress: Sendable {
    /// Connections of a listener that gave way and may still be open beside `HTTPLimits.connections`.
    package static let leavingConnectionLimit = ConnectionTable.leavingLimit

    private enum State {
        case idle
        case running(MultiThreadedEventLoopGroup, NIOLoopBound<PushListener>)
        case drained
    }

    private let configuration: HTTPConfiguration
    private let services: [any PushService]
    private let acceptor: any PushAcceptor
    private let metrics: IngressMetrics
    private let logger: Logger
    private let state = Locked(State.idle)

    /// Speaks what it is given, one of the two at least; with both, requests for other paths are answered as APNs
    /// would.
    ///
    /// An ingress without `tokens` speaks no APNs, and nothing of the configuration that is about it counts.
    package init(
        configuration: HTTPConfiguration,
        tokens: (any DeviceTokens)?,
        webPush: WebPushService? = nil,
        acceptor: any PushAcceptor,
        metrics: HostMetrics = HostMetrics(),
        logger: Logger
    ) {
        self.configuration = configuration
        let apns = tokens.map { tokens in
            APNsService(
                validator: PushValidator(
                    tokens: tokens,
                    environment: configuration.environment,
                    conformance: configuration.conformance
                )
            )
        }
        let services: [(any PushService)?] = [apns, webPush]
        self.services = services.compactMap { $0 }
        precondition(!self.services.isEmpty, "an ingress speaks something")
        self.acceptor = acceptor
        self.metrics = metrics.ingress
        var logger = logger
        logger[metadataKey: "push.ingress"] = "\(self.services.map(\.name).joined(separator: ","))"
        self.logger = logger
    }

    /// Listens while `body` runs, then drains, also when it throws.
    ///
    /// Cancellation reaches `body`; the drain runs to its end all the same.
    package func withListener<Result>(
        _ body: (ListenerAddress) async throws -> Result
    ) async throws -> Result {
        let address = try await start()
        do {
            let result = try await body(address)
            await drain()
            return result
        } catch {
            await drain()
            throw error
        }
    }

    /// Binds the address and begins to accept; called once.
    ///
    /// - Throws: `IngressError` with what to do about it; nothing is left open then.
    package func start() async throws(IngressError) -> ListenerAddress {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.any()
        do {
            let listener = try await loop.submit { [configuration, services, acceptor, metrics, logger] in
                NIOLoopBound(
                    try PushListener(
                        configuration: configuration,
                        services: services,
                        acceptor: acceptor,
                        metrics: metrics,
                        logger: logger,
                        eventLoop: loop
                    ),
                    eventLoop: loop
                )
            }.get()
            let address = try await loop.flatSubmit { listener.value.bind() }.get()
            state.withLock { state in
                guard case .idle = state else { preconditionFailure("an ingress is started once") }
                state = .running(group, listener)
            }
            logger.info("listening", metadata: ["host": "\(address.host)", "port": "\(address.port)"])
            return address
        } catch {
            try? await group.shutdownGracefully()
            throw error as? IngressError
                ?? IngressError(.addressUnusable, "cannot listen: \(error)", underlying: error)
        }
    }

    /// Reads certificate and key again and takes the senders of `configuration`; nothing else of it counts.
    ///
    /// New connections get the new certificate. Open ones keep theirs, and their next push is judged by the new
    /// senders.
    /// - Throws: `IngressError` that names the file; certificate, key and senders stay as they were then.
    package func reload(_ configuration: HTTPConfiguration) async throws(IngressError) {
        try await renewal(configuration)?.take()
    }

    /// A certificate, a key and senders that were read and judged, for a caller with more than one listener to renew.
    package struct Renewal: Sendable {
        fileprivate let taking: @Sendable () async -> Void

        /// Has the listener take what was read, unless it is drained.
        package func take() async { await taking() }
    }

    /// Reads certificate and key again, and leaves the listener as it is until the result is taken.
    ///
    /// - Returns: `nil` for an ingress that does not listen.
    /// - Throws: `IngressError` that names the file.
    package func renewal(_ configuration: HTTPConfiguration) async throws(IngressError) -> Renewal? {
        let running: (MultiThreadedEventLoopGroup, NIOLoopBound<PushListener>)? = state.withLock { state in
            if case .running(let group, let listener) = state { (group, listener) } else { nil }
        }
        guard let (group, listener) = running else { return nil }
        do {
            let renewal = try await group.any().submit { try listener.value.renewal(configuration) }.get()
            return Renewal { [logger] in
                // A group that is shut down by now has no listener to renew.
                guard (try? await group.any().submit { listener.value.take(renewal) }.get()) != nil else { return }
                logger.info("certificate and senders read again")
            }
        } catch {
            throw error as? IngressError
                ?? IngressError(.certificateUnusable, "cannot reload: \(error)", underlying: error)
        }
    }

    /// Closes the listener, lets requests in flight finish, and returns when every connection has ended.
    ///
    /// The wait ends after `HTTPLimits.drain` at the latest. A second call returns at once.
    package func drain() async {
        let running: (MultiThreadedEventLoopGroup, NIOLoopBound<PushListener>)? = state.withLock { state in
            guard case .running(let group, let listener) = state else { return nil }
            state = .drained
            return (group, listener)
        }
        guard let (group, listener) = running else { return }
        try? await group.any().flatSubmit { listener.value.drain() }.get()
        try? await group.shutdownGracefully()
        logger.info("drained")
    }
}
