// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// Reads server-sent events from the pieces in which they come.
///
/// Source: HTML Standard, "Server-sent events", as far as a centre writes them: one line of data an event.
struct EventReader {
    /// An event is a notification, whose payload has a bound.
    private static let lineLimit = 1 << 20

    private var line: [UInt8] = []
    private var name = "message"
    private var data = ""

    /// Returns the events that are complete with these bytes.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(Failure) -> [(name: String, data: JSONObject)] {
        var events: [(name: String, data: JSONObject)] = []
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
    private mutating func endLine() throws(Failure) -> (name: String, data: JSONObject)? {
        let text = String(decoding: line, as: UTF8.self)
        line = []
        if text.hasPrefix("event: ") { name = String(text.dropFirst("event: ".count)) }
        if text.hasPrefix("data: ") { data = String(text.dropFirst("data: ".count)) }
        guard text.isEmpty, !data.isEmpty else { return nil }
        defer { (name, data) = ("message", "") }
        guard let object = try? JSONObject(parsing: Array(data.utf8).span, depthLimit: 64) else {
            throw Failure("the centre sent an event that is no JSON object")
        }
        return (name, object)
    }
}
