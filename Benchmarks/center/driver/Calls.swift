// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload

/// Calls of an app over its socket, one after the other.
struct Calls {
    private static let addCount = 200
    private static let readCount = 600

    let setting: Setting
    /// Times of a bare commit.
    let commit: Reference.Records

    func measure(_ center: CenterProcess) throws {
        // The host tells that an app may have any number of requests.
        let link = try HostLink(center)
        defer { link.close() }
        let app = try AppClient(center, app: Accounts.apps[0])
        let payload = Payload(try BenchRecord.payloadObject(thread: "room"))
        let adds = Times(
            try (0..<Self.addCount).map { number in
                let trigger = RequestTrigger.interval(seconds: 3600, repeats: false)
                let request = NotificationRequest(identifier: "add-\(number)", payload: payload, trigger: trigger)
                return try app.call(.add(request)) / 1e3
            }
        )
        try center.settle()
        let reads = Times(try (0..<Self.readCount).map { _ in try app.call(.settings) })
        let roundTrip = try Reference(setting: setting).roundTrip(rounds: Self.readCount)
        Table.row(
            "add over the app socket, durable, p99",
            Table.milliseconds(adds.p99),
            "≤ 10 ms",
            "p50 \(Table.milliseconds(adds.p50)); "
                + Table.beside("p50 of one commit in C", Table.milliseconds(commit.p50), adds.p50 / commit.p50)
        )
        Table.row(
            "read call over the app socket, p99",
            Table.microseconds(reads.p99),
            "≤ 200 µs",
            "p50 \(Table.microseconds(reads.p50)); "
                + Table.beside("p50 of a round trip in C", Table.microseconds(roundTrip.p50), reads.p50 / roundTrip.p50)
        )
    }
}
