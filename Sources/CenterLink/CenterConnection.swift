// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Dispatch
import HostRuntime
import Locking
import Logging
import NotificationPayload
import PacketSockets

/// The link while it lasts: records on their way to the centre, and what it says of them.
///
/// Sending and receiving wait in the kernel, each on a thread of its own; `close` ends both.
final class CenterConnection: RecordConnection {
    private let socket: PacketSocket
    private let end = Locked(HostLinkEnd())
    /// The wishes of apps that were not carried out yet; the link bounds them.
    private let asks = Locked<[(id: UInt64, LinkAsk)]>([])
    private let hasAsks = Signal()
    /// Gives tokens to apps.
    private let tokens: any TokenIssuer
    private let gates: GateIntake
    /// The files of records; `nil` means that the host keeps none.
    private let files: (any AttachmentKeeping)?
    /// The files that the centre has and has not answered for.
    private let credit = FileCredit()
    /// Calls of workers that the centre has not answered.
    private let calls: OpenCalls
    /// The views that the centre has open.
    private let views: LinkViews
    /// The apps that the centre may ask tokens for: those that it was told of.
    private let known = Locked(LinkRegistry())
    private let logger: Logger
    private let writer = DispatchQueue(label: "center.link.write")
    private let reader = DispatchQueue(label: "center.link.read")

    init(
        _ socket: PacketSocket,
        tokens: any TokenIssuer,
        gates: GateIntake,
        files: (any AttachmentKeeping)?,
        views host: any ViewServing,
        clock: HostClock,
        logger: Logger
    ) {
        self.socket = socket
        self.tokens = tokens
        self.gates = gates
        self.files = files
        calls = OpenCalls(clock: clock)
        self.logger = logger
        views = LinkViews(host) { [socket, end, writer] message, files, sent in
            writer.async {
                defer { sent() }
                let passed = files.compactMap(PassedFile.init(copying:))
                // Without a descriptor for it the view goes on without its picture.
                guard passed.count == files.count else { return }
                // A link that is gone ends its views.
                let packet = try? end.withLock { end throws(LinkViolation) in try end.send(message) }
                if let packet { _ = socket.send(packet, files: passed) }
            }
        }
    }

    /// Says who the host is, and hears for which apps no extension is to run; throws when it is no centre of ours.
    func greet(_ hello: LinkHello) async throws {
        try await onReader { connection in
            try connection.say(.hello(hello))
            var buffer = connection.makeBuffer()
            while true {
                guard let (event, _) = try connection.next(&buffer, waits: true) else { continue }
                if case .gates(let piece) = event {
                    connection.gates.add(piece)
                    if piece.isLast { break }
                }
            }
        }
        await gates.settle()
    }

    /// Says which apps the host has, and hands over their icons and sounds, as fast as the centre copies them.
    ///
    /// A file that cannot be opened any more is left out: it was there and good when the host started.
    func introduce(_ registry: LinkRegistry, _ files: [HostedAppFile]) async throws {
        guard let pieces = registry.pieces else { throw LinkRefusal.registryTooLong }
        known.withLock { $0 = registry }
        try await onReader { connection in
            for file in files {
                guard let opened = PassedFile(path: file.path, followsLinks: false) else {
                    connection.logger.warning(
                        "file of an app not readable",
                        metadata: ["topic": "\(file.file.topic)", "path": "\(file.path)"]
                    )
                    continue
                }
                try connection.say(.file(file.file), [opened])
            }
            for piece in pieces { try connection.say(.apps(piece)) }
        }
    }

    // MARK: RecordConnection

    func send(_ record: OutboxRecord) async -> Bool {
        // Nearly all have no files, and go out where they are made.
        let (isSent, packet) = await withCheckedContinuation { answer in
            writer.async {
                let packet = RecordPacket(record, self.files)
                let isWhole = packet.files.isEmpty
                answer.resume(returning: (isWhole ? self.sendNow(record.number, packet) : nil, packet))
            }
        }
        if let isSent { return isSent }
        guard await credit.take(packet.files.count, for: record.number) else { return false }
        return await withCheckedContinuation { answer in
            writer.async { answer.resume(returning: self.sendNow(record.number, packet)) }
        }
    }

    func answers() async -> [StreamAnswer]? {
        do {
            while true {
                let answers = try await onReader { connection in try connection.readNow() }
                // At once, whether or not there is an answer to a record beside them.
                await gates.settle()
                if !answers.isEmpty { return answers }
            }
        } catch LinkRefusal.closed {
            return nil
        } catch {
            logger.error("link to the notification centre ended", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// Reads until there is something of which others wait to hear, and what lies behind it.
    private func readNow() throws -> [StreamAnswer] {
        var buffer = makeBuffer()
        var answers: [StreamAnswer] = []
        var hasGates = false
        while let (event, files) = try next(&buffer, waits: answers.isEmpty && !hasGates) {
            switch event {
            case .taken(let taken):
                for range in taken.ranges { credit.giveBack(range) }
                answers += taken.ranges.map(StreamAnswer.taken)
            case .unfit(let number, let reason):
                credit.giveBack(number...number)
                answers.append(.unfit(number, reason: reason.rawValue))
            case .ask(let id, let ask):
                asks.withLock { $0.append((id, ask)) }
                hasAsks.raise()
            case .gates(let piece):
                gates.add(piece)
                hasGates = hasGates || piece.isLast
            case .answer(let id, let answer): calls.settle(id, answer)
            // Given up; its place is free now.
            case .lateAnswer(let id): calls.settle(id, .done)
            case .viewOpen(let id, let view):
                // A centre has views of the apps that it was told of, and of no other.
                let isOffered = known.withLock { known in
                    known.apps.contains { $0.topic == view.topic && $0.content != nil }
                }
                views.open(id, view, files, isOffered: isOffered)
            case .viewEvent(let id, let event): views.pass(event, files, to: id)
            case .ready: break
            }
        }
        return answers
    }

    func forget(below number: Int64) async {
        await withCheckedContinuation { done in
            writer.async {
                // A link that is gone forgets nothing, and the next one hears of it.
                try? self.say(.floor(number))
                done.resume()
            }
        }
    }

    func close() async {
        socket.shutDown()
        credit.close()
        calls.end()
        await views.end()
    }

    func serve() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.serveAsks() }
            group.addTask { await self.views.serve() }
            group.addTask {
                await self.calls.expire { id in _ = self.end.withLock { $0.expireCall(id) } }
            }
        }
    }

