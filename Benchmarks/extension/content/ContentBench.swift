// SPDX-License-Identifier: Apache-2.0

@_spi(Benchmarking) import ExtensionWorker
import Foundation
import UserNotifications

/// The CPU time of a payload's way to a content and back, beside Foundation reading and writing the same bytes.
///
/// Prints rows of a table, four fields each with "|" between: what, figure, goal, remark. Times are CPU time, medians
/// of interleaved rounds.
@main
enum ContentBench {
    static let roundCount = 201
    /// The number of notifications in a round, each with a packet of its own, whose ids ascend.
    static let batchCount = 32

    static func main() {
        let payload = Array(text.utf8)
        precondition(payload.count == 2048)
        guard var worker = RequestRoundTrip() else { fail() }
        var changed: [Double] = []
        var asked: [Double] = []
        var foundation: [Double] = []
        var id: UInt64 = 0
        for _ in 0..<roundCount {
            changed.append(time(&worker, &id, payload) { $0.title = "Alice, decrypted" })
            asked.append(
                time(&worker, &id, payload) { content in
                    let message = content.userInfo["message"] as? [String: Any]
                    content.title = message?["sender"] as? String ?? ""
                    content.userInfo["seen"] = true
                }
            )
            let data = Data(payload)
            let start = now()
            for _ in 0..<batchCount { readAndWrite(data) }
            foundation.append((now() - start) / Double(batchCount))
        }
        let reference = median(foundation)
        print(
            "content of a notification|||2 KB, packet in, packet out, by what a worker runs; CPU time, of \(roundCount) rounds"
        )
        row("payload to content, a title, and back", median(changed), reference, goal: "≤ 40 µs")
        row("the same, userInfo read and changed", median(asked), reference, goal: "")
    }

    private static func row(_ what: String, _ time: Double, _ reference: Double, goal: String) {
        let ratio = String(format: "%.2f", time / reference)
        let figures = [time, reference].map { String(format: "%.1f µs", $0) }
        print("  \(what)|\(figures[0])|\(goal)|JSONSerialization, read and written: \(figures[1]) (\(ratio) ×)")
    }

    private static func time(
        _ worker: inout RequestRoundTrip,
        _ id: inout UInt64,
        _ payload: [UInt8],
        extend: (UNMutableNotificationContent) -> Void
    ) -> Double {
        let packets = (1...batchCount).map { RequestRoundTrip.packet(id: id + UInt64($0), payload: payload) ?? [] }
        id += UInt64(batchCount)
        let start = now()
        for packet in packets {
            guard worker.answer(to: packet, extend: extend) != nil else { fail() }
        }
        return (now() - start) / Double(batchCount)
    }

    private static func readAndWrite(_ data: Data) {
        guard var payload = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else { fail() }
        payload["title"] = "Alice, decrypted"
        guard (try? JSONSerialization.data(withJSONObject: payload)) != nil else { fail() }
    }

    /// Microseconds of this thread's CPU time.
    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

    private static func fail() -> Never {
        FileHandle.standardError.write(Data("content-bench: error: a packet was not understood\n".utf8))
        exit(1)
    }

    /// A payload such as a chat's server sends: what the system shows, what the app needs, and an encrypted preview.
    private static let text: String = {
        let head = #"""
            {"aps":{"alert":{"title":"Alice","subtitle":"Lunch club","body":"Shall we meet at noon? 🥗 \"Zum Löwen\"\nor the
             usual place"},"badge":3,"sound":"default","mutable-content":1,"thread-id":"room-4711","category":"MESSAGE",
            "interruption-level":"time-sensitive","relevance-score":0.75},"message":{"id":
            "5e1c1f6e-0e4d-4f5b-9b7e-0d7d2e8b9c11","sender":"Alice Example","sent":1714979289123,"edited":false,"reply":null,
            "room":{"id":4711,"name":"Lunch club","members":[17,23,42,108,4711],"muted":false},"mentions":["@bob","@carol"],
            "place":{"latitude":52.516275,"longitude":13.377704},"attachments":[{"url":
            "https:\/\/media.example.com\/v1\/5e1c1f6e\/photo.jpg","type":"image/jpeg","width":4032,"height":3024,"size":2481152}
            ,{"url":"https:\/\/media.example.com\/v1\/5e1c1f6e\/voice.m4a","type":"audio/mp4","seconds":12.5,"size":98304}]},
            "environment":"production","account":"bob@example.com","expires":1714982889,"version":2,"preview":"
            """#.replacingOccurrences(of: "\n", with: "")
        return head + String(repeating: "q83vASNFZ4mrze8BI0VniavN", count: 100).prefix(2046 - head.utf8.count) + "\"}"
    }()
}
