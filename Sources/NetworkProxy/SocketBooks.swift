// SPDX-License-Identifier: Apache-2.0

/// The sockets that the proxy has open for extensions and their files, so that they never take the host's last one and
/// no app takes another's.
///
/// Each app has a share that is its own at any time, however many others want more. Any app may borrow what is not used
/// of the shares. An app that then comes for one of its own gets it at once: it is taken from the app that has borrowed
/// most, and of that app's sockets it is the one that has carried nothing for longest.
///
/// The owners of an app, and the host that fetches its files, share what the app has in the same way: one with fewer
/// than another gets the longest silent of the one with most, until they are even.
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

    /// `owner` is `nil` for the host itself.
    func hasRoom(for app: String, owner: String? = nil) -> Bool {
        count < limit || owes(app) > 0 || surplus(of: app, beside: owner) != nil
    }

    /// Books a socket; returns `nil` when all are taken, the app has its share, and none of its owners has more.
    func take(for app: String, owner: String? = nil) -> BookedSocket? {
        var given: BookedSocket?
        if count == limit {
            given = owes(app) > 0 ? mostBorrowed : surplus(of: app, beside: owner)
            guard given != nil else { return nil }
        }
        if let given { remove(given) }
        let socket = BookedSocket(app, owner: owner, books: self)
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

    /// The longest silent socket of the app's owner with most, if that one has two more than this one at least.
    private func surplus(of app: String, beside owner: String?) -> BookedSocket? {
        let owned = Dictionary(grouping: (sockets[app] ?? [:]).values, by: \.owner)
        let own = owned[owner]?.count ?? 0
        guard let most = owned.values.max(by: { $0.count < $1.count }), most.count > own + 1 else { return nil }
        return most.min { $0.lastUse < $1.lastUse }
    }

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
    /// `nil` means the host itself.
    let owner: String?
    /// Closes it, and all that is of no use without it; nothing of it may be left open on return.
    var whenTakenBack: () -> Void = {}
    fileprivate var lastUse: UInt64 = 0
    private weak var books: SocketBooks?

    fileprivate init(_ app: String, owner: String?, books: SocketBooks) {
        self.app = app
        self.owner = owner
        self.books = books
    }

    /// Takes note that the socket has carried something.
    func noteUse() { books?.note(self) }

    /// Takes note that the socket is closed; without effect from the second time on, or when it was taken back.
    func giveBack() { books?.giveBack(self) }
}
