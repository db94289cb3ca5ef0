// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload

/// A delivery record as a host's outbox has it, for one owner.
struct BenchRecord {
    let owner: String
    /// JSON.
    let text: [UInt8]

    /// The bytes of a payload; what is stored has some hundred more.
    static let payloadByteCount = 1000
    static let contentByteCount = payloadByteCount + 90

    /// Makes the record of a number, which also chooses its app and thread.
    init(_ number: Int, owner: String) {
        self.owner = owner
        let topic = Accounts.apps[number % Accounts.apps.count]
        let date = Moment(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)).text
        text = Array(
            #"""
            {"id":"push-\#(number)","topic":"\#(topic)","identifier":"push-\#(number)","date":"\#(date)",\#
            "outcome":"modified","reason":null,"late":false,"payload":\#(Self.payload(thread: "room-\(number / 100)"))}
            """#.utf8
        )
    }

    /// Makes records for all owners in turn.
    static func forAll(_ numbers: Range<Int>) -> [BenchRecord] {
        numbers.map { BenchRecord($0, owner: Accounts.owners[$0 / Accounts.apps.count % Accounts.owners.count]) }
    }

    /// A payload such as a chat's server sends, as text.
    static func payload(thread: String) -> String {
        let head = #"""
            {"aps":{"alert":{"title":"Alice","subtitle":"Lunch club","body":"Shall we meet at noon, or the usual place?"},\#
            "thread-id":"\#(thread)","sound":"default","interruption-level":"active"},"message":{"sender":"Alice Example",\#
            "sent":1714979289123,"edited":false,"reply":null,"mentions":["@bob","@carol"]},"preview":"
            """#
        return head
            + String(repeating: "q83vASNFZ4mrze8BI0VniavN", count: 50).prefix(payloadByteCount - 2 - head.utf8.count)
            + "\"}"
    }

    /// The same as a value.
    static func payloadObject(thread: String) throws -> JSONObject {
        try JSONObject(parsing: Array(payload(thread: thread).utf8).span, depthLimit: 16)
    }
}
