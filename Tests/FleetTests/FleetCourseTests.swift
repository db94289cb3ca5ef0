// SPDX-License-Identifier: Apache-2.0

import Fleet
import Foundation
import Sampling
import Testing

@Suite("A fleet through accidents")
struct FleetCourseTests {
    /// `FLEET_COURSE` is the seed of a course to run again; a failure names its own.
    @Test("no partition is two sessions' in one epoch, and twenty seconds of rest give each a holder that lives")
    func accidents() {
        let count = Sample.count(300_000, atMost: 8_000, "accidents of a fleet")
        let seed = ProcessInfo.processInfo.environment["FLEET_COURSE"].flatMap { UInt64($0) } ?? .random(in: 1 ... .max)
        var fleet = SimulatedFleet(hosts: 4, parts: 16, seed: seed)
        var events = 0
        while events < count {
            for _ in 0..<2_000 { fleet.step() }
            events += 2_000
            // A database that came up lately waits ten seconds before it calls anybody dead.
            fleet.rest(.seconds(20))
            // One that moves in peace is nobody's for up to a second, between two beats.
            var missing = fleet.parts.filter { !fleet.isHeld($0) }
            if !missing.isEmpty { fleet.rest(.seconds(2)) }
            missing.removeAll { fleet.isHeld($0) }
            #expect(missing == [], "at \(fleet.now), seed \(seed)")
            fleet.sweep()
            guard fleet.faults.isEmpty else { break }
        }
        #expect(fleet.faults == [], "seed \(seed)")
        // Something happened at all.
        #expect(fleet.takes > events / 100)
        #expect(fleet.ends > events / 1000)
    }

    @Test("in peace each partition comes to the host that is the first for it, and stays there")
    func peace() {
        var fleet = SimulatedFleet(hosts: 3, parts: 32, seed: 7)
        fleet.rest(.seconds(120))
        for part in fleet.parts {
            let first = fleet.hosts.map(\.name).max {
                part.score(host: $0, weight: 1) < part.score(host: $1, weight: 1)
            }
            let holder = fleet.table[part]?.holder.flatMap { fleet.sessions[$0] }
            #expect(holder.map { fleet.hosts[$0.host].name } == first)
        }
        let takes = fleet.takes
        fleet.rest(.seconds(600))
        #expect(fleet.takes == takes)
        #expect(fleet.faults == [])
    }
}
