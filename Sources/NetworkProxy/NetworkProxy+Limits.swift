// SPDX-License-Identifier: Apache-2.0

extension NetworkProxy {
    /// The limits on an extension's use of the network; the defaults are those of docs/network.md.
    package struct Limits: Sendable {
        /// Bytes of a request's head, its last empty line included.
        package var headByteCount = 8 << 10
        /// Connections at once, for each request that is open.
        package var connections = 8
        /// Connections in all, for each request.
        package var connectionsInAll = 64
        /// Bytes from the extension, for each request.
        package var upByteCount = 1 << 20
        /// Bytes to the extension, for each request.
        package var downByteCount = 64 << 20
        /// From a connection to the end of its head.
        package var head = Duration.seconds(10)
        /// From the end of a head to a connection with the host: look-up, check and every address.
        package var connect = Duration.seconds(10)
        /// The time for which one address is waited for before the next is tried beside it.
        package var stagger = Duration.milliseconds(250)
        /// The longest time for which a refused extension may keep its connection open.
        package var lingering = Duration.seconds(1)
        /// Names of one app that are looked up at once.
        package var lookUps = 1
        /// Addresses of one name that are tried.
        package var addresses = 6
        /// Refusals that are logged, for each request, and of files for each app and minute.
        package var loggedRefusals = 8

        /// Sockets at once for all extensions and files together, the listeners apart; each app has its share, and
        /// with more than 64 apps there are more, four for each.
        package var sockets = 256
        /// Sealed files of one app that are fetched at once; more wait.
        package var files = 8

        package init() {}

        /// Sockets at once, the listeners apart, where so many apps have the network.
        package func sockets(apps: Int) -> Int { max(sockets, SocketBooks.smallestShare * apps) }
    }
}
