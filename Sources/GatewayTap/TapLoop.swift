// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import Logging
internal import NIOCore

/// A listener of a host, with the address that its name led to at the start.
struct TapListener: Sendable {
    let place: ListenerPlace
    let address: SocketAddress

    /// Looks the name up, which may block.
    init(_ place: ListenerPlace) throws(TapError) {
        guard let address = try? SocketAddress.makeAddressResolvingHost(place.host, port: Int(place.port)) else {
            throw TapError(unknown: place)
        }
        self.place = place
        self.address = address
    }
}

/// The state that the connections of a tap share, all on one event loop: where they may lead, how many there are, and
/// what is logged.
final class TapLoop {
    /// Connects to a listener; the initializer is called before anything is read from it.
    typealias Dialer = (SocketAddress, @escaping (any Channel) throws -> Void) -> EventLoopFuture<any Channel>

    let limits: GatewayTap.Limits
    private let listeners: [PushEnvironment: TapListener]
    private let dialer: Dialer
    private let logger: Logger
    private let now: () -> NIODeadline
    private var channels: [ObjectIdentifier: any Channel] = [:]
    /// Dials whose gateways have gone; each keeps its place until it ends.
    private var forsakenDials = 0
    /// The instant of the next line about refusals of a kind, and the number of those since the last one.
    private var lines: [Int: (next: NIODeadline, unlogged: Int)] = [:]

    init(
        listeners: [PushEnvironment: TapListener],
        limits: GatewayTap.Limits,
        logger: Logger,
        now: @escaping () -> NIODeadline,
        dialer: @escaping Dialer
    ) {
        self.listeners = listeners
        self.limits = limits
        self.logger = logger
        self.now = now
        self.dialer = dialer
    }

    /// Counts a connection of a gateway until it closes; false for one too many, which is to be refused.
    func admit(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let taken = channels.count + forsakenDials
        let hasRoom = taken < limits.connections
        // Those that are refused get a few seconds for their answer, and are bounded as well.
        guard taken < limits.connections + limits.refusals else {
            channel.close(promise: nil)
            return false
        }
        channels[id] = channel
        channel.closeFuture.assumeIsolated().whenComplete { [weak self] _ in self?.channels[id] = nil }
        return hasRoom
    }

    func dial(
        _ name: PushServerName,
        initializer: @escaping (any Channel) throws -> Void
    ) -> Result<(ListenerPlace, EventLoopFuture<any Channel>), TapRefusal> {
        guard let listener = listeners[name.environment] else { return .failure(.noListener(name.environment)) }
        return .success((listener.place, dialer(listener.address, initializer)))
    }

    /// The gateway has gone while its listener is dialed.
    func forsakeDial() { forsakenDials += 1 }

    func forsakenDialEnded() { forsakenDials -= 1 }

    /// Logs a refusal: at most one of its kind a second, with the number of those in between.
    func log(_ refusal: TapRefusal) {
        let kind = refusal.kind
        guard now() >= lines[kind]?.next ?? .distantPast else {
            lines[kind]?.unlogged += 1
            return
        }
        var metadata: Logger.Metadata = ["tap.reason": "\(refusal.message)"]
        if let unlogged = lines[kind]?.unlogged, unlogged > 0 { metadata["tap.others"] = "\(unlogged)" }
        lines[kind] = (now() + .seconds(1), 0)
        logger.warning("tunnel refused", metadata: metadata)
    }

    func log(_ name: PushServerName, to place: ListenerPlace) {
        logger.debug("tunnel opened", metadata: ["tap.environment": "\(name.environment)", "tap.listener": "\(place)"])
    }

    func closeAll() {
        for channel in channels.values { channel.close(promise: nil) }
    }
}
