// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import Dispatch
import Locking
import Logging
import Metrics
import NotificationPayload
import PacketSockets

/// The conversation with one host, from its hello to its end.
///
/// All that lies in the socket is read in one piece, decided, committed in one transaction and acknowledged; meanwhile
/// the next piece gathers in the socket, whose length and the host's window bound it. A disk that fails stops the
/// reading: nothing is acknowledged, and the records are tried again each second.
final class LinkSession: Sendable {
    /// Packets that are read in one piece.
    private static let batchLimit = LinkWindow.recordLimit
    /// Files of the records that are read in one piece: descriptors of this process.
    private static let fileLimit = 64
    private static let retryPause = Duration.seconds(1)
    /// The time between two tries to have the host end registrations of removed apps.
    private static let settlingPause = Duration.seconds(60)

    private let center: Center
    private let socket: PacketSocket
    private let end: Locked<CenterLinkEnd>
    private let speaker: LinkSpeaker
    private let journal = Locked<UInt32?>(nil)
    private let clock: any Clock<Duration>
    private let intake: FileIntake
    /// The files of the list of apps that is under way.
    private let appFiles = Locked<[AppFile: KeptAppFile]>([:])
    /// The thread that waits in the kernel for packets.
    private let reader = DispatchQueue(label: "center.link.read")

    init(_ center: Center, _ socket: PacketSocket, clock: any Clock<Duration>) {
        self.center = center
        self.socket = socket
        self.clock = clock
        end = Locked(CenterLinkEnd())
        speaker = LinkSpeaker(socket, end, clock: clock)
        intake = FileIntake(center.store.files)
    }

