// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// An address of APNs that gateways have built in: the environment behind it.
///
/// Source: Apple, "Establishing a connection to Apple Push Notification service (APNs)"; the name
/// `api.development.push.apple.com` is the one of aioapns.
package struct PushServerName: Sendable, Equatable {
    package let environment: PushEnvironment

    /// The names of the servers, each with its environment.
    package static let all: KeyValuePairs<String, PushEnvironment> = [
        "api.push.apple.com": .production,
        "api.sandbox.push.apple.com": .development,
        "api.development.push.apple.com": .development,
    ]
    /// APNs listens on both.
    package static let ports: Set<UInt16> = [443, 2197]

    /// Returns nil for any other name or port.
    package init?(_ place: NetworkPlace, port: UInt16) {
        guard case .name(let name) = place, Self.ports.contains(port),
            let found = Self.all.first(where: { $0.key == name })
        else { return nil }
        environment = found.value
    }
}
