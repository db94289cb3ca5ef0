// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import Locking
import Testing

@testable import NetworkProxy

/// Every class of address, at both edges of every range.
struct AddressClassTests {
    @Test(arguments: [
        ("0.0.0.0", AddressClass.unspecified), ("0.255.255.255", .unspecified), ("1.0.0.0", .global),
        ("9.255.255.255", .global), ("10.0.0.0", .private), ("10.255.255.255", .private), ("11.0.0.0", .global),
        ("100.63.255.255", .global), ("100.64.0.0", .shared), ("100.127.255.255", .shared), ("100.128.0.0", .global),
        ("126.255.255.255", .global), ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("128.0.0.0", .global),
        ("169.253.255.255", .global), ("169.254.169.254", .linkLocal), ("169.255.0.0", .global),
        ("172.15.255.255", .global), ("172.16.0.0", .private), ("172.31.255.255", .private), ("172.32.0.0", .global),
        ("192.0.0.1", .reserved), ("192.0.1.0", .global), ("192.0.2.1", .reserved), ("192.88.99.1", .sixToFour),
        ("192.167.255.255", .global), ("192.168.0.0", .private), ("192.168.255.255", .private),
        ("192.169.0.0", .global), ("198.17.255.255", .global), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
        ("198.20.0.0", .global), ("198.51.100.7", .reserved), ("203.0.113.7", .reserved),
        ("223.255.255.255", .global), ("224.0.0.0", .multicast), ("239.255.255.255", .multicast),
        ("240.0.0.0", .reserved), ("255.255.255.254", .reserved), ("255.255.255.255", .broadcast),
        ("8.8.8.8", .global),
    ])
    func `version 4`(address: String, kind: AddressClass) throws {
        #expect(AddressClass(try #require(IPAddress(address))) == kind)
    }

    @Test(arguments: [
        ("::", AddressClass.unspecified), ("::1", .loopback), ("::2", .reserved), ("::127.0.0.1", .reserved),
        ("::ffff:0.0.0.0", .mapped), ("::ffff:127.0.0.1", .mapped), ("::ffff:8.8.8.8", .mapped),
        ("::ffff:0:127.0.0.1", .reserved), ("64:ff9b::7f00:1", .translated), ("64:ff9b::808:808", .translated),
        ("64:ff9b:1::1", .translated), ("64:ff9b:2::1", .reserved), ("100::1", .reserved),
        ("1fff:ffff::1", .reserved), ("2001::1", .teredo), ("2001:0:ffff::1", .teredo), ("2001:2::1", .reserved),
        ("2001:1ff:ffff::1", .reserved), ("2001:200::1", .global), ("2001:db7:ffff::1", .global),
        ("2001:db8::1", .reserved), ("2001:db9::1", .global), ("2002:7f00:1::1", .sixToFour),
        ("2002:808:808::1", .sixToFour), ("2003::1", .global), ("2606:4700:4700::1111", .global),
        ("3ffe:ffff::1", .global), ("3fff::1", .reserved), ("3fff:1000::1", .global), ("4000::1", .reserved),
        ("5f00::1", .reserved), ("fbff::1", .reserved), ("fc00::1", .uniqueLocal), ("fd00:ec2::254", .uniqueLocal),
        ("fe00::1", .reserved), ("fe80::1", .linkLocal), ("febf::1", .linkLocal), ("fec0::1", .private),
        ("feff::1", .private), ("ff02::1", .multicast), ("ffff::1", .multicast),
    ])
    func `version 6`(address: String, kind: AddressClass) throws {
        #expect(AddressClass(try #require(IPAddress(address))) == kind)
    }

    @Test(arguments: [
        ("10.0.0.1", NetworkTarget.Scheme.https, UInt16(443), true), ("10.0.0.1", .https, 444, false),
        ("10.0.0.1", .http, 443, false), ("10.0.0.2", .https, 443, false), ("127.0.0.1", .http, 8080, true),
        ("127.0.0.1", .https, 8080, false), ("8.8.8.8", .https, 1, true), ("::ffff:10.0.0.1", .https, 443, false),
    ])
    func `an address that is not global is used only if that very one is listed`(
        address: String,
        scheme: NetworkTarget.Scheme,
        port: UInt16,
        isPermitted: Bool
    ) throws {
        let list = AllowList(
            hosts: try ["a.example", "10.0.0.1", "http://127.0.0.1:8080"].map(NetworkHost.init(parsing:))
        )
        let target = NetworkTarget(scheme: scheme, place: .name("a.example"), port: port)
        #expect((list.refusal(of: try #require(IPAddress(address)), for: target, isOwn: false) == nil) == isPermitted)
    }

    @Test func `an address of this machine is used only if that very one is listed`() throws {
        let list = AllowList(hosts: try ["a.example", "9.9.9.9"].map(NetworkHost.init(parsing:)))
        let target = NetworkTarget(scheme: .https, place: .name("a.example"), port: 443)
        let refusals = try ["8.8.8.8", "2003::1", "9.9.9.9", "10.0.0.1"].map {
            list.refusal(of: try #require(IPAddress($0)), for: target, isOwn: true)
        }
        #expect(refusals == [.own, .own, nil, .private])
    }

    @Test func `this machine's addresses are read again after ten seconds`() throws {
        let address = try #require(IPAddress("8.8.8.8"))
        let answers = Locked<[Set<IPAddress>?]>([nil, [], [address]])
        let own = OwnAddresses { answers.withLock { $0.removeFirst() } }
        let instants: [Duration] = [.zero, .seconds(1), .milliseconds(10_999), .seconds(11)]
        #expect(instants.map { own.contain(address, now: $0) } == [true, false, false, true])
    }

    @Test func `the kernel says at least the address of loopback`() throws {
        #expect(try #require(OwnAddresses.system()).contains(try #require(IPAddress("127.0.0.1"))))
    }

    @Test func `versions take turns and the first stays the first`() throws {
        let addresses = try ["2003::1", "2003::2", "2003::3", "8.8.8.8", "9.9.9.9"].map { try #require(IPAddress($0)) }
        #expect(
            Dial.inTurns(addresses).map(\.description) == ["2003::1", "8.8.8.8", "2003::2", "9.9.9.9", "2003::3"]
        )
        #expect(
            Dial.inTurns(addresses.reversed()).map(\.description)
                == ["9.9.9.9", "2003::3", "8.8.8.8", "2003::2", "2003::1"]
        )
        #expect(Dial.inTurns([]).isEmpty)
    }
}
