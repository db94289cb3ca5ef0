// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload

/// Front pages of 50 stacks, over HTTP on the owner's socket.
struct FrontPages {
    static let newest = "/v1/front?limit=50"
    private static let stackCount = 50
    private static let rounds = 200
    private static let oldRounds = 20

    let setting: Setting
    let folder: String
    /// The number below which the watched owner's stacks have a hundred notifications.
    let oldEnd: Int64

    func measure(_ center: CenterProcess, cold: [Double]) throws {
        let connection = try center.connect()
        let warm = try times(Self.newest, Self.rounds, connection)
        let old = try times("\(Self.newest)&before=\(oldEnd)", Self.oldRounds, connection)
        let changed = try timesAfterArrivals(center, connection)
        let c = try Reference(setting: setting).page(folder, owner: Accounts.watched, rounds: Self.rounds)
        Table.row(
            "front page of 50 stacks of 10, warm, p99",
            Table.milliseconds(warm.p99),
            "≤ 5 ms",
            "p50 \(Table.milliseconds(warm.p50)); "
                + Table.beside("p99 of scan and contents in C", Table.milliseconds(c.p99), warm.p99 / c.p99)
        )
        Table.row(
            "the same, first after a start",
            Table.milliseconds(Times(cold).p50),
            "≤ 15 ms",
            "of \(cold.count) starts, the longest \(Table.milliseconds(cold.max() ?? 0))"
        )
        Table.row(
            "the same, after a notification each, p99",
            Table.milliseconds(changed.p99),
            "",
            "p50 \(Table.milliseconds(changed.p50)); the owner is at its bound, so that as many leave"
        )
        Table.row(
            "front page of 50 stacks of 100, warm, p50",
            Table.milliseconds(old.p50),
            "",
            Table.beside("p50 of C", Table.milliseconds(c.p50), old.p50 / c.p50)
        )
    }

    /// The times of pages each of which follows a notification that is new.
    private func timesAfterArrivals(_ center: CenterProcess, _ connection: HTTPConnection) throws -> Times {
        let app = try AppClient(center, app: Accounts.apps[0])
        let payload = Payload(try BenchRecord.payloadObject(thread: "room"))
        return Times(
            try (0..<Self.rounds).map { number in
                _ = try app.call(
                    .add(NotificationRequest(identifier: "page-\(number)", payload: payload, trigger: nil))
                )
                let watch = Stopwatch()
                _ = try connection.get(Self.newest)
                return watch.milliseconds
            }
        )
    }

    private func times(_ target: String, _ rounds: Int, _ connection: HTTPConnection) throws -> Times {
        let page = try connection.get(target)
        let object = try JSONObject(parsing: page.span, depthLimit: 32)
        let stacks = object["stacks"]?.array?.count ?? 0
        guard stacks == Self.stackCount else { throw BenchError("GET \(target) shows \(stacks) stacks") }
        return Times(
            try (0..<rounds).map { _ in
                let watch = Stopwatch()
                _ = try connection.get(target)
                return watch.milliseconds
            }
        )
    }
}
