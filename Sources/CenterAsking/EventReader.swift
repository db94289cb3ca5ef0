// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// An event of the centre's stream.
package struct ServerEvent: Sendable, Equatable {
    /// The owner's number, from which a stream goes on; an event that is told once has none.
    package let id: String?
    package let name: String
    package let data: JSONObject
}

/// Reads server-sent events from the pieces in which they come.
///
/// Source: HTML Standard, "Server-sent events", as far as a centre writes them: one line of data an event.
struct EventReader {
    /// An event is a notification, whose payload has a bound.
    private static let lineLimit = 1 << 20

    private var line: [UInt8] = []
    private var id: String?
    private var name = "message"
    private var data = ""

    /// Returns the events that are complete with these bytes.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ServerEvent] {
        var events: [ServerEvent] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                guard line.count < Self.lineLimit else { throw Failure("the centre sent a line without an end") }
                line.append(byte)
                continue
            }
            if let event = try endLine() { events.append(event) }
        }
        return events
    }

    /// Returns the event that the line ends, if it is the empty line behind one.
    private mutating func endLine() throws(Failure) -> ServerEvent? {
        let text = String(decoding: line, as: UTF8.self)
        line = []
        if text.hasPrefix("id: ") { id = String(text.dropFirst("id: ".count)) }
        if text.hasPrefix("event: ") { name = String(text.dropFirst("event: ".count)) }
        if text.hasPrefix("data: ") { data = String(text.dropFirst("data: ".count)) }
        guard text.isEmpty, !data.isEmpty else { return nil }
        defer { (id, name, data) = (nil, "message", "") }
        guard let object = try? JSONObject(parsing: Array(data.utf8).span, depthLimit: 64) else {
            throw Failure("the centre sent an event that is no JSON object")
        }
        return ServerEvent(id: id, name: name, data: object)
    }
}
