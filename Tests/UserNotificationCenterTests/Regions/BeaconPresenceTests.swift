// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing

@testable import UserNotificationCenter

/// The nearness of a beacon by its sightings, and which beacons a region is around.
struct BeaconPresenceTests {
    /// A step: `s` sighted, `m` not heard in a report, `?` asked; with its second.
    @Test(
        arguments: [
            ([("?", 0)], nil), ([("?", 1_000_000)], nil),
            ([("s", 0)], .inside), ([("s", 0), ("?", 29)], .inside), ([("s", 0), ("?", 30)], .outside),
            ([("s", 0), ("s", 20), ("?", 49)], .inside), ([("s", 0), ("s", 20), ("?", 50)], .outside),
            // Reports without it change nothing before its time.
            ([("s", 0), ("m", 10), ("m", 29)], .inside), ([("s", 0), ("m", 10), ("m", 30)], .outside),
            // It was never heard: its absence is counted from the first report without it.
            ([("m", 0)], nil), ([("m", 0), ("m", 29)], nil), ([("m", 0), ("m", 10), ("?", 30)], .outside),
            ([("m", 0), ("s", 40)], .inside), ([("m", 0), ("s", 40), ("?", 69)], .inside),
            ([("m", 0), ("s", 40), ("?", 70)], .outside),
            // A sighting that comes late is not the last one.
            ([("s", 20), ("s", 5), ("?", 45)], .inside),
        ] as [([(String, Int64)], RegionSide?)]
    )
    func `an owner is near as long as the beacon is heard each half minute`(
        steps: [(String, Int64)],
        side: RegionSide?
    ) {
        var presence = BeaconPresence()
        for (step, second) in steps {
            if step == "s" { presence.see(at: second * 1000) }
            if step == "m" { presence.miss(at: second * 1000) }
        }
        #expect(presence.side(at: (steps.last?.1 ?? 0) * 1000) == side)
    }

    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    @Test(
        arguments: [
            (nil, nil, 1, 2, true), (1, nil, 1, 2, true), (1, 2, 1, 2, true), (2, nil, 1, 2, false),
            (1, 3, 1, 2, false),
            (0, 0, 0, 0, true), (nil, nil, 65_535, 65_535, true),
        ] as [(UInt16?, UInt16?, UInt16, UInt16, Bool)]
    )
    func `a number that is left out stands for all`(
        major: UInt16?,
        minor: UInt16?,
        heardMajor: UInt16,
        heardMinor: UInt16,
        isCovered: Bool
    ) {
        let beacon = RequestTrigger.Beacon(uuid: Self.uuid, major: major, minor: minor)
        #expect(beacon.covers(BeaconSighting(uuid: Self.uuid, major: heardMajor, minor: heardMinor)) == isCovered)
        let other = "00000000-DFFB-48D2-B060-D0F5A71096E0"
        #expect(!beacon.covers(BeaconSighting(uuid: other, major: heardMajor, minor: heardMinor)))
    }
}
