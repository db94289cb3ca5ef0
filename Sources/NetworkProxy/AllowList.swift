// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime

/// The hosts that an app's bundle lists; they decide which addresses may be connected to for the app.
struct AllowList: Sendable {
    let hosts: [NetworkHost]

    func admits(_ target: NetworkTarget) -> Bool {
        hosts.contains { $0.admits(target) }
    }

    /// The class that keeps an address from being connected to for a target; nil: it may be.
    ///
    /// A name may point anywhere, and whoever serves it decides where. So an address that is not global is used only
    /// if the bundle lists that very address, for the same scheme and port; so is one of this machine.
    func refusal(of address: IPAddress, for target: NetworkTarget, isOwn: Bool) -> AddressClass? {
        let place = AddressClass(address)
        let kind = place == .global && isOwn ? .own : place
        guard kind != .global else { return nil }
        return admits(NetworkTarget(scheme: target.scheme, place: .address(address), port: target.port)) ? nil : kind
    }
}
