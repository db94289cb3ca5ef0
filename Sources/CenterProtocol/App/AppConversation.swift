// SPDX-License-Identifier: Apache-2.0

/// The rules of the app socket, as both ends keep them: which message is allowed now, and what it changes.
///
/// A pure value without I/O; time is handed in. Each end feeds it the messages of both directions in the order in which
/// it sends and receives them. `AppEnd` and `CenterAppEnd` are the two ends.
/// Source: PROTOCOL.md, "App socket".
struct AppConversation: ~Copyable {
    private enum Phase {
        case silent
        /// The app has said hello, and the centre has not answered.
        case greeted
        case open
        case ended
    }

    /// Something that the centre asks or tells, and the app answers.
    enum Question: Sendable, Equatable {
        case willPresent, response, silent

        /// Questions of the kind that may wait for their answers together.
        var limit: Int {
            switch self {
            case .willPresent, .response: 16
            case .silent: 1
            }
        }
    }

    /// Calls that wait for their answers.
    static let openCallLimit = 1000

    private var phase = Phase.silent
    /// Whatever the app has announced since hello: what the app takes back crosses what the centre sends.
    private var announced = Presence()
    private(set) var rate = CallRate.app
    private(set) var calls = OpenQuestions<CallName>(limit: openCallLimit)
    private(set) var questions = OpenQuestions<Question>(limit: 33)

    /// True from `welcome` on.
    var isOpen: Bool {
        if case .open = phase { true } else { false }
    }

    mutating func end() { phase = .ended }

    /// The table: the phases in which a message of a type is allowed.
    func checkPhase(of type: AppMessageType) throws(AppViolation) {
        switch (phase, type) {
        case (.silent, .hello), (.greeted, .welcome), (.greeted, .rejected),
            (.open, .call), (.open, .presence), (.open, .present), (.open, .completed), (.open, .finished),
            (.open, .answer), (.open, .willPresent), (.open, .response), (.open, .silent), (.open, .token),
            (.open, .openSettings):
            return
        case (_, .hello), (_, .welcome), (_, .rejected), (_, .call), (_, .presence), (_, .present), (_, .completed),
            (_, .finished), (_, .answer), (_, .willPresent), (_, .response), (_, .silent), (_, .token),
            (_, .openSettings):
            throw .wrongPhase(type)
        }
    }

    // MARK: The app's messages

    mutating func take(_ message: AppMessage, at now: Duration) throws(AppViolation) {
        try checkPhase(of: message.type)
        switch message {
        case .hello: phase = .greeted
        case .call(let id, let call):
            guard rate.take(at: now) else { throw .tooManyCalls }
            try calls.open(id, call.name, .call)
        case .presence(let presence):
            // Paid for like a call, and refused by nobody: the socket lies unread for the longer.
            _ = rate.reserve(at: now)
            announced.inFront = announced.inFront || presence.inFront
            announced.listens = announced.listens || presence.listens
            announced.silent = announced.silent || presence.silent
        case .present(let id, _): try close(id, .willPresent, .present)
        case .completed(let id): try close(id, .response, .completed)
        case .finished(let id, _): try close(id, .silent, .finished)
        }
    }

    private mutating func close(_ id: UInt64, _ question: Question, _ type: AppMessageType) throws(AppViolation) {
        guard questions[id] == question else { throw .unknownID(type, id) }
        questions.close(id)
    }

    // MARK: The centre's messages

    mutating func take(_ message: CenterAppMessage) throws(AppViolation) {
        try checkPhase(of: message.type)
        switch message {
        case .welcome: phase = .open
        case .rejected: phase = .ended
        case .answer(let id, _, let answer):
            guard let name = calls[id] else { throw .unknownID(.answer, id) }
            guard answer.fits(name) else { throw .member(.answer, .wrongKind("ok")) }
            calls.close(id)
        case .willPresent(let id, _):
            guard announced.inFront, announced.listens else { throw .unannounced(.willPresent) }
            try ask(id, .willPresent, .willPresent)
        case .response(let id, _):
            guard announced.listens else { throw .unannounced(.response) }
            try ask(id, .response, .response)
        case .silent(let id, _):
            guard announced.silent else { throw .unannounced(.silent) }
            try ask(id, .silent, .silent)
        case .openSettings:
            guard announced.listens else { throw .unannounced(.openSettings) }
        case .token: break
        }
    }

    private mutating func ask(_ id: UInt64, _ question: Question, _ type: AppMessageType) throws(AppViolation) {
        guard hasRoom(for: question) else { throw .tooManyOpen(type) }
        try questions.open(id, question, type)
    }

    func hasRoom(for question: Question) -> Bool { questions.count { $0 == question } < question.limit }

    /// Gives up waiting for the answer to a question, which may come nevertheless; false if none is open.
    mutating func expireQuestion(_ id: UInt64) -> Bool { questions.expire(id) }
}

extension OpenQuestions {
    fileprivate mutating func open(_ id: UInt64, _ question: Question, _ type: AppMessageType) throws(AppViolation) {
        do { try open(id, question) } catch {
            switch error {
            case .notRising: throw .idNotRising(type, id)
            case .full: throw .tooManyOpen(type)
            }
        }
    }
}
