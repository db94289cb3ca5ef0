// SPDX-License-Identifier: Apache-2.0

private import Dispatch
private import Glibc
private import HostRuntime
private import Locking
private import Logging
private import NotificationPayload

private import struct Foundation.Date

/// The blocking loop of `NDJSONIngress`, on a thread of its own.
struct NDJSONReader {
    private struct Offer {
        let push: IncomingPush
        let answerID: String
    }

    private let ingress: NDJSONIngress
    private let bell: Bell
    private var splitter = LineSplitter(limit: NDJSONLine.byteCountLimit)
    private var messageIDs = MessageIDGenerator()
    private var refusedCount = 0

    init(ingress: NDJSONIngress, bell: Bell) {
        self.ingress = ingress
        self.bell = bell
    }

    mutating func readToEnd() -> Result<Int, IngressError> {
        // A reader of the refusals that is gone is no reason to end: the thread never takes the signal.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)

        var chunk = [UInt8](repeating: 0, count: NDJSONIngress.chunkByteCount)
        while bell.waitForInput(ingress.input) {
            let count = read(ingress.input, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failure(IngressError(.readFailed, "cannot read pushes: \(String(cString: strerror(errno)))"))
            }
            var lines: [(number: Int, line: LineSplitter.Line)] = []
            if count == 0 {
                splitter.end(into: &lines)
                take(lines)
                break
            }
            splitter.read(chunk[..<count], into: &lines)
            take(lines)
        }
        return .success(refusedCount)
    }

    private mutating func take(_ lines: [(number: Int, line: LineSplitter.Line)]) {
        var offers: [Offer] = []
        for (number, line) in lines {
            switch line {
            case .tooLong: refuse(line: number, Refusal(.payloadTooLarge))
            case .text(let text):
                do {
                    if let offer = judge(try NDJSONLine(text, firstTokens: ingress.firstTokens)) {
                        offers.append(offer)
                    }
                } catch {
                    refuse(line: number, Refusal(error.reason))
                }
            }
            if offers.count == NDJSONIngress.batchCount {
                handOver(offers)
                offers = []
            }
        }
        handOver(offers)
    }

    private mutating func judge(_ line: NDJSONLine) -> Offer? {
        let answerID = line.request.repeatableID ?? messageIDs.next()
        do {
            let push = try line.push(validator: ingress.validator, freshID: answerID, now: Date())
            return Offer(push: push, answerID: answerID)
        } catch {
            refuse(id: answerID, error)
            return nil
        }
    }

    /// Offers a batch until each push is accepted, in order, or the reading ends.
    private mutating func handOver(_ offers: [Offer]) {
        var rest = offers
        var delay = ingress.retryDelay
        while !rest.isEmpty {
            let answers = accept(rest.map(\.push))
            rest = zip(rest, answers).filter { !$0.1.isAcceptance }.map(\.0)
            guard !rest.isEmpty else { return }
            guard !bell.waitForRing(delay) else {
                for offer in rest { refuse(id: offer.answerID, Refusal(.shutdown)) }
                return
            }
            delay = min(delay * 2, .milliseconds(500))
        }
    }

    private func accept(_ pushes: [IncomingPush]) -> [Acceptance] {
        let answered = DispatchSemaphore(value: 0)
        let box = AnswerBox(count: pushes.count)
        ingress.acceptor.accept(pushes) { place, answers in
            if box.take(answers, from: place) { answered.signal() }
        }
        answered.wait()
        return box.answers
    }
}

/// Answers that come in pieces.
private final class AnswerBox: Sendable {
    private let state: Locked<[Acceptance?]>

    init(count: Int) {
        state = Locked(Array(repeating: nil, count: count))
    }

    var answers: [Acceptance] { state.withLock { $0.map { $0 ?? .unavailable } } }

    /// True when it has the last.
    func take(_ answers: [Acceptance], from place: Int) -> Bool {
        state.withLock { all in
            for (index, answer) in zip(place..., answers) where all.indices.contains(index) { all[index] = answer }
            return all.allSatisfy { $0 != nil }
        }
    }
}

// MARK: Refusals

extension NDJSONReader {
    private mutating func refuse(line number: Int, _ refusal: Refusal) {
        refuse(["line": .integer(Int64(number))], refusal)
    }

    private mutating func refuse(id: String, _ refusal: Refusal) {
        refuse(["id": .string(id)], refusal)
    }

    private mutating func refuse(_ subject: JSONObject, _ refusal: Refusal) {
        refusedCount += 1
        ingress.logger.debug("push refused", metadata: ["push.reason": "\(refusal.reason)"])
        var answer = subject
        answer["status"] = .integer(Int64(refusal.status))
        answer["reason"] = .string(refusal.reason)
        var line = answer.serialized
        line.append(UInt8(ascii: "\n"))
        var offset = 0
        while offset < line.count {
            let count = line[offset...].withUnsafeBytes { write(ingress.refusals, $0.baseAddress, $0.count) }
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                var ready = pollfd(fd: ingress.refusals, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}
