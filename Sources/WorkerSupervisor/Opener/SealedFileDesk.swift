// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Glibc
import HostRuntime
import NotificationPayload
import WorkerProtocol

/// Brings sealed files through the opener: one file at a time, apps in turn, a piece and its answer after the other.
///
/// Belongs to the supervisor's actor, whose isolation the waiting calls keep.
final class SealedFileDesk {
    /// A file that waits for its turn; their number is bounded by the files that are fetched.
    private struct Waiting {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
        let deadline: DeadlineQueue.ID
    }

    private let opener: OpenerClient
    private let serials: SerialNumbers
    private let timetable: Timetable<SealedFileDesk>
    private var isBusy = false
    private var turns = FairTurns<Waiting>()

    init(opener: OpenerClient, serials: SerialNumbers, timetable: Timetable<SealedFileDesk>) {
        self.opener = opener
        self.serials = serials
        self.timetable = timetable
    }

    /// Opens a file as `SealedFileOpening` says.
    func open(
        _ file: SealedFile,
        for app: String,
        from sealed: HeldFile,
        into makeTarget: @escaping @Sendable () -> HeldFile?,
        deadline: Duration
    ) async throws(AttachmentRefusal) -> HeldFile {
        guard await takeTurn(of: app, deadline) else { throw .outOfTime }
        defer {
            timetable.preconditionIsolated()
            leaveTurn()
        }
        let target = await withCheckedContinuation { continuation in
            Self.queue.async { continuation.resume(returning: makeTarget()) }
        }
        timetable.preconditionIsolated()
        guard let target else { throw .storeFailed }
        let id = opener.beginFile()
        let number: JSONObject = [
            "payload": .integer(Int64(bitPattern: file.number.payload)), "index": .integer(Int64(file.number.index)),
        ]
        guard let begin = try? Packet(.sealedFile, id: id, body: number).encoded() else { throw .openerUnavailable }
        guard let server = opener.server else { throw .openerUnavailable }
        var answer = try await opener.ask(begin, of: id, app, server, deadline)
        var written = 0
        var offset = 0
        while !answer.isDone {
            let piece = try await Self.read(sealed, at: offset)
            guard !piece.isEmpty else { throw .notOpened }
            offset += piece.count
            let packet = BytesPacket.encode(.sealedBytes, id: id, piece.span)
            answer = try await opener.ask(packet, of: id, app, server, deadline)
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
        guard timetable.now < deadline else { return false }
        guard isBusy else {
            isBusy = true
            turns.take(of: app)
            return true
        }
        let id = serials.next()
        return await withCheckedContinuation { continuation in
            let timer = timetable.schedule(at: deadline) { $0.turnTimedOut(id) }
            turns.wait(.init(id: id, continuation: continuation, deadline: timer), of: app)
        }
    }

    /// Has no file wait for its turn any more.
    func cutOff() {
        while let waiting = turns.remove(where: { _ in true }) {
            timetable.cancel(waiting.deadline)
            waiting.continuation.resume(returning: false)
        }
    }

    private func turnTimedOut(_ id: UInt64) {
        turns.remove { $0.id == id }?.continuation.resume(returning: false)
    }

    private func leaveTurn() {
        guard let next = turns.next() else {
            isBusy = false
            return
        }
        timetable.cancel(next.deadline)
        next.continuation.resume(returning: true)
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