    /// Returns when the host is gone, or has broken the rules.
    func run() async {
        center.logger.info("host connected")
        defer {
            socket.shutDown()
            center.host.leave(speaker)
            center.appFiles.discard(appFiles.withLock { $0 })
            speaker.finish()
        }
        await center.gateNews.withFeed { feed in
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await self.tellGates(feed) }
                group.addTask { await self.endRegistrations() }
                await self.converse(feed)
                group.cancelAll()
            }
        }
    }

    private func converse(_ feed: GateNews.Feed) async {
        do {
            while true {
                let (events, isOver) = try await read()
                try await handle(events, feed)
                if isOver { break }
            }
            center.logger.info("host gone")
        } catch let violation as LinkViolation {
            center.logger.error("host broke the rules of the link", metadata: ["error": "\(violation)"])
        } catch {
            center.logger.error("link ended", metadata: ["error": "\(error)"])
        }
    }

    // MARK: Reading

    /// Waits for a packet and takes those that lie behind it; true with the last ones.
    private func read() async throws -> (events: [Heard], isOver: Bool) {
        try await withCheckedContinuation { answer in
            reader.async { answer.resume(returning: Result { try self.readNow() }) }
        }.get()
    }

    /// A message of the host, and the files that came with it.
    private typealias Heard = (event: CenterLinkEnd.Event, files: [PassedFile])

    private func readNow() throws -> (events: [Heard], isOver: Bool) {
        var buffer = [UInt8](repeating: 0, count: LinkMessageType.maximumByteCount + 1)
        var events: [Heard] = []
        var fileCount = 0
        while events.count < Self.batchLimit, fileCount < Self.fileLimit {
            var files: [PassedFile] = []
            switch socket.receive(into: &buffer, files: &files, waits: events.isEmpty) {
            case .nothing: return (events, false)
            case .closed: return (events, true)
            case .malformed: throw LinkViolation.packet(.tooLong(byteCount: buffer.count, limit: buffer.count - 1))
            case .packet(let count):
                let event = try end.withLock { end throws(LinkViolation) in
                    try end.receive(buffer.span.extracting(0..<count), descriptorCount: files.count)
                }
                events.append((event, files))
                fileCount += files.count
                if case .shutdown = event { return (events, true) }
                // What follows is judged by an answer that must go out first.
                if event.wantsAnswer { return (events, false) }
            }
        }
        return (events, false)
    }

    // MARK: Gates

    /// Says that the centre is ready, and for which apps no extension runs.
    private func listGates() async throws {
        let list = try await untilDiskTakes { center throws(DatabaseFailure) in try center.shutGates() }
        try await speaker.send([.ready] + (list.pieces ?? []).map(CenterLinkMessage.gates))
    }

    /// Tells what is decided after the list, until the link ends or the task is cancelled.
    private func tellGates(_ feed: GateNews.Feed) async {
        while !Task.isCancelled {
            await feed.hasNews.wait()
            // What comes before the list lies until the list is sent.
            guard end.withLock({ $0.isServing }) else { continue }
            let keys = feed.take()
            guard !keys.isEmpty, !Task.isCancelled else { continue }
            do {
                let list = try await untilDiskTakes { center throws(DatabaseFailure) in try center.gates(of: keys) }
                try await speaker.send((list.pieces ?? []).map(CenterLinkMessage.gates))
            } catch {
                // The host hears of everything on the next link.
                socket.shutDown()
                return
            }
        }
    }

    /// Has the host end the registrations of apps that were removed, also those from before this link.
    private func endRegistrations() async {
        await center.registrations.removals.withSignal { signal in
            while !Task.isCancelled {
                await signal.wait()
                while !Task.isCancelled, await !RegistrationDesk(center: center).settleAll() {
                    try? await clock.sleep(for: Self.settlingPause)
                }
            }
        }
    }

    // MARK: Handling

    private func handle(_ events: [Heard], _ feed: GateNews.Feed) async throws {
        var batch = RecordBatch()
        for (event, files) in events {
            switch event {
            case .record(let number, let record): batch.add(number, record, files)
            case .unreadableRecord(let number): batch.refuse(number, .badRecord)
            case .hello(let hello):
                journal.withLock { $0 = UInt32(hello.journal, radix: 16) }
                try await listGates()
                feed.hasNews.raise()
                try await forget(below: hello.floor)
            case .registryPiece: break
            case .file(let file): await keep(file, files)
            case .registry(let registry):
                try await adopt(registry)
                center.host.enter(speaker)
                center.registrations.removals.raise()
            case .floor(let floor): try await forget(below: floor)
            case .call(let id, let call):
                // In their order: what came before the call is there for it.
                try await take(batch)
                batch = RecordBatch()
                try await speaker.send([.answer(id: id, call.call.name, await answer(to: call, files))])
            case .viewScene(let id, let update):
                do throws(MemberFault) { try speaker.heard(update, of: id) } catch {
                    throw LinkViolation.member(.viewScene, error)
                }
            case .viewFile(let id, let picture):
                if let file = files.first { speaker.heard(picture, file, of: id) }
            case .viewEnded(let id, let reason): speaker.heard(reason, of: id)
            case .told(let id, _, let answer): speaker.heard(answer, to: id)
            case .shutdown: break
            }
        }
        try await take(batch)
    }

    /// Answers a worker's call for the app whose worker makes it.
    private func answer(to call: LinkCall, _ files: [PassedFile]) async -> CallAnswer {
        let key: InstallationKey?
        do { key = try center.installation(owner: call.owner, topic: call.topic) } catch { return .failed(.disk) }
        guard let key else { return .failed(.notAllowed) }
        let desk = CallDesk(center, CallFiles(passed: files, intake: intake), by: .link)
        return await desk.answerWorker(call.call, of: key)
    }

    private func keep(_ file: AppFile, _ files: [PassedFile]) async {
        guard let passed = files.first else { return }
        switch await center.appFiles.keep(file, passed) {
        case .success(let kept): appFiles.withLock { $0[file] = kept }
        case .failure(let refusal):
            center.logger.warning(
                "file of an app not kept",
                metadata: ["topic": "\(file.topic)", "path": "\(file.path)", "reason": "\(refusal.word)"]
            )
        }
    }

    private func adopt(_ registry: LinkRegistry) async throws {
        let topics = Set(registry.apps.map(\.topic))
        let files = appFiles.withLock { files in
            defer { files = files.filter { !topics.contains($0.key.topic) } }
            return files.filter { topics.contains($0.key.topic) }
        }
        do {
            try await untilDiskTakes { center throws(DatabaseFailure) in try await center.adopt(registry) }
        } catch {
            center.appFiles.discard(files)
            throw error
        }
        LookNews(center: center).tell(of: center.appFiles.replace(by: files))
        center.appFiles.discard(
            appFiles.withLock { rest in
                defer { rest = [:] }
                return rest
            }
        )
        center.logger.info(
            "apps known",
            metadata: ["owners": "\(registry.owners.count)", "apps": "\(registry.apps.count)"]
        )
    }

    private func forget(below floor: Int64) async throws {
        guard let journal = journal.withLock({ $0 }), floor > 0 else { return }
        try await untilDiskTakes { center throws(DatabaseFailure) in
            _ = try await center.perform([.floor(journal: journal, number: floor)])
        }
    }

    /// Stores a piece of records in one transaction, and then says so: a crash between the two stores nothing twice.
    private func take(_ batch: consuming RecordBatch) async throws {
        guard let journal = journal.withLock({ $0 }) else { return }
        let read = batch
        var settled = read
        let count = read.records.count
        center.metrics.link.inFlight.add(count)
        defer { center.metrics.link.inFlight.add(-count) }
        try await untilDiskTakes { center throws(DatabaseFailure) in
            settled = read
            try await center.installApps(of: read.records)
            var (work, withFiles) = try settled.decide { record, number throws(DatabaseFailure) in
                do {
                    return .success(try center.work(for: record, named: RecordName(journal: journal, number: number)))
                } catch let reason as UnfitReason { return .failure(reason) } catch let failure as DatabaseFailure {
                    throw failure
                } catch { return .failure(.badRecord) }
            }
            var files = RecordFiles(center.store.files, intake)
            try await files.attach(withFiles, to: &work)
            let results: [WorkResult]
            do throws(DatabaseFailure) { results = try await center.perform(work) } catch {
                files.discardAll()
                throw error
            }
            files.settle(results)
            settled.note(results)
        }
        for refused in settled.refused { center.metrics.link.refuse(refused.reason) }
        let unfit = settled.refused.map { CenterLinkMessage.unfit(number: $0.number, $0.reason) }
        try await speaker.send(unfit + [TakenRanges(settled.taken)].compactMap { $0 }.map(CenterLinkMessage.taken))
    }

    /// Tries again each second while the store fails, as long as the host is there.
    private func untilDiskTakes<Value>(
        _ body: (Center) async throws(DatabaseFailure) -> Value
    ) async throws -> Value {
        while true {
            do {
                return try await body(center)
            } catch {
                center.logger.error("nothing can be stored", metadata: ["error": "\(error)"])
                guard socket.isConnected else { throw HostGone() }
                try await clock.sleep(for: Self.retryPause)
            }
        }
    }
}

extension CenterLinkEnd.Event {
    /// True if the host waits for what the centre says to it before it goes on.
    fileprivate var wantsAnswer: Bool {
        switch self {
        case .hello, .registry: true
        case .registryPiece, .file, .record, .unreadableRecord, .floor, .call, .told, .viewScene, .viewFile,
            .viewEnded, .shutdown:
            false
        }
    }
}
