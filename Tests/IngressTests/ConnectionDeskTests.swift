// SPDX-License-Identifier: Apache-2.0

import HTTPServing
import NIOCore
import Testing

@testable import Ingress

/// The desk decides who gets a place, and whose; it needs no socket and no clock for that.
struct ConnectionDeskTests {
    private typealias Ticket = ConnectionDesk.Ticket

    private func desk(places: Int = 4, perSource: Int = 3, patience: TimeAmount = .seconds(60)) -> ConnectionDesk {
        ConnectionDesk(.init(places: places, placesPerSource: perSource, patience: patience))
    }

    private func at(_ seconds: Int) -> NIODeadline { .uptimeNanoseconds(UInt64(1_000 + seconds) * 1_000_000_000) }

    private func admit(
        _ desk: inout ConnectionDesk,
        _ source: PeerSource,
        at seconds: Int = 0,
        isProven: Bool = false
    ) throws -> (ticket: Ticket, displaced: Ticket?) {
        let verdict = desk.admit(from: source, at: at(seconds), isProven: isProven)
        guard case .admitted(let ticket, let displaced) = verdict else { throw Refused() }
        return (ticket, displaced)
    }

    private struct Refused: Error {}

    @Test func `a thousand idle connections from seventeen addresses of one network keep nobody out`() throws {
        var desk = desk(places: 1024, perSource: 64)
        for index in 0..<1024 {
            let address = try SocketAddress(ipAddress: "2001:db8:7:7::\(index % 17 + 1)", port: 1)
            _ = try admit(&desk, PeerSource(address))
        }
        #expect(desk.count == 64)
        let gateway = try admit(&desk, PeerSource(try SocketAddress(ipAddress: "2001:db8:8::1", port: 1)))
        #expect(gateway.displaced == nil)
        // Also from a network of the same crowd: who has proven nothing for longest makes room.
        #expect(try admit(&desk, .network(0x2001_0db8_0007_0007)).displaced != nil)
    }

    @Test func `of the source with most unproven connections the oldest gives way`() throws {
        var desk = desk()
        _ = try admit(&desk, .network(1))
        let oldest = try admit(&desk, .network(2)).ticket
        _ = try admit(&desk, .network(3))
        _ = try admit(&desk, .network(2))
        let newcomer = try admit(&desk, .network(4))
        #expect(newcomer.displaced == oldest)
        #expect(desk.count == 4)
    }

    @Test func `of crowds alike it is the oldest of all, and the newcomer is the last`() throws {
        var desk = desk()
        var order: [Ticket] = []
        for source in 1...4 { order.append(try admit(&desk, .network(UInt64(source))).ticket) }
        for source in 5...8 {
            let newcomer = try admit(&desk, .network(UInt64(source)))
            #expect(newcomer.displaced == order[source - 5])
            order.append(newcomer.ticket)
        }
    }

    @Test func `a proven connection never gives way to one that has shown nothing`() throws {
        var desk = desk()
        for source in 1...4 {
            let ticket = try admit(&desk, .address(UInt32(source))).ticket
            desk.prove(ticket)
        }
        #expect(desk.admit(from: .address(5), at: at(0)) == .refused)
        // The machine's own are not served at the expense of others' either.
        #expect(desk.admit(from: .local, at: at(0)) == .refused)
    }

    @Test func `a counted source that is full makes room of its own unproven, or none`() throws {
        var desk = desk(places: 10)
        let first = try admit(&desk, .address(1)).ticket
        let others = try (0..<2).map { _ in try admit(&desk, .address(1)).ticket }
        #expect(try admit(&desk, .address(1)).displaced == first)
        for ticket in others { desk.prove(ticket) }
        #expect(try admit(&desk, .address(1)).displaced != nil)
        #expect(try admit(&desk, .address(2)).displaced == nil)
        var proven = self.desk(places: 10)
        for _ in 0..<3 {
            let ticket = try admit(&proven, .address(1)).ticket
            proven.prove(ticket)
        }
        #expect(proven.admit(from: .address(1), at: at(0)) == .refused)
    }

    @Test func `an unproven connection has so much time in all, whatever it does`() throws {
        var desk = desk(patience: .seconds(60))
        let idle = try admit(&desk, .network(1), at: 0).ticket
        let busy = try admit(&desk, .network(1), at: 1).ticket
        let proven = try admit(&desk, .network(1), at: 2).ticket
        desk.prove(proven)
        desk.began(busy, 1, at: at(50))
        desk.ended(busy, 1, at: at(51))
        #expect(desk.nextEnd == at(60))
        #expect(desk.takeLate(at: at(59)) == [])
        #expect(desk.takeLate(at: at(60)) == [idle])
        #expect(desk.takeLate(at: at(3600)) == [busy])
        #expect(desk.nextEnd == nil)
        // They keep their places until they are gone.
        #expect(desk.count == 3)
        for ticket in [idle, busy, proven] { desk.leave(ticket) }
        #expect(desk.count == 0)
    }

