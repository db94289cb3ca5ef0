// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
package import HostRuntime
import NotificationPayload
import WorkerProtocol

/// Files on their way through the opener: one at a time, a piece and its answer after the other.
struct SealedFileState {
    /// Waits for its turn; bounded by the files that are fetched.
    struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
        let deadline: DeadlineQueue.ID
    }

    var isBusy = false
    var turns = FairTurns<Waiting>()
    /// What was said to the opener last, until it is answered.
    var question: Question?
    /// The number of the last file that was begun.
    var last: UInt64 = 0

    struct Question {
        let file: UInt64
        let app: String
        /// The process that has the file, and no other may get a piece of it.
        let server: UInt64
        /// Until the desk lets it be handed; nil from then on.
        var unsent: [UInt8]?
        let continuation: CheckedContinuation<Result<FileAnswer, AttachmentRefusal>, Never>
        let deadline: DeadlineQueue.ID
        var plaintext: [UInt8] = []
    }
}

/// The opener's answer to a piece of a file.
struct FileAnswer {
    let plaintext: [UInt8]
    let isDone: Bool
}

extension WorkerSupervisor: SealedFileOpening {
    package func open(
        _ file: SealedFile,
        for app: String,
        from sealed: HeldFile,
        into makeTarget: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile {
        guard await takeTurn(of: app, deadline) else { throw .outOfTime }
        defer { leaveTurn() }
        let target = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: makeTarget()) }
        }
        guard let target else { throw .storeFailed }
        let id = nextSerial()
        files.last = id
        let number: JSONObject = [
            "payload": .integer(Int64(bitPattern: file.number.payload)), "index": .integer(Int64(file.number.index)),
        ]
        guard let begin = try? Packet(.sealedFile, id: id, body: number).encoded() else { throw .openerUnavailable }
        guard let server = opener.process?.serial else { throw .openerUnavailable }
        var answer = try await ask(begin, of: id, app, server, deadline)
        var written = 0
        var offset = 0
        while !answer.isDone {
            let piece = try await Self.read(sealed, at: offset)
            guard !piece.isEmpty else { throw .notOpened }
            offset += piece.count
            answer = try await ask(BytesPacket.encode(.sealedBytes, id: id, piece.span), of: id, app, server, deadline)
            // Whoever answers: no more is written than the entry says.
            guard written + answer.plaintext.count <= file.byteCount else { throw .notOpened }
            try await Self.write(answer.plaintext, to: target)
            written += answer.plaintext.count
        }
        guard written == file.byteCount, offset == file.sealedByteCount,
            lseek(target.descriptor, 0, SEEK_SET) == 0
        else { throw .notOpened }
        return target
    }

    // MARK: Turns

    /// False at the deadline.
    private func takeTurn(of app: String, _ deadline: Duration) async -> Bool {
        guard clock.now < deadline else { return false }
        guard files.isBusy else {
            files.isBusy = true
            files.turns.take(of: app)
            return true
        }
        let id = nextSerial()
        return await withCheckedContinuation { continuation in
            let timer = schedule(at: deadline) { $0.turnTimedOut(id) }
            files.turns.wait(.init(id: id, continuation: continuation, deadline: timer), of: app)
        }
    }

    private func turnTimedOut(_ id: UInt64) {
        files.turns.remove { $0.id == id }?.continuation.resume(returning: false)
    }

    private func leaveTurn() {
        guard let next = files.turns.next() else {
            files.isBusy = false
            return
        }
        deadlines.cancel(next.deadline)
        next.continuation.resume(returning: true)
    }

    // MARK: Questions and answers

    private func ask(
        _ bytes: [UInt8],
        of file: UInt64,
        _ app: String,
        _ server: UInt64,
        _ deadline: Duration
    ) async throws(AttachmentRefusal) -> FileAnswer {
        let asked = clock.now
        guard asked < deadline else { throw .outOfTime }
        guard opener.desk.takesFiles(of: app, now: asked), let limit = configuration.opener?.answerLimit else {
            throw .openerUnavailable
        }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<FileAnswer, AttachmentRefusal>, Never>) in
            guard opener.takesOpenings, opener.process?.serial == server else {
                return continuation.resume(returning: .failure(.openerUnavailable))
            }
            let timer = schedule(at: min(deadline, asked + limit + limit)) { $0.fileTimedOut(file, deadline) }
            files.question = .init(
                file: file,
                app: app,
                server: server,
                unsent: bytes,
                continuation: continuation,
                deadline: timer
            )
            handOpenings()
        }
        return try result.get()
    }

    /// Hands the piece that waits, if the desk lets it through.
    func handPiece() {
        guard let question = files.question, let bytes = question.unsent, question.server == opener.process?.serial,
            opener.desk.handFile(question.file, of: question.app, now: clock.now)
        else { return }
        files.question?.unsent = nil
        opener.process?.channel.send(bytes)
    }

    /// An opener that is silent with the piece is found out by the desk's first look; this ends the wait for a turn.
    private func fileTimedOut(_ file: UInt64, _ deadline: Duration) {
        // What was drained has made room, and no event of the socket comes for it any more.
        defer { handOpenings() }
        drainOpenerPackets()
        guard files.question?.file == file else { return }
        finishQuestion(.failure(clock.now >= deadline ? .outOfTime : .openerUnavailable))
    }

    private func finishQuestion(_ result: Result<FileAnswer, AttachmentRefusal>) {
        guard let question = files.question else { return }
        files.question = nil
        deadlines.cancel(question.deadline)
        question.continuation.resume(returning: result)
    }

    /// The opener is gone, and with it the file that it was opening.
    func openerLostFile() {
        finishQuestion(.failure(.openerUnavailable))
    }

    /// Part of an opened file; false for anything that no file's piece can open.
    func openerOpened(_ bytes: Span<UInt8>, of file: UInt64) -> Bool {
        guard files.question?.file == file else { return file <= files.last }
        guard let count = files.question?.plaintext.count, count + bytes.count <= 2 * Packet.maximumByteCount else {
            return false
        }
        for index in bytes.indices { files.question?.plaintext.append(bytes[index]) }
        return true
    }

    func openerSaid(_ packet: Packet) -> Bool {
        _ = opener.desk.answered(packet.id, isFile: true)
        // The answer to a question whose budget ended first.
        guard let question = files.question, question.file == packet.id else { return packet.id <= files.last }
        if let error = packet.body["error"]?.string {
            finishQuestion(.failure(error == "forgotten" ? .openerUnavailable : .notOpened))
            return true
        }
        guard let state = packet.body["state"]?.string else { return false }
        finishQuestion(.success(FileAnswer(plaintext: question.plaintext, isDone: state == "done")))
        return true
    }

    // MARK: The files

    /// Reading and writing may block; never on the supervisor's thread.
    private static let queue = DispatchQueue(label: "sealed-files", attributes: .concurrent)

    private static func read(_ file: HeldFile, at offset: Int) async throws(AttachmentRefusal) -> [UInt8] {
        let piece: [UInt8]? = await withCheckedContinuation { continuation in
            queue.async {
                var piece = [UInt8](repeating: 0, count: BytesPacket.maximumByteCount)
                let count = unsafe pread(file.descriptor, &piece, piece.count, offset)
                continuation.resume(returning: count < 0 ? nil : Array(piece.prefix(count)))
            }
        }
        guard let piece else { throw .unreadable }
        return piece
    }

    private static func write(_ bytes: [UInt8], to file: HeldFile) async throws(AttachmentRefusal) {
        guard !bytes.isEmpty else { return }
        let isWritten = await withCheckedContinuation { continuation in
            queue.async {
                var written = 0
                while written < bytes.count {
                    let count = unsafe bytes.withUnsafeBytes { bytes in
                        unsafe Glibc.write(
                            file.descriptor,
                            bytes.baseAddress?.advanced(by: written),
                            bytes.count - written
                        )
                    }
                    guard count > 0 || errno == EINTR else { break }
                    written += max(0, count)
                }
                continuation.resume(returning: written == bytes.count)
            }
        }
        guard isWritten else { throw .storeFailed }
    }
}

extension NamedFile {
    /// As the opener describes it; nil for what is no description.
    init?(_ description: JSON, ofPayload payload: UInt64) {
        guard let object = description.object, let identifier = object["id"]?.string else { return nil }
        if let error = object["error"]?.string {
            self = .unusable(AttachmentRefusal(rawValue: error) ?? .badEntry)
            return
        }
        guard let index = object["index"]?.integer.flatMap(Int.init(exactly:)), index >= 0,
            let size = object["size"]?.integer.flatMap(Int.init(exactly:)), size >= 0,
            let sealedSize = object["sealedSize"]?.integer.flatMap(Int.init(exactly:)), sealedSize > 0
        else { return nil }
        self = .sealed(
            SealedFile(
                identifier: identifier,
                url: object["url"]?.string,
                type: object["type"]?.string,
                name: object["name"]?.string,
                byteCount: size,
                sealedByteCount: sealedSize,
                number: .init(payload: payload, index: index)
            )
        )
    }
}
