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

    /// Ends only by throwing.
    func run() throws(Ending) -> Never {
        while true { try answerBatch() }
    }

    private func answerBatch() throws(Ending) {
        let now = Self.now()
        var answers: [Answer] = []
        var byteCount = 0
        var next: Packet? = try socket.receive()
        while let packet = next {
            let answer = try apps.answer(to: try OpenRequest(packet), now: now)
            answers.append(answer)
            byteCount += answer.bytes.count
            guard answers.count < Self.batchLimit, byteCount < Self.batchByteLimit else { break }
            next = try socket.receiveWaiting()
        }
        let failure = try replays.commit(now: now)
        for answer in answers {
            if let failure, answer.isOpened {
                try socket.send(Packet(.unavailable, id: answer.id, body: ["reason": .string(failure)]))
            } else {
                try socket.send(answer.bytes)
            }
        }
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
    /// It carries what was sealed.
    let isOpened: Bool
}
