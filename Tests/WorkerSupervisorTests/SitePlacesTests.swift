// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Testing

@testable import WorkerSupervisor

/// The places of apps' owners, without a process and a folder.
struct SitePlacesTests {
    private static let mebibyte: UInt64 = 1 << 20

    private static func places(
        _ apps: [(topic: String, first: String)] = [("a", "me"), ("b", "ana")],
        processes: Int = 512,
        memory: UInt64 = .max
    ) -> SitePlaces {
        SitePlaces(
            apps.map { SitePlaces.App(topic: $0.topic, firstOwner: $0.first, memoryByteCount: 10 * mebibyte) },
            bounds: .init(Roster.Bounds(processes: processes, memoryByteCount: memory))
        )
    }

    @Test func `the first places are the apps' in their order, and a further owner gets one for good`() {
        var places = Self.places()
        #expect(places.place(of: "a", for: "me") == 0)
        #expect(places.place(of: "b", for: "ana") == 1)
        #expect(places.place(of: "b", for: "me") == nil)
        #expect(places.add("b", for: "me") == 2)
        #expect(places.add("a", for: "ana") == 3)
        #expect(places.place(of: "b", for: "me") == 2)
        #expect(places.place(of: "a", for: "ana") == 3)
        #expect(places.places[2] == SitePlaces.Place(app: 1, owner: "me", isFirst: false))
        #expect(places.places[1] == SitePlaces.Place(app: 1, owner: "ana", isFirst: true))
        // No place is given twice, and no app has one that is not there.
        #expect(places.add("b", for: "me") == nil)
        #expect(places.add("b", for: "ana") == nil)
        #expect(places.add("c", for: "me") == nil)
        #expect(!places.has("c") && places.has("a"))
        #expect(places.places.count == 4)
    }

    @Test(arguments: ["", ".", "..", "../me", "a/b", "a\0", "-a", "A", "é", String(repeating: "a", count: 65)])
    func `a name that is no owner's gets no place`(owner: String) {
        var places = Self.places()
        #expect(places.add("a", for: owner) == nil)
        #expect(places.places.count == 2)
    }

    @Test func `an app has sixteen owners, and another app as many`() {
        var places = Self.places()
        for number in 1...15 { #expect(places.add("a", for: "owner-\(number)") != nil) }
        #expect(places.add("a", for: "owner-16") == nil)
        #expect(places.place(of: "a", for: "owner-15") == 16)
        #expect(places.add("b", for: "owner-16") == 17)
    }

    @Test func `further owners have half of the processes and of the memory for their first workers`() {
        var few = Self.places(processes: 5)
        #expect(few.add("a", for: "x") == 2)
        #expect(few.add("b", for: "x") == 3)
        #expect(few.add("a", for: "y") == nil)
        var small = Self.places(memory: 61 * Self.mebibyte)
        for owner in ["x", "y", "z"] { #expect(small.add("a", for: owner) != nil) }
        #expect(small.add("b", for: "x") == nil)
        var none = Self.places(memory: 19 * Self.mebibyte)
        #expect(none.add("a", for: "x") == nil)
        #expect(none.place(of: "a", for: "me") == 0)
    }

    @Test func `there are no more places than users of the system`() {
        let apps = (0..<3999).map { (topic: "app-\($0)", first: "me") }
        var places = Self.places(apps)
        #expect(places.add("app-0", for: "x") == 3999)
        #expect(SupervisorConfiguration.user(ofSiteAt: 3999) == 4000)
        #expect(places.add("app-0", for: "y") == nil)
    }
}
