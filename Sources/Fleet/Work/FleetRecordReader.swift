// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// Opens records of a fleet for a person who has its keys.
package struct FleetRecordReader: Sendable {
    private let seal: FleetSeal

    package init(_ keys: FleetKeys) { seal = FleetSeal(keys) }

    /// The record as one line of JSON; nil: it was sealed with another key.
    package func record(of dead: DeadRecord) -> [UInt8]? {
        seal.open(dead.record, of: DeliveryName(dead.name, at: dead.place.number), for: dead.sink)
    }
}

/// Seals records of a host that served alone with a fleet's key.
package final class FleetRecordSealer {
    private var seal: FleetSeal

    package init(_ keys: FleetKeys) { seal = FleetSeal(keys) }

    package func seal(_ record: [UInt8], of push: DeliveryName, for sink: String) -> [UInt8] {
        seal.seal(record, of: push, for: sink)
    }
}
