// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// Reports of a position: their age, and their JSON.
struct PositionReportTests {
    private static let now: Int64 = 1_795_230_000_000
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    private func fix(accuracy: Double) throws -> PositionFix {
        PositionFix(try #require(Place(latitude: 1, longitude: 2)), accuracy: accuracy)
    }

    @Test(
        arguments: [
            (nil, 0), (0, 0), (-1, 1), (-60_000, 60_000), (-60_001, nil), (60_000, 0), (60_001, nil),
            (.min, nil), (.max, nil),
        ] as [(Int64?, Int64?)]
    )
    func `a report is good for a minute`(offset: Int64?, age: Int64?) throws {
        let time = offset.map { $0 == .min || $0 == .max ? $0 : Self.now + $0 }
        #expect(PositionReport(.beacons([]), time: time).age(at: Self.now) == age)
    }

    @Test(arguments: [(0, true), (1000, true), (1000.1, false), (.infinity, false), (.nan, false)] as [(Double, Bool)])
    func `a fix that is worse than a kilometre is not looked at`(accuracy: Double, isFineEnough: Bool) throws {
        #expect(try fix(accuracy: accuracy).isFineEnough == isFineEnough)
    }

    private func read(_ text: String) throws -> PositionReport {
        try PositionReport(try JSONObject(parsing: Array(text.utf8).span))
    }

    @Test func `a place is read, with and without its time`() throws {
        let text = #"{"latitude":1,"longitude":2,"accuracy":12.5,"speed":3}"#
        #expect(try read(text) == PositionReport(.fix(try fix(accuracy: 12.5))))
        let timed = #"{"latitude":1,"longitude":2,"accuracy":0,"time":"2026-11-21T03:00:00.000Z"}"#
        #expect(try read(timed) == PositionReport(.fix(try fix(accuracy: 0)), time: Self.now))
    }

    @Test func `beacons are read, also none of them, and their letters are made upper case`() throws {
        let text = #"{"beacons":[{"uuid":"\#(Self.uuid.lowercased())","major":1,"minor":65535,"proximity":"near"}]}"#
        let sighting = BeaconSighting(uuid: Self.uuid, major: 1, minor: 65_535)
        #expect(try read(text) == PositionReport(.beacons([sighting])))
        #expect(try read(#"{"beacons":[]}"#) == PositionReport(.beacons([])))
    }

    @Test(
        arguments: [
            ("{}", .missing("latitude")), (#"{"latitude":1,"accuracy":5}"#, .missing("longitude")),
            (#"{"latitude":1,"longitude":2}"#, .missing("accuracy")),
            (#"{"latitude":"1","longitude":2,"accuracy":5}"#, .wrongKind("latitude")),
            (#"{"latitude":1,"longitude":null,"accuracy":5}"#, .wrongKind("longitude")),
            (#"{"latitude":90.1,"longitude":2,"accuracy":5}"#, .outOfRange("latitude")),
            (#"{"latitude":1,"longitude":-180.1,"accuracy":5}"#, .outOfRange("longitude")),
            (#"{"latitude":1,"longitude":2,"accuracy":-1}"#, .outOfRange("accuracy")),
            (#"{"latitude":1,"longitude":2,"accuracy":5,"time":7}"#, .wrongKind("time")),
            (#"{"latitude":1,"longitude":2,"accuracy":5,"time":"noon"}"#, .malformed("time")),
            (#"{"latitude":1,"beacons":[]}"#, .both), (#"{"accuracy":1,"beacons":[]}"#, .both),
            (#"{"beacons":{}}"#, .wrongKind("beacons")), (#"{"beacons":[1]}"#, .wrongKind("beacons")),
            (#"{"beacons":[{}]}"#, .missing("uuid")), (#"{"beacons":[{"uuid":1}]}"#, .wrongKind("uuid")),
            (#"{"beacons":[{"uuid":"E2C56DB5"}]}"#, .malformed("uuid")),
            (#"{"beacons":[{"uuid":"\#(uuid)"}]}"#, .missing("major")),
            (#"{"beacons":[{"uuid":"\#(uuid)","major":1}]}"#, .missing("minor")),
            (#"{"beacons":[{"uuid":"\#(uuid)","major":1.5,"minor":1}]}"#, .wrongKind("major")),
            (#"{"beacons":[{"uuid":"\#(uuid)","major":1,"minor":65536}]}"#, .outOfRange("minor")),
        ] as [(String, PositionFault)]
    )
    func `what is no report is refused by name`(text: String, fault: PositionFault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test func `a report has 64 beacons at most`() throws {
        let beacon = #"{"uuid":"\#(Self.uuid)","major":1,"minor":1}"#
        let list = { (count: Int) in
            #"{"beacons":[\#([String](repeating: beacon, count: count).joined(separator: ","))]}"#
        }
        #expect(throws: PositionFault.tooMany("beacons", count: 65)) { try read(list(65)) }
        guard case .beacons(let sightings) = try read(list(64)).observation else {
            Issue.record("no beacons")
            return
        }
        #expect(sightings.count == 64)
    }
}
