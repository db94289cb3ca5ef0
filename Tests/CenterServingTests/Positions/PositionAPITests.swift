// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NIOHTTP1
import NotificationPayload
import Testing
import UserNotificationCenter

@testable import CenterServing

/// Positions over HTTP, for a request that was added over HTTP.
@Suite(.timeLimit(.minutes(2)))
struct PositionAPITests {
    private let bench: Bench

    init() async throws {
        bench = try await Bench.with()
    }

    private func put(_ body: String) async throws -> (status: UInt, body: JSONObject) {
        bench.time.advance(by: 1000)
        return try await bench.ask(.PUT, "/v1/position", body)
    }

    private func call(_ body: String) async throws -> (status: UInt, body: JSONObject) {
        try await bench.ask(.POST, "/v1/app/\(Bench.topic)/calls", body)
    }

    @Test func `a request waits for its place, and is there when the answer comes`() async throws {
        let trigger = #"""
            {"type":"region","circle":{"latitude":40.4,"longitude":-3.7,"radius":100},"identifier":"home",
             "onEntry":true,"onExit":false,"repeats":false}
            """#
        let request = #"{"identifier":"milk","payload":{"aps":{"alert":"Milk"}},"trigger":\#(trigger)}"#
        #expect(try await call(#"{"call":"add","request":\#(request)}"#).status == 200)
        let pending = try await call(#"{"call":"pending"}"#).body["requests"]?.array?.first?.object
        #expect(pending?["trigger"]?.object == (try JSONObject(parsing: Array(trigger.utf8).span)))
        #expect(pending?["next"] == nil)
        for latitude in ["41", "41", "40.4"] {
            #expect(try await put(#"{"latitude":\#(latitude),"longitude":-3.7,"accuracy":5}"#).status == 204)
            #expect(try bench.list().isEmpty)
        }
        #expect(try await put(#"{"latitude":40.4,"longitude":-3.7,"accuracy":5}"#).status == 204)
        #expect(try bench.list().map { $0.content?.identifier } == ["milk"])
    }

    @Test func `beacons come over HTTP as well`() async throws {
        let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
        let trigger = """
            {"type":"beacon","uuid":"\(uuid)","identifier":"shelf","onEntry":true,"onExit":true,"repeats":false}
            """
        let request = #"{"identifier":"milk","payload":{"aps":{"alert":"Milk"}},"trigger":\#(trigger)}"#
        #expect(try await call(#"{"call":"add","request":\#(request)}"#).status == 200)
        #expect(try await put(#"{"beacons":[]}"#).status == 204)
        bench.time.advance(by: 30_000)
        #expect(try await put(#"{"beacons":[]}"#).status == 204)
        #expect(try bench.list().isEmpty)
        #expect(try await put(#"{"beacons":[{"uuid":"\#(uuid)","major":1,"minor":2}]}"#).status == 204)
        #expect(try bench.list().map { $0.content?.identifier } == ["milk"])
    }

    @Test(arguments: [
        ("{}", #""latitude" is missing"#),
        (#"{"latitude":91,"longitude":1,"accuracy":1}"#, #""latitude" is out of its range"#),
        (#"{"latitude":1,"longitude":1,"accuracy":"1"}"#, #""accuracy" is of another kind"#),
        (
            #"{"latitude":1,"longitude":1,"accuracy":1,"time":"now"}"#,
            #""time" is no date: write it as 2026-11-21T03:00:00.000Z"#
        ),
        (
            #"{"latitude":1,"longitude":1,"accuracy":1,"beacons":[]}"#,
            #"a report has a place or "beacons", and not both"#
        ),
        (#"{"beacons":[{"uuid":"x"}]}"#, #""uuid" is no UUID"#),
    ])
    func `what is no position is answered with the reason`(body: String, message: String) async throws {
        let answer = try await put(body)
        #expect(answer.status == 400)
        #expect(answer.body["reason"]?.string == "badParameter")
        #expect(answer.body["message"]?.string == message)
    }

    @Test func `a position is told, and never asked for`() async throws {
        for method in ["GET", "POST", "DELETE"] {
            let answer = try await bench.ask(.init(rawValue: method), "/v1/position")
            #expect(answer.status == 405)
        }
    }

    @Test func `a disk that takes nothing is answered so`() async throws {
        try await bench.center.close()
        let answer = try await put(#"{"latitude":40.4,"longitude":-3.7,"accuracy":5}"#)
        #expect(answer.status == 503)
        #expect(answer.body["reason"]?.string == "disk")
    }
}
