// SPDX-License-Identifier: Apache-2.0

/// The sockets that the proxy has open for extensions and their files, so that they never take the host's last one and
/// no app takes another's.
///
/// Each app has a share that is its own at any time, however many others want more. Any app may borrow what is not used
/// of the shares. An app that then comes for one of its own gets it at once: it is taken from the app that has borrowed
/// most, and of that app's sockets it is the one that has carried nothing for longest.
final class SocketBooks {
    /// Two connections with both their ends.
    static let smallestShare = 4

    /// Is called when the last socket is taken, and when there is one again.
    var whenRoomChanges: () -> Void = {}
    /// The sockets of all apps together.
    let limit: Int
    /// The sockets that belong to each app of `apps`; any other app only borrows.
    let share: Int
    private let apps: Set<String>
    private var sockets: [String: [ObjectIdentifier: BookedSocket]] = [:]
    private var count = 0
    private var useCount: UInt64 = 0

    /// Shares `limit` sockets among `apps`, and more where they are so many that a share would be too small.
    init(limit: Int, apps: Set<String>) {
        self.limit = max(limit, Self.smallestShare * apps.count)
        self.apps = apps
        share = self.limit / max(1, apps.count)
    }

    func count(of app: String) -> Int { sockets[app]?.count ?? 0 }

    func hasRoom(for app: String) -> Bool { count < limit || owes(app) > 0 }

    /// Books a socket; returns `nil` when all are taken and the app has its share.
    func take(for app: String) -> BookedSocket? {
        guard hasRoom(for: app) else { return nil }
        let given = count == limit ? mostBorrowed : nil
        if let given { remove(given) }
        let socket = BookedSocket(app, books: self)
        note(socket)
        sockets[app, default: [:]][ObjectIdentifier(socket)] = socket
        count += 1
        // The books are right again when the borrower's side hears of it.
        given?.whenTakenBack()
        if given == nil, count == limit { whenRoomChanges() }
        return socket
    }

    fileprivate func giveBack(_ socket: BookedSocket) {
        let wasFull = count == limit
        guard remove(socket), wasFull else { return }
        whenRoomChanges()
    }

    fileprivate func note(_ socket: BookedSocket) {
        useCount += 1
        socket.lastUse = useCount
    }

    @discardableResult
    private func remove(_ socket: BookedSocket) -> Bool {
        guard sockets[socket.app]?.removeValue(forKey: ObjectIdentifier(socket)) != nil else { return false }
        if sockets[socket.app]?.isEmpty == true { sockets[socket.app] = nil }
        count -= 1
        return true
    }

    /// Returns the number of further sockets that the app may have whatever others do; below zero it has borrowed.
    private func owes(_ app: String) -> Int { (apps.contains(app) ? share : 0) - count(of: app) }

    /// There is one as long as all are taken and some app has less than its share: the shares are no more than the
    /// limit.
    private var mostBorrowed: BookedSocket? {
        let borrower = sockets.keys.min { (owes($0), $0) < (owes($1), $1) }
        return borrower.flatMap { sockets[$0]?.values.min { $0.lastUse < $1.lastUse } }
    }
}

/// One socket in the books, until it is given back or taken back.
final class BookedSocket {
    let app: String
    /// Closes it, and all that is of no use without it; nothing of it may be left open on return.
    var whenTakenBack: () -> Void = {}
    fileprivate var lastUse: UInt64 = 0
    private weak var books: SocketBooks?

    fileprivate init(_ app: String, books: SocketBooks) {
        self.app = app
        self.books = books
    }

    /// Takes note that the socket has carried something.
    func noteUse() { books?.note(self) }

    /// Takes note that the socket is closed; without effect from the second time on, or when it was taken back.
    func giveBack() { books?.giveBack(self) }
}
