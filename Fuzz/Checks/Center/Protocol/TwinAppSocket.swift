// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol

/// Two sockets on which the same is said: on the first a fuzzer speaks, on the second the ends of the first write again
/// what they took.
///
/// All four ends keep the same conversation, so that whatever one end takes, the other end may send. Packets come a
/// millisecond after one another.
struct TwinAppSocket: ~Copyable {
    private var app = AppEnd()
    private var center = CenterAppEnd()
    private var appAgain = AppEnd()
    private var centerAgain = CenterAppEnd()
    /// Messages of the app that answer a question, by its id, for an answer that comes too late to be handed on.
    private var answers: [UInt64: AppMessage] = [:]
    private var now = Duration.zero

    /// Takes a packet; false if it is a violation, after which nothing more is taken.
    mutating func take(_ packet: [UInt8], _ descriptorCount: Int) throws(BrokenPromise) -> Bool {
        now += .milliseconds(1)
        let isTaken =
            packet.first.map { $0 < 0x80 } == true
            ? try takeFromCenter(packet, descriptorCount) : try takeFromApp(packet, descriptorCount)
        guard isTaken else { return false }
        try compare()
        return true
    }

    mutating func expireQuestion(_ id: UInt64) throws(BrokenPromise) {
        let isExpired = center.expireQuestion(id)
        try expect(centerAgain.expireQuestion(id) == isExpired, "both sockets give up the same questions")
    }

    private func compare() throws(BrokenPromise) {
        try expect(
            center.isOpen == app.isOpen && centerAgain.isOpen == app.isOpen && appAgain.isOpen == app.isOpen,
            "all ends know whether the socket is open"
        )
        try expect(
            center.nextQuestionID == centerAgain.nextQuestionID && app.nextCallID == appAgain.nextCallID
                && center.pause(at: now) == app.pause(at: now)
                && center.hasRoomToPresent == centerAgain.hasRoomToPresent
                && center.hasRoomForResponse == centerAgain.hasRoomForResponse
                && center.hasRoomForSilentPush == centerAgain.hasRoomForSilentPush,
            "both sockets are in one state"
        )
    }

    // MARK: The app's packets

    private mutating func takeFromApp(_ packet: [UInt8], _ count: Int) throws(BrokenPromise) -> Bool {
        let event: CenterAppEnd.Event
        do { event = try center.receive(packet.span, descriptorCount: count, at: now) } catch {
            try expect(!center.isOpen, "a violation ends the conversation: \(error)")
            return false
        }
        let message: AppMessage =
            switch event {
            case .hello(let hello): .hello(hello)
            case .call(let id, let call): .call(id: id, call)
            case .presence(let presence): .presence(presence)
            case .present(let id, let options): .present(id: id, options)
            case .completed(let id): .completed(id: id)
            case .finished(let id, let result): .finished(id: id, result)
            case .lateAnswer(let id): try answer(to: id)
            }
        let (written, rewritten): ([UInt8], [UInt8])
        let again: CenterAppEnd.Event
        do throws(AppViolation) {
            written = try app.send(message, at: now)
            rewritten = try appAgain.send(message, at: now)
            again = try centerAgain.receive(written.span, descriptorCount: message.descriptorCount, at: now)
        } catch {
            throw BrokenPromise("what the centre takes the app may send: \(error)")
        }
        try expect(written == rewritten, "a message has one spelling: \(message.type)")
        try expect(again == event, "a message reads the same once written: \(message.type)")
        return true
    }

    private func answer(to id: UInt64) throws(BrokenPromise) -> AppMessage {
        guard let answer = answers[id] else { throw BrokenPromise("only questions are answered") }
        return answer
    }

    // MARK: The centre's packets

    private mutating func takeFromCenter(_ packet: [UInt8], _ count: Int) throws(BrokenPromise) -> Bool {
        let message: CenterAppMessage
        do { message = try app.receive(packet.span, descriptorCount: count) } catch {
            try expect(!app.isOpen, "a violation ends the conversation: \(error)")
            return false
        }
        switch message {
        case .willPresent(let id, _): answers[id] = .present(id: id, [])
        case .response(let id, _): answers[id] = .completed(id: id)
        case .silent(let id, _): answers[id] = .finished(id: id, .noData)
        case .welcome, .rejected, .answer, .token, .openSettings: break
        }
        let (written, rewritten): ([UInt8], [UInt8])
        let again: CenterAppMessage
        do throws(AppViolation) {
            written = try center.send(message)
            rewritten = try centerAgain.send(message)
            again = try appAgain.receive(written.span, descriptorCount: 0)
        } catch {
            throw BrokenPromise("what the app takes the centre may send: \(error)")
        }
        try expect(written == rewritten, "a message has one spelling: \(message.type)")
        try expect(again == message, "a message reads the same once written: \(message.type)")
        return true
    }
}
