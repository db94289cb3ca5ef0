// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import UserNotificationCenter

/// The lines of gpsd, as gpsd_json(5) has them and as nobody should send them.
struct GpsdLineTests {
    private func read(_ text: String) throws -> GpsdLine { try GpsdLine(Array(text.utf8)) }

    @Test(
        arguments: [
            (#""eph":12.5"#, nil, 12.5), (#""epx":3,"epy":4"#, nil, 5), (#""eph":7,"epx":3,"epy":4"#, nil, 7),
            (#""eph":0,"time":"2026-11-21T03:00:00.000Z""#, 1_795_230_000_000, 0),
            (#""eph":1,"time":"2026-11-21T03:00:00Z""#, 1_795_230_000_000, 1),
            (#""eph":1,"time":"2026-11-21T03:00:00.25Z""#, 1_795_230_000_250, 1),
            (#""eph":1,"time":"2026-11-21T03:00:00.123456789Z""#, 1_795_230_000_123, 1),
        ] as [(String, Int64?, Double)]
    )
    func `a fix has a time if gpsd knows one, and the error across the ground`(
        members: String,
        time: Int64?,
        accuracy: Double
    ) throws {
        let text = #"{"class":"TPV","device":"/dev/ttyS0","mode":2,"lat":40.4,"lon":-3.7,"alt":650.1,\#(members)}"#
        let place = try #require(Place(latitude: 40.4, longitude: -3.7))
        #expect(try read(text) == .report(PositionReport(.fix(PositionFix(place, accuracy: accuracy)), time: time)))
    }

    @Test(arguments: [
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0","driver":"NMEA0183"}]}"#,
        #"{"class":"WATCH","enable":true,"json":true}"#, #"{"class":"SKY","satellites":[{"PRN":1,"used":true}]}"#,
        #"{"class":"ERROR","message":"no"}"#, #"{"class":"of next year","mode":{}}"#,
        // A receiver that does not know where it is, or how well.
        #"{"class":"TPV","mode":0}"#, #"{"class":"TPV","mode":1,"lat":1,"lon":2,"eph":3}"#,
        #"{"class":"TPV","mode":3,"lat":1,"lon":2}"#, #"{"class":"TPV","mode":3,"lat":1,"lon":2,"epx":3}"#,
        #"{"class":"TPV","mode":3,"eph":1}"#,
    ])
    func `another line tells no position`(text: String) throws {
        #expect(try read(text) == .other)
    }

    @Test(
        arguments: [
            ("", .noObject), ("GET / HTTP/1.1", .noObject), ("[]", .noObject), (#"{"class":"TPV""#, .noObject),
            (#"{"class":"TPV","a":[[[[[[[[1]]]]]]]]}"#, .noObject), (#"{"class":"TPV"}{"class":"TPV"}"#, .noObject),
            ("{}", .noClass), (#"{"class":1}"#, .noClass), (#"{"class":"TPV"}"#, .badFix("mode")),
            (#"{"class":"TPV","mode":"3"}"#, .badFix("mode")), (#"{"class":"TPV","mode":3,"lat":"x"}"#, .badFix("lat")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":[]}"#, .badFix("lon")),
            (#"{"class":"TPV","mode":3,"lat":91,"lon":2,"eph":1}"#, .badFix("lat")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":1e300,"eph":1}"#, .badFix("lat")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":-1}"#, .badFix("eph")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":true}"#, .badFix("eph")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":1,"time":7}"#, .badFix("time")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":1,"time":"now"}"#, .badFix("time")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":1,"time":"2026-11-21T03:00:00.Z"}"#, .badFix("time")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":1,"time":"2026-11-21T03:00:00.1x3Z"}"#, .badFix("time")),
            (#"{"class":"TPV","mode":3,"lat":1,"lon":2,"eph":1,"time":"2026-11-21T03:00:00."}"#, .badFix("time")),
        ] as [(String, GpsdFault)]
    )
    func `what gpsd does not send is refused by name`(text: String, fault: GpsdFault) {
        #expect(throws: fault) { try read(text) }
    }

    @Test func `whatever bytes come are a line, or a fault`() throws {
        let text = #"{"class":"TPV","mode":3,"lat":40.4,"lon":-3.7,"eph":5,"time":"2026-11-21T03:00:00.123Z"}"#
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<20_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &generator)], at: index)
                }
            }
            guard case .report(let report)? = try? GpsdLine(bytes), case .fix(let fix) = report.observation else {
                continue
            }
            #expect(fix.accuracy >= 0)
            #expect(abs(fix.place.latitude) <= 90 && abs(fix.place.longitude) <= 180)
        }
    }
}
