// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

/// Something that a session has too much of, and takes no more of until some has ended.
///
/// The session says so with each beat. Every host that accepts asks once a second, and refuses such pushes for the
/// partitions of that session: so a flood passes the bound by what comes in some seconds.
package enum Pressure: Sendable, Hashable {
    /// Pushes of every topic.
    case everything
    case topic(String)
    /// Pushes whose records go to this remote sink.
    case sink(String)

    /// Words that a session may say, and their bytes; one that has more to say says `everything`.
    package static let limit = 64
    private static let byteLimit = 16_384

    /// Everything that is to be said of so much, within the limits.
    package static func said(_ all: Set<Pressure>) -> Set<Pressure> {
        let byteCount = all.reduce(0) { $0 + $1.text.utf8.count }
        return all.contains(.everything) || all.count > limit || byteCount > byteLimit ? [.everything] : all
    }

    /// The word for it in the database.
    package var text: String {
        switch self {
        case .everything: ""
        case .topic(let name): "t" + name
        case .sink(let name): "s" + name
        }
    }

    /// Reads a word; nil if this program does not know it.
    package init?(text: String) {
        // A name may begin with a character that would join the letter before it.
        let name = String(decoding: text.utf8.dropFirst(), as: UTF8.self)
        switch text.utf8.first {
        case nil: self = .everything
        case UInt8(ascii: "t"): self = .topic(name)
        case UInt8(ascii: "s"): self = .sink(name)
        default: return nil
        }
    }
}

/// The rule of a host that accepts: pushes that the holders of their partitions take no more of are refused.
package struct FleetDoor: Sendable {
    /// A row of what the database says: a word of a session, or a partition that it holds.
    package struct Row: Sendable {
        package let session: Int64
        package let part: Partition?
        /// The word, or nil for one that this program does not know: it counts for nothing.
        package let pressure: Pressure?
    }

    private var holders: [Partition: Int64] = [:]
    private var pressure: [Int64: Set<Pressure>] = [:]

    package init(_ rows: [Row] = []) {
        for row in rows {
            if let part = row.part { holders[part] = row.session }
            if let word = row.pressure { pressure[row.session, default: []].insert(word) }
        }
    }

    /// Everything that the holder of a partition takes no more of.
    package func pressure(on part: Partition) -> Set<Pressure> { holders[part].flatMap { pressure[$0] } ?? [] }

    /// True unless the holder of the device's partition takes no more of such pushes; `sinks` are those of the topic.
    package func hasRoom(for push: IncomingPush, sinks: (String) -> [String]) -> Bool {
        // Mostly nobody has too much, and no token is hashed for it.
        guard !pressure.isEmpty else { return true }
        return pressure(on: Partition(token: push.deviceToken))
            .isDisjoint(with: [.everything, .topic(push.topic)] + sinks(push.topic).map(Pressure.sink))
    }
}
