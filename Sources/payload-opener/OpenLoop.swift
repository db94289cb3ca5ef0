// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import Glibc
import NotificationPayload
import WorkerProtocol

/// Answers what the host sends, as many requests at a time as wait: opens each, remembers all of them with one write,
/// and only then lets the host hear of any.
struct OpenLoop {
    /// Requests of one batch.
    static let batchLimit = 64
    /// Bytes of its answers after which a batch takes no further request.
    static let batchByteLimit = 256 << 10

    let socket: HostSocket
    let apps: AppTable
    let replays: ReplayState
    let files: SealedFiles

    /// Ends only by throwing.
    func run() throws(Ending) -> Never {
        while true { try answer(try socket.receiveMessage()) }
    }

    private func answer(_ message: HostSocket.Message) throws(Ending) {
        var message = message
        while case .packet(let packet) = message, packet.type == .open {
            guard let next = try answerBatch(from: packet) else { return }
            message = next
        }
        try files.answer(message)
    }

    /// Returns what came behind the batch and belongs to none.
    private func answerBatch(from first: Packet) throws(Ending) -> HostSocket.Message? {
        let now = Self.now()
        var answers: [Answer] = []
        var byteCount = 0
        var packet = first
        var other: HostSocket.Message?
        while true {
            let answer = try apps.answer(to: try OpenRequest(packet), now: now)
            answers.append(answer)
            byteCount += answer.bytes.count
            guard answers.count < Self.batchLimit, byteCount < Self.batchByteLimit,
                let next = try socket.receiveWaiting()
            else { break }
            guard case .packet(let request) = next, request.type == .open else {
                other = next
                break
            }
            packet = request
        }
        let failure = try replays.commit(now: now)
        for answer in answers {
            if let failure, answer.isOpened {
                try socket.send(Packet(.unavailable, id: answer.id, body: ["reason": .string(failure)]))
            } else {
                for (index, entry) in answer.entries.enumerated() {
                    files.receiver.hold(entry, as: .init(payload: answer.id, index: index), of: answer.app)
                }
                try socket.send(answer.bytes)
            }
        }
        return other
    }

    /// Unix milliseconds.
    static func now() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// A packet that is ready to be sent.
struct Answer {
    let id: UInt64
    let bytes: [UInt8]
    /// True when the packet carries what was sealed.
    let isOpened: Bool
    /// The entries of the files that the packet names, each with the key that opens its file.
    var entries: [AttachmentEntry] = []
    /// The app's place in hello.
    var app = 0
}
