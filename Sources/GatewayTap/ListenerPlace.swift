// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// The address of a listener of a host: a name or an IP address, and a port.
package struct ListenerPlace: Sendable, Equatable, CustomStringConvertible {
    package let place: NetworkPlace
    package let port: UInt16

    /// Returns nil for text that is not `HOST:PORT`; an address of version 6 stands in brackets.
    package init?(_ text: some StringProtocol) {
        guard let (host, port) = try? NetworkHost.split(Substring(text)), let port, let place = NetworkPlace(host)
        else { return nil }
        self.place = place
        self.port = port
    }

    package var description: String { "\(place):\(port)" }

    /// The name or the address as a resolver takes it.
    var host: String {
        switch place {
        case .name(let name): name
        case .address(let address): "\(address)"
        }
    }
}
