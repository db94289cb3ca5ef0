// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import NetworkProxy

/// The number of sockets that each app has, and the choice of the one that must give one up.
struct SocketBooksTests {
    @Test(arguments: [
        (1, 256, 256), (2, 256, 128), (3, 256, 85), (64, 256, 4), (65, 260, 4), (200, 800, 4), (0, 256, 256),
    ])
    func `all have the same share, and four at least`(apps: Int, limit: Int, share: Int) {
        let books = SocketBooks(limit: 256, apps: Set((0..<apps).map { "app \($0)" }))
        #expect(books.limit == limit)
        #expect(books.share == share)
        #expect(NetworkProxy.Limits().sockets(apps: apps) == limit)
    }

    @Test func `what others leave is lent, and not one more`() {
        let books = SocketBooks(limit: 12, apps: ["a", "b"])
        let sockets = (0..<13).map { _ in books.take(for: "a") }
        #expect(sockets.map { $0 != nil } == [Bool](repeating: true, count: 12) + [false])
        #expect(!books.hasRoom(for: "a"))
        #expect(books.hasRoom(for: "b"))
    }

    @Test func `what is lent is taken back from who has borrowed most, the longest silent first`() {
        let books = SocketBooks(limit: 12, apps: ["a", "b", "c"])
        var taken: [String] = []
        let sockets = ["a1", "b1", "a2", "b2", "a3", "b3", "a4", "b4", "a5", "b5", "a6", "a7"].map { name in
            let socket = books.take(for: String(name.prefix(1)))
            socket?.whenTakenBack = { taken.append(name) }
            return socket
        }
        sockets[0]?.noteUse()
        for _ in 0..<5 { _ = books.take(for: "c") }
        #expect(taken == ["a2", "a3", "a4", "b1"])
        #expect(["a", "b", "c"].map(books.count) == [4, 4, 4])
        // Given up long ago.
        sockets[2]?.giveBack()
        #expect(books.count(of: "a") == 4)
        #expect(!books.hasRoom(for: "c"))
    }