    // MARK: Calls of workers

    /// Has a call go out behind the records and calls before it, with its files; `answer` is called once, and `freed`
    /// once when the call has no place on the link any more.
    func call(
        _ call: LinkCall,
        _ files: [HeldFile],
        answer: @escaping @Sendable (CallAnswer) -> Void,
        freed: @escaping @Sendable () -> Void
    ) {
        // Its time begins now: a centre that takes nothing holds up the queue behind this.
        guard let key = calls.begin(answer, freed: freed) else { return }
        writer.async {
            guard self.calls.isWanted(key) else { return }
            let passed = files.compactMap(PassedFile.init(copying:))
            // No descriptor is left for one of them.
            guard passed.count == files.count else { return self.calls.fail(key) }
            do {
                let (id, packet) = try self.end.withLock { end throws(LinkViolation) in
                    let id = end.nextCallID
                    return (id, try end.send(.call(id: id, call)))
                }
                // Before the centre can answer.
                self.calls.bind(key, to: id)
                // The reader of a link that is gone ends all that is open.
                _ = self.socket.send(packet, files: passed)
            } catch {
                self.calls.fail(key)
            }
        }
    }

    // MARK: Device tokens

    private func serveAsks() async {
        while !Task.isCancelled {
            await hasAsks.wait()
            let open = asks.withLock { asks in
                defer { asks = [] }
                return asks
            }
            // A link that is gone has no use for the rest.
            for (id, ask) in open where !Task.isCancelled { try? await tell(id, ask.wish, await answer(to: ask)) }
        }
    }

    private func answer(to ask: LinkAsk) async -> CallAnswer {
        // Which owners there are, the centre knows.
        let isKnown = known.withLock { $0.apps.contains { $0.topic == ask.topic } }
        do throws(TokenRefusal) {
            switch ask.wish {
            case .register:
                guard isKnown else { return .failed(.noEnvironment) }
                return .token(try await tokens.register(ask.topic, for: ask.owner))
            case .withdraw:
                // An app that host.yaml names no more has the registration that it had.
                try await tokens.withdraw(ask.topic, of: ask.owner)
                return .done
            }
        } catch {
            switch error {
            case .unknownApp: return .failed(.noEnvironment)
            case .disk: return .failed(.disk)
            }
        }
    }

    private func tell(_ id: UInt64, _ wish: LinkAsk.Wish, _ answer: CallAnswer) async throws {
        try await withCheckedContinuation { done in
            writer.async { done.resume(returning: Result { try self.say(.told(id: id, wish, answer)) }) }
        }.get()
    }

    // MARK: On the threads

    private func onReader<Value: Sendable>(
        _ body: @escaping @Sendable (CenterConnection) throws -> Value
    ) async throws -> Value {
        try await withCheckedContinuation { answer in
            reader.async { answer.resume(returning: Result { try body(self) }) }
        }.get()
    }

    private func makeBuffer() -> [UInt8] { [UInt8](repeating: 0, count: LinkMessageType.maximumByteCount + 1) }

    /// Takes the next packet with the files that came with it; `nil` means that none is there now.
    private func next(
        _ buffer: inout [UInt8],
        waits: Bool
    ) throws -> (event: HostLinkEnd.Event, files: [PassedFile])? {
        var files: [PassedFile] = []
        switch socket.receive(into: &buffer, files: &files, waits: waits) {
        case .nothing: return nil
        case .closed: throw LinkRefusal.closed
        case .malformed: throw LinkViolation.packet(.tooLong(byteCount: buffer.count, limit: buffer.count - 1))
        case .packet(let count):
            let bytes = buffer
            let event = try end.withLock { [files] end throws(LinkViolation) in
                try end.receive(bytes.span.extracting(0..<count), descriptorCount: files.count)
            }
            return (event, files)
        }
    }

    private func say(_ message: HostLinkMessage, _ files: [PassedFile] = []) throws {
        let packet = try end.withLock { end throws(LinkViolation) in try end.send(message) }
        guard socket.send(packet, files: files) else { throw LinkRefusal.closed }
    }

    /// False: the link has ended.
    private func sendNow(_ number: Int64, _ packet: RecordPacket) -> Bool {
        do {
            try end.withLock { end throws(LinkViolation) in
                try end.send(record: number, packetByteCount: packet.bytes.count)
            }
            guard socket.send(packet.bytes, files: packet.files) else { throw LinkRefusal.closed }
            return true
        } catch {
            logger.error("link to the notification centre ended", metadata: ["error": "\(error)"])
            return false
        }
    }
}

/// The reason for which there is no link, beside the rules of the link.
enum LinkRefusal: Error, Equatable, CustomStringConvertible {
    case closed
    /// An owner or an app fits no packet.
    case registryTooLong

    var description: String {
        switch self {
        case .closed: "it was closed"
        case .registryTooLong: "an owner or an app is too long for the link"
        }
    }
}
