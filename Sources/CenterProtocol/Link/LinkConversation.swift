// SPDX-License-Identifier: Apache-2.0

/// The rules of the link, as both ends keep them: which message is allowed now, and what it changes.
///
/// A pure value without I/O. Each end feeds it the messages of both directions in the order in which it sends and
/// receives them, so that one table holds for what is sent and for what comes. `HostLinkEnd` and `CenterLinkEnd` are
/// the two ends.
/// Source: PROTOCOL.md, "Link".
struct LinkConversation: ~Copyable {
    /// The progress of one side.
    enum Side: Sendable { case silent, listing, serving, ended }

    /// Calls, and asks, that wait for their answers.
    static let openLimit = 1024
    /// Views that a host has open for a centre.
    static let viewLimit = 32

    private(set) var host = Side.silent
    private(set) var center = Side.silent
    private(set) var window = LinkWindow()
    private(set) var floor: Int64 = 0
    private(set) var calls = OpenQuestions<CallName>(limit: openLimit)
    private(set) var asks = OpenQuestions<LinkAsk.Wish>(limit: openLimit)
    private(set) var views = OpenQuestions<String>(limit: viewLimit)
    private var registry = RegistryAssembly()
    private var gates = GateOrder()

    /// Ends both sides: nothing is allowed from now on.
    mutating func end() {
        host = .ended
        center = .ended
    }

    /// The table: the phases in which a message of a type is allowed.
    func checkPhase(of type: LinkMessageType) throws(LinkViolation) {
        let isAllowed =
            switch type {
            case .hello: host == .silent
            case .ready: host != .silent && center == .silent
            case .apps, .file: (host == .listing || host == .serving) && (center == .listing || center == .serving)
            case .record, .floor, .call, .told, .viewScene, .viewFile, .viewEnded: host == .serving
            case .shutdown: host == .listing || host == .serving
            case .gates: center == .listing || center == .serving
            case .taken, .unfit, .answer, .ask: center == .serving
            // The host says first which apps it has.
            case .viewOpen, .viewEvent: center == .serving && (host == .serving || host == .ended)
            }
        guard isAllowed else { throw .wrongPhase(type) }
    }

    // MARK: The host's messages

    /// Takes a message of the host and returns the registry that is complete with it, if there is one.
    mutating func take(_ message: HostLinkMessage, byteCount: Int) throws(LinkViolation) -> LinkRegistry? {
        try checkPhase(of: message.type)
        switch message {
        case .hello(let hello):
            host = .listing
            floor = hello.floor
        case .record(let number, _): try takeRecord(number, byteCount: byteCount)
        case .floor(let number):
            guard number > floor else { throw .floorNotRising(number) }
            floor = number
        case .call(let id, let call):
            guard !call.call.name.isForAppsOnly else { throw .member(.call, .onlyForApps(call.call.name)) }
            try calls.open(id, call.call.name, .call)
        case .told(let id, _, let answer):
            guard let wish = asks[id] else { throw .unknownID(.told, id) }
            guard answer.fits(wish.callName) else { throw .member(.told, .wrongKind("ok")) }
            asks.close(id)
        case .apps(let piece):
            let whole = try registry.take(piece)
            if piece.isLast { host = .serving }
            return whole
        case .file(let file): try registry.take(file)
        case .viewScene(let id, _): guard views[id] != nil else { throw .unknownID(.viewScene, id) }
        case .viewFile(let id, _): guard views[id] != nil else { throw .unknownID(.viewFile, id) }
        case .viewEnded(let id, _):
            guard views[id] != nil else { throw .unknownID(.viewEnded, id) }
            views.close(id)
        case .shutdown: host = .ended
        }
        return nil
    }

    /// Takes a record, readable or not, into the window.
    mutating func takeRecord(_ number: Int64, byteCount: Int) throws(LinkViolation) {
        try checkPhase(of: .record)
        guard !window.contains(number) else { throw .recordInFlight(number) }
        guard window.hasRoom(for: byteCount) else { throw .windowFull(number) }
        window.insert(number, byteCount: byteCount)
    }

    // MARK: The centre's messages

    mutating func take(_ message: CenterLinkMessage) throws(LinkViolation) {
        try checkPhase(of: message.type)
        switch message {
        case .ready: center = .listing
        case .taken(let taken):
            if let number = window.firstMissing(in: taken) { throw .notInFlight(.taken, number) }
            for range in taken.ranges {
                for number in range { _ = window.remove(number) }
            }
        case .unfit(let number, _):
            guard window.remove(number) else { throw .notInFlight(.unfit, number) }
        case .answer(let id, _, let answer):
            guard let name = calls[id] else { throw .unknownID(.answer, id) }
            guard answer.fits(name) else { throw .member(.answer, .wrongKind("ok")) }
            calls.close(id)
        case .ask(let id, let ask): try asks.open(id, ask.wish, .ask)
        case .viewOpen(let id, let view): try views.open(id, view.topic, .viewOpen)
        case .viewEvent(let id, _):
            // The end of the view may be on its way.
            guard id > 0, id <= views.lastID else { throw .unknownID(.viewEvent, id) }
        case .gates(let piece):
            try gates.take(piece)
            if piece.isLast { center = .serving }
        }
    }

    /// Gives up waiting for the answer to a call, which may come nevertheless; false if none is open.
    mutating func expireCall(_ id: UInt64) -> Bool { calls.expire(id) }
}

extension OpenQuestions {
    fileprivate mutating func open(_ id: UInt64, _ question: Question, _ type: LinkMessageType) throws(LinkViolation) {
        do { try open(id, question) } catch {
            switch error {
            case .notRising: throw .idNotRising(type, id)
            case .full: throw .tooManyOpen(type)
            }
        }
    }
}