    @Test func `on the machine itself the longest idle gives way, and never one that waits for an answer`() throws {
        var desk = desk()
        let tickets = try (0..<4).map { try admit(&desk, .local, at: $0).ticket }
        for (index, ticket) in tickets.enumerated() {
            desk.prove(ticket)
            desk.began(ticket, 1, at: at(10 + index))
        }
        #expect(desk.admit(from: .local, at: at(20)) == .refused)
        desk.ended(tickets[2], 1, at: at(21))
        desk.ended(tickets[1], 1, at: at(22))
        #expect(try admit(&desk, .local, at: 23).displaced == tickets[2])
        // The newcomer has shown nothing yet.
        #expect(try admit(&desk, .local, at: 24).displaced != tickets[1])
    }

    @Test func `among users the one with most clients gives way, and no fewer than the newcomer's`() throws {
        var desk = desk()
        let few = try admit(&desk, .user(1), at: 0, isProven: true).ticket
        let many = try (0..<3).map { try admit(&desk, .user(2), at: 1 + $0, isProven: true).ticket }
        #expect(try admit(&desk, .user(1), at: 5, isProven: true).displaced == many[0])
        for ticket in many.dropFirst() { desk.began(ticket, 1, at: at(6)) }
        // Two of each now; the second user's are at work.
        #expect(try admit(&desk, .user(2), at: 7, isProven: true).displaced == few)
        var busy = self.desk()
        _ = try admit(&busy, .user(1), isProven: true)
        for _ in 0..<3 {
            let ticket = try admit(&busy, .user(2), isProven: true).ticket
            busy.began(ticket, 1, at: at(0))
        }
        #expect(busy.admit(from: .user(2), at: at(1), isProven: true) == .refused)
    }

    @Test func `an unproven connection whose push is not answered yet is let finish`() throws {
        var desk = desk(places: 2)
        let busy = try admit(&desk, .network(1)).ticket
        desk.began(busy, 1, at: at(0))
        let idle = try admit(&desk, .network(1)).ticket
        #expect(try admit(&desk, .network(2)).displaced == idle)
    }

    @Test func `no place is lost or gained, whoever comes and goes`() throws {
        var desk = desk(places: 16, perSource: 5)
        var random = SystemRandomNumberGenerator()
        var open: Set<Ticket> = []
        for step in 0..<20_000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1, 2:
                let number = UInt32.random(in: 0..<6, using: &random)
                let source: PeerSource = number == 0 ? .local : .address(number)
                if case .admitted(let ticket, let displaced) = desk.admit(from: source, at: at(step)) {
                    if let displaced { #expect(open.remove(displaced) != nil) }
                    #expect(open.insert(ticket).inserted)
                }
            case 3: if let ticket = open.randomElement() { desk.prove(ticket) }
            case 4:
                if let ticket = open.randomElement() {
                    desk.leave(ticket)
                    open.remove(ticket)
                }
            case _: _ = desk.takeLate(at: at(step))
            }
            #expect(desk.count == open.count)
            #expect(open.count <= 16)
        }
        for ticket in open { desk.leave(ticket) }
        #expect(desk.nextEnd == nil)
    }

    @Test(arguments: [
        ("127.0.0.1", PeerSource.local), ("127.200.3.4", .local), ("::1", .local), ("::ffff:127.0.0.1", .local),
        ("192.0.2.7", .address(0xc000_0207)), ("::ffff:192.0.2.7", .address(0xc000_0207)),
        ("2001:db8:1:2::1", .network(0x2001_0db8_0001_0002)),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", .network(0x2001_0db8_0001_0002)),
        ("2001:db8:1:3::1", .network(0x2001_0db8_0001_0003)), ("::2", .network(0)),
    ])
    func `an address belongs to its source`(_ address: String, _ source: PeerSource) throws {
        let address = try SocketAddress(ipAddress: address, port: 4711)
        #expect(PeerSource(address) == source)
    }

    @Test func `a Unix socket and a peer that is gone are the machine's own`() throws {
        #expect(PeerSource(nil) == .local)
        let path = try SocketAddress(unixDomainSocketPath: "/run/socket")
        #expect(PeerSource(path) == .local)
    }
}
