// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// Something that a session has too much of, and takes no more of until some has ended.
///
/// The session says so with each beat. Every host that accepts asks once a second, and refuses such pushes for the
/// partitions of that session: so a flood passes the bound by what comes in two seconds.
package enum Pressure: Sendable, Hashable {
    /// Pushes of every topic.
    case everything
    case topic(String)
    /// Pushes whose records go to this remote sink.
    case sink(String)

    /// Entries that a session may say; one that has more says `everything`.
    package static let limit = 64

    /// The word for it in the database.
    package var text: String {
        switch self {
        case .everything: ""
        case .topic(let name): "t" + name
        case .sink(let name): "s" + name
        }
    }

    package init?(text: String) {
        switch text.first {
        case nil: self = .everything
        case "t": self = .topic(String(text.dropFirst()))
        case "s": self = .sink(String(text.dropFirst()))
        default: return nil
        }
    }
}

/// The rule of a host that accepts: pushes that the holders of their partitions take no more of are refused.
package struct FleetDoor: Sendable {
    private var pressure: [Partition: Set<Pressure>] = [:]

    package init(_ rows: [(part: Partition, pressure: Pressure)] = []) {
        for row in rows { pressure[row.part, default: []].insert(row.pressure) }
    }

    /// True unless the holder of the device's partition takes no more of such pushes; `sinks` are those of the topic.
    package func hasRoom(for push: IncomingPush, sinks: (String) -> [String]) -> Bool {
        // Mostly nobody has too much, and no token is hashed for it.
        guard !pressure.isEmpty, let pressure = pressure[Partition(token: push.deviceToken)] else { return true }
        return pressure.isDisjoint(with: [.everything, .topic(push.topic)] + sinks(push.topic).map(Pressure.sink))
    }
}
