// SPDX-License-Identifier: Apache-2.0

private import CenterProtocol

/// Two links on which the same is said: on the first a fuzzer speaks, on the second the ends of the first write again
/// what they took.
///
/// All four ends keep the same conversation, so that whatever one end takes, the other end may send.
struct TwinLink: ~Copyable {
    private var host = HostLinkEnd()
    private var center = CenterLinkEnd()
    private var hostAgain = HostLinkEnd()
    private var centerAgain = CenterLinkEnd()
    private var callNames: [UInt64: CallName] = [:]

    /// Takes a packet; false if it is a violation, after which nothing more is taken.
    mutating func take(_ packet: [UInt8], _ descriptorCount: Int) throws(BrokenPromise) -> Bool {
        let isTaken =
            packet.first.map { $0 >= 0x80 } == true
            ? try takeFromCenter(packet, descriptorCount) : try takeFromHost(packet, descriptorCount)
        guard isTaken else { return false }
        try compare()
        return true
    }

    mutating func expireCall(_ id: UInt64) throws(BrokenPromise) {
        let isExpired = host.expireCall(id)
        try expect(hostAgain.expireCall(id) == isExpired, "both links give up the same calls")
    }

    private func compare() throws(BrokenPromise) {
        let window = center.window
        try expect(
            window.count <= LinkWindow.recordLimit && window.byteCount <= LinkWindow.byteCountLimit,
            "no more is in flight than may be"
        )
        try expect(
            host.window.count == window.count && hostAgain.window == host.window
                && centerAgain.window.count == window.count,
            "all ends know what is in flight"
        )
        try expect(
            center.isServing == centerAgain.isServing && host.isServing == hostAgain.isServing
                && center.nextAskID == centerAgain.nextAskID && host.nextCallID == hostAgain.nextCallID
                && center.hasRoomForAsk == centerAgain.hasRoomForAsk && center.nextViewID == centerAgain.nextViewID
                && host.hasRoomForCall == hostAgain.hasRoomForCall,
            "both links are in one state"
        )
    }

    // MARK: The host's packets

    private mutating func takeFromHost(_ packet: [UInt8], _ count: Int) throws(BrokenPromise) -> Bool {
        let event: CenterLinkEnd.Event
        do { event = try center.receive(packet.span, descriptorCount: count) } catch {
            try expect(!center.isServing, "a violation ends the conversation: \(error)")
            return false
        }
        switch event {
        case .hello(let hello): try send(.hello(hello), event)
        case .record(let number, let record): try send(.record(number: number, record), event)
        case .unreadableRecord(let number): try pass(number, packet, event)
        case .floor(let number): try send(.floor(number), event)
        case .call(let id, let call):
            callNames[id] = call.call.name
            try send(.call(id: id, call), event)
        case .told(let id, let wish, let answer): try send(.told(id: id, wish, answer), event)
        case .registryPiece: break
        case .file(let file): try send(.file(file), event)
        case .registry(let registry):
            guard let pieces = registry.pieces else { throw BrokenPromise("what came in packets fits packets") }
            for piece in pieces { try send(.apps(piece), piece.isLast ? event : .registryPiece) }
        case .viewScene(let id, let update): try send(.viewScene(id: id, update), event)
        case .viewFile(let id, let file): try send(.viewFile(id: id, file), event)
        case .viewEnded(let id, let reason): try send(.viewEnded(id: id, reason), event)
        case .shutdown: try send(.shutdown, event)
        }
        return true
    }

    private mutating func send(_ message: HostLinkMessage, _ event: CenterLinkEnd.Event) throws(BrokenPromise) {
        let (written, rewritten): ([UInt8], [UInt8])
        let again: CenterLinkEnd.Event
        do throws(LinkViolation) {
            written = try host.send(message)
            rewritten = try hostAgain.send(message)
            again = try centerAgain.receive(written.span, descriptorCount: message.descriptorCount)
        } catch {
            throw BrokenPromise("what the centre takes the host may send: \(error)")
        }
        try expect(written == rewritten, "a message has one spelling: \(message.type)")
        try expect(again == event, "a message reads the same once written: \(message.type)")
    }

    /// Hands a record on as it came, since nobody can read it.
    private mutating func pass(
        _ number: Int64,
        _ packet: [UInt8],
        _ event: CenterLinkEnd.Event
    ) throws(BrokenPromise) {
        let again: CenterLinkEnd.Event
        do throws(LinkViolation) {
            try host.send(record: number, packetByteCount: packet.count)
            try hostAgain.send(record: number, packetByteCount: packet.count)
            again = try centerAgain.receive(packet.span, descriptorCount: 0)
        } catch {
            throw BrokenPromise("a record that cannot be read is no violation: \(error)")
        }
        try expect(again == event, "a record that cannot be read never can")
    }

    // MARK: The centre's packets

    private mutating func takeFromCenter(_ packet: [UInt8], _ count: Int) throws(BrokenPromise) -> Bool {
        let event: HostLinkEnd.Event
        do { event = try host.receive(packet.span, descriptorCount: count) } catch {
            try expect(!host.isServing, "a violation ends the conversation: \(error)")
            return false
        }
        let message: CenterLinkMessage =
            switch event {
            case .ready: .ready
            case .gates(let piece): .gates(piece)
            case .viewOpen(let id, let view): .viewOpen(id: id, view)
            case .viewEvent(let id, let event): .viewEvent(id: id, event)
            case .taken(let ranges): .taken(ranges)
            case .unfit(let number, let reason): .unfit(number: number, reason)
            case .answer(let id, let answer): .answer(id: id, try name(ofCall: id), answer)
            // Whatever the answer was, nobody waits for it.
            case .lateAnswer(let id): .answer(id: id, try name(ofCall: id), .failed(.unanswered))
            case .ask(let id, let ask): .ask(id: id, ask)
            }
        let (written, rewritten): ([UInt8], [UInt8])
        let again: HostLinkEnd.Event
        do throws(LinkViolation) {
            written = try center.send(message)
            rewritten = try centerAgain.send(message)
            again = try hostAgain.receive(written.span, descriptorCount: 0)
        } catch {
            throw BrokenPromise("what the host takes the centre may send: \(error)")
        }
        try expect(written == rewritten, "a message has one spelling: \(message.type)")
        try expect(again == event, "a message reads the same once written: \(message.type)")
        return true
    }

    private func name(ofCall id: UInt64) throws(BrokenPromise) -> CallName {
        guard let name = callNames[id] else { throw BrokenPromise("only calls are answered") }
        return name
    }
}