    @Test func `owners of an app come to as many sockets each, however many one had taken`() {
        let books = SocketBooks(limit: 12, apps: ["a", "b"])
        var takenBack: [String] = []
        func take(_ app: String, _ owner: String?) -> BookedSocket? {
            let socket = books.take(for: app, owner: owner)
            socket?.whenTakenBack = { takenBack.append("\(app) \(owner ?? "host")") }
            return socket
        }
        for _ in 0..<12 { #expect(take("a", "me") != nil) }
        #expect(take("a", "me") == nil)
        #expect(!books.hasRoom(for: "a", owner: "me") && books.hasRoom(for: "a", owner: "maria"))
        for _ in 0..<6 { #expect(take("a", "maria") != nil) }
        #expect(takenBack == Array(repeating: "a me", count: 6))
        #expect(take("a", "maria") == nil && take("a", "me") == nil)
        // The files that the host fetches, and another app with its share.
        #expect(take("a", nil) != nil && take("a", nil) != nil)
        for _ in 0..<6 { #expect(take("b", "me") != nil) }
        #expect(books.count(of: "a") == 6 && books.count(of: "b") == 6)
        #expect(take("b", "me") == nil)
    }

    @Test func `a socket that is taken from an owner is the one that was silent longest`() {
        let books = SocketBooks(limit: 4, apps: ["a"])
        let sockets = (0..<4).map { _ in books.take(for: "a", owner: "me") }
        var closed: [Int] = []
        for (number, socket) in sockets.enumerated() { socket?.whenTakenBack = { closed.append(number) } }
        sockets[0]?.noteUse()
        #expect(books.take(for: "a", owner: "maria") != nil)
        #expect(books.take(for: "a", owner: "maria") != nil)
        #expect(closed == [1, 2])
        #expect(books.take(for: "a", owner: "maria") == nil)
    }

    @Test func `an app that nobody named only borrows`() {
        let books = SocketBooks(limit: 4, apps: ["a"])
        var takenBackCount = 0
        for _ in 0..<4 { books.take(for: "stranger")?.whenTakenBack = { takenBackCount += 1 } }
        #expect(books.take(for: "stranger") == nil)
        for _ in 0..<4 { #expect(books.take(for: "a") != nil) }
        #expect(takenBackCount == 4)
        #expect(books.take(for: "a") == nil)
    }

    @Test func `who waits hears when the last one is taken and when there is one again`() {
        let books = SocketBooks(limit: 4, apps: ["a"])
        var rooms: [Bool] = []
        books.whenRoomChanges = { rooms.append(books.hasRoom(for: "a")) }
        let sockets = (0..<4).map { _ in books.take(for: "a") }
        #expect(rooms == [false])
        sockets[1]?.giveBack()
        #expect(rooms == [false, true])
        sockets[1]?.giveBack()
        sockets[2]?.giveBack()
        #expect(rooms == [false, true])
    }

    @Test(arguments: 0..<200)
    func `in no order do others keep an app from its share`(seed: Int) {
        var generator = SplitMix(state: UInt64(seed))
        var model = BooksModel(&generator)
        for _ in 0..<300 {
            let app = model.apps.randomElement(using: &generator) ?? ""
            switch Int.random(in: 0..<8, using: &generator) {
            case 0: model.giveBack(app, &generator)
            case 1: model.use(app, &generator)
            default: model.take(app)
            }
        }
        // All others take whatever they get; then one comes for what is its own.
        let late = model.apps[0]
        for _ in 0..<(3 * model.books.limit) {
            if let greedy = model.apps.dropFirst().randomElement(using: &generator) { model.take(greedy) }
        }
        for _ in 0..<model.books.share { model.take(late) }
        #expect(model.held[late, default: []].count >= model.books.share)
    }
}

/// The books beside a list of what everybody holds, the longest silent first.
private struct BooksModel {
    let apps: [String]
    let books: SocketBooks
    private(set) var held: [String: [BookedSocket]] = [:]
    private let takenBack = Trace()

    private final class Trace {
        var sockets: [BookedSocket] = []
    }

    init(_ generator: inout SplitMix) {
        apps = (0..<Int.random(in: 1...12, using: &generator)).map { "app \($0)" }
        books = SocketBooks(limit: Int.random(in: 4...64, using: &generator), apps: Set(apps))
    }

    private var count: Int { held.values.reduce(0) { $0 + $1.count } }

    mutating func take(_ app: String) {
        let before = held[app, default: []].count
        let isFull = count == books.limit
        let largest = held.values.map(\.count).max() ?? 0
        let socket = books.take(for: app)
        #expect((socket != nil) == (!isFull || before < books.share))
        guard let socket else { return #expect(takenBack.sockets.isEmpty) }
        socket.whenTakenBack = { [takenBack, weak socket] in
            if let socket { takenBack.sockets.append(socket) }
        }
        #expect(takenBack.sockets.count == (isFull ? 1 : 0))
        for given in takenBack.sockets {
            #expect(held[given.app, default: []].count == largest)
            #expect(largest > books.share)
            #expect(held[given.app]?.first === given)
            held[given.app]?.removeFirst()
        }
        takenBack.sockets = []
        held[app, default: []].append(socket)
        check(app)
    }

    mutating func giveBack(_ app: String, _ generator: inout SplitMix) {
        guard let socket = held[app, default: []].randomElement(using: &generator) else { return }
        socket.giveBack()
        held[app]?.removeAll { $0 === socket }
        check(app)
    }

    mutating func use(_ app: String, _ generator: inout SplitMix) {
        guard let socket = held[app, default: []].randomElement(using: &generator) else { return }
        socket.noteUse()
        held[app]?.removeAll { $0 === socket }
        held[app]?.append(socket)
    }

    private func check(_ app: String) {
        #expect(count <= books.limit)
        #expect(books.count(of: app) == held[app, default: []].count)
    }
}

/// The same numbers for the same seed.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
