// SPDX-License-Identifier: Apache-2.0

import DatabaseTesting
import Fleet
import Foundation
import Glibc
import Locking
import PostgreSQL
import TestClock
import Testing

/// A host whose session is over joins again: what it held is its next session's, or another host's.
@Suite(
    "Sessions that follow one another",
    .enabled(if: DatabaseServer.programs != nil, "\(DatabaseServer.missing)"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct SuccessionTests {
    static let server = FleetFixture.server()
    let parts = [0, 511, 1023].compactMap { Partition($0) }

    @Test("a session follows those of its host's process, heard of or not, and nobody else's")
    func follows() throws {
        let fixture = try FleetFixture(on: Self.server)
        let (one, two, three) = (try fixture.connect(), try fixture.connect(), try fixture.connect())
        let member = FleetMember(host: "a", version: "1", lease: .seconds(600))
        let first = try one.join(member)
        let taken = try one.take(FleetFixture.free(parts), from: nil, as: first)
        // Another process of that name has another secret.
        let stranger = failure { () throws(FleetError) in _ = try two.join(FleetMember(host: "a", version: "1")) }
        #expect(stranger == .nameTaken("a host named \"a\" is a member already"))
        // The host does not hear of the second session, whose connection stays.
        let unheard = try two.join(member)
        let third = try three.join(member)
        let held = try three.holders().filter { parts.contains($0.part) }
        #expect(held.map(\.holder) == parts.map { _ in third.number })
        #expect(held.map(\.epoch) == parts.map { _ in 3 })
        // What lay there may have been started by the first.
        #expect(zip(taken, held).allSatisfy { $0.since < $1.since })
        for former in [first, unheard] {
            #expect(failure { () throws(FleetError) in try three.release(parts, as: former) } == .fenced)
        }
        try three.release([parts[0]], as: third)
        // What a fenced session held is whoever's takes it.
        try fixture.owner.runScript("UPDATE nestbox.sessions SET fenced = true")
        let fourth = try one.join(member)
        #expect(try one.holders().allSatisfy { $0.holder != fourth.number })
        #expect(try one.holders().filter { $0.holder == third.number }.count == parts.count - 1)
    }

    @Test("a session begins in a transaction that is READ COMMITTED, or not at all")
    func joinsInIsolation() throws {
        let fixture = try FleetFixture(on: Self.server)
        let host = try Connection(fixture.conninfo, application: "tests")
        try host.runScript("BEGIN ISOLATION LEVEL SERIALIZABLE")
        let message = "the transaction is not READ COMMITTED"
        #expect(throws: DatabaseError.refused(state: "NB006", message: message)) {
            try host.runScript("SELECT nestbox.join_fleet('a', '\\x01', '1', 1, 5000, 1)")
        }
    }

    /// The two calls may come in either order, and each may find the other at work.
    @Test("beside another host that takes, a host's next session has all that the former held, or nothing")
    func joinsBesideTake() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let database = try fixture.connect()
        let conninfo = fixture.conninfo
        let member = FleetMember(host: "a", version: "1", lease: .seconds(600))
        let other = try FleetFixture.join("b", database)
        var former = try database.join(member)
        func held() throws -> [FleetSnapshot.Holding] { try database.holders().filter { parts.contains($0.part) } }
        for round in 0..<20 {
            let seen = try database.take(try held(), from: nil, as: former)
            #expect(seen.count == parts.count)
            try fixture.age(former, by: 601)
            let number = former.number
            async let joined = SerialWork(name: "join").result {
                Result { try FleetDatabase(conninfo, patience: .seconds(60)).join(member) }
            }
            async let taken = SerialWork(name: "take").result {
                Result {
                    let database = try FleetDatabase(conninfo, patience: .seconds(60))
                    // Now before the other call, and now behind it.
                    for _ in 0..<round % 5 { _ = try database.facts() }
                    return try database.take(seen, from: number, as: other)
                }
            }
            let (next, count) = (try await joined.get(), try await taken.get().count)
            let holder = count > 0 ? other : next
            #expect([0, parts.count].contains(count))
            #expect(try held().map(\.holder) == parts.map { _ in holder.number })
            #expect(try held().map(\.epoch) == parts.map { _ in Int64(3 * round + 2) })
            #expect(failure { () throws(FleetError) in try database.release(parts, as: former) } == .fenced)
            try database.release(parts, as: holder)
            former = next
        }
    }

    /// The second socket tells whether connections begin with the next server.
    @Test("a connection that is made while another attempt fails leaves the server first that it reached")
    func madeMeanwhile() async throws {
        let fixture = try FleetFixture(on: Self.server)
        let folder = try Self.server.get().folder
        let (first, second) = (try SilentServer(), try SilentServer())
        let servers = FleetServers(
            "connect_timeout=60 "
                + fixture.conninfo.replacing("host=\(folder)", with: "host=\(first.folder),\(second.folder)"),
            patience: .seconds(60)
        )
        async let fault = SerialWork(name: "connect").result {
            failure { () throws(FleetError) in _ = try servers.connect() }
        }
        try first.accept()
        // The server comes up, and another attempt reaches it.
        try first.giveWay(to: folder)
        _ = try servers.connect()
        first.hangUp()
        guard case .database(.unreachable) = await fault else {
            Issue.record("the first attempt has ended otherwise")
            return
        }
        _ = try servers.connect()
        #expect(throws: POSIXError(.EAGAIN)) { try second.accept(waiting: false) }
    }
}

/// A socket where a server's would be, behind which nobody answers.
private final class SilentServer {
    private static let name = ".s.PGSQL.5432"

    private static var failure: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EINVAL) }

    let folder: String
    private let listener: CInt
    private var connection: CInt = -1

    init() throws {
        var template = Array("/tmp/nestbox-silent-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Self.failure }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/\(Self.name)"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let descriptor = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
        listener = descriptor
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0, listen(listener, 8) == 0 else { throw Self.failure }
    }

    deinit {
        hangUp()
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Returns when somebody has connected.
    func accept(waiting: Bool = true) throws {
        if !waiting { _ = fcntl(listener, F_SETFL, O_NONBLOCK) }
        connection = Glibc.accept(listener, nil, nil)
        guard connection >= 0 else { throw Self.failure }
    }

    /// Leaves its place to the server of another folder; who has connected keeps waiting.
    func giveWay(to other: String) throws {
        try FileManager.default.removeItem(atPath: "\(folder)/\(Self.name)")
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder)/\(Self.name)",
            withDestinationPath: "\(other)/\(Self.name)"
        )
    }

    func hangUp() {
        if connection >= 0 { close(connection) }
        connection = -1
    }
}
