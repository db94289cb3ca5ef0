// SPDX-License-Identifier: Apache-2.0

import HostRuntime
import NotificationPayload
import WorkerProtocol

/// The opener's answer to a piece of a file.
struct FileAnswer {
    let plaintext: [UInt8]
    let isDone: Bool
}

/// The pieces of sealed files on their way through the opener: one at a time, each answered before the next is asked.
struct FilePieces {
    typealias Answer = Result<FileAnswer, AttachmentRefusal>

    /// A piece that somebody waits for.
    struct Question {
        let file: UInt64
        let app: String
        /// The process that has the file; no other may get a piece of it.
        let server: UInt64
        /// The piece as long as the opener has not got it; `nil` from then on.
        fileprivate(set) var unsent: [UInt8]?
        let continuation: CheckedContinuation<Answer, Never>
        let deadline: DeadlineQueue.ID
        fileprivate(set) var plaintext: [UInt8] = []

        init(
            file: UInt64,
            app: String,
            server: UInt64,
            piece: [UInt8],
            continuation: CheckedContinuation<Answer, Never>,
            deadline: DeadlineQueue.ID
        ) {
            self.file = file
            self.app = app
            self.server = server
            unsent = piece
            self.continuation = continuation
            self.deadline = deadline
        }
    }

    /// The piece that is to be handed to the opener, or that the opener has not answered yet; `nil` when there is none.
    private var question: Question?
    /// The number of the last file that was begun.
    private var lastFile: UInt64 = 0

    mutating func begin(_ file: UInt64) { lastFile = file }

    mutating func ask(_ question: Question) { self.question = question }

    /// Tells whether somebody waits for an answer about this file.
    func awaits(_ file: UInt64) -> Bool { question?.file == file }

    /// The piece that this process is to get; `nil` means that none waits to be handed.
    func unsent(for server: UInt64) -> (file: UInt64, app: String, bytes: [UInt8])? {
        guard let question, let bytes = question.unsent, question.server == server else { return nil }
        return (question.file, question.app, bytes)
    }

    mutating func handed() { question?.unsent = nil }

    /// Takes part of an opened file; false for anything that no file's piece can open.
    mutating func append(_ bytes: Span<UInt8>, of file: UInt64) -> Bool {
        guard question?.file == file else { return file <= lastFile }
        guard let count = question?.plaintext.count, count + bytes.count <= 2 * Packet.maximumByteCount else {
            return false
        }
        for index in bytes.indices { question?.plaintext.append(bytes[index]) }
        return true
    }

    /// The meaning of the opener's packet about a file.
    enum Meaning {
        /// The answer to the question.
        case answer(Answer)
        /// The answer to a question whose budget ended first.
        case tooLate
        case violation
    }

    func meaning(of packet: Packet) -> Meaning {
        guard let question, question.file == packet.id else { return packet.id <= lastFile ? .tooLate : .violation }
        if let error = packet.body["error"]?.string {
            return .answer(.failure(error == "forgotten" ? .openerUnavailable : .notOpened))
        }
        guard let state = packet.body["state"]?.string else { return .violation }
        return .answer(.success(FileAnswer(plaintext: question.plaintext, isDone: state == "done")))
    }

    /// Ends the wait for an answer; the caller forgets the deadline and answers who waits.
    mutating func takeQuestion() -> Question? { question.take() }
}
