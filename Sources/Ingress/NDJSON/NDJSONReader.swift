// SPDX-License-Identifier: Apache-2.0

private import Dispatch
private import Glibc
private import HostRuntime
private import Locking
private import Logging
private import NIOCore
private import NotificationPayload

private import struct Foundation.Date

/// The blocking loop of one input, on a thread of its own.
struct NDJSONReader {
    private let source: LineSource
    private let bell: Bell
    private var splitter = LineSplitter(limit: NDJSONLine.byteCountLimit)
    private var messageIDs = MessageIDGenerator()
    private let counters: IngressCounters
    private var refusedCount = 0

    init(source: LineSource, bell: Bell) {
        self.source = source
        self.bell = bell
        counters = IngressCounters(source.metrics)
    }

    mutating func readToEnd() -> Result<Int, IngressError> {
        // A reader of the answers that is gone is no reason to end: the thread never takes the signal.
        var pipe = sigset_t()
        sigemptyset(&pipe)
        sigaddset(&pipe, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &pipe, nil)

        var chunk = [UInt8](repeating: 0, count: LineSource.chunkByteCount)
        while bell.waitForInput(source.input) {
            let count = read(source.input, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return .failure(IngressError(.readFailed, "cannot read pushes: \(String(cString: strerror(errno)))"))
            }
            source.work(true)
            defer { source.work(false) }
            var lines: [(number: Int, line: LineSplitter.Line)] = []
            if count == 0 {
                // Who gave way was cut off: what no newline ended is the half of a line, and has no answer.
                if !source.hasGivenWay() { splitter.end(into: &lines) }
                _ = take(lines)
                break
            }
            splitter.read(chunk[..<count], into: &lines)
            guard take(lines) else { break }
        }
        return .success(refusedCount)
    }

    /// Returns `false` when nobody takes the answers any more.
    private mutating func take(_ lines: [(number: Int, line: LineSplitter.Line)]) -> Bool {
        var batch = NDJSONBatch()
        for (number, line) in lines {
            switch line {
            case .tooLong: batch.answers.append(.init(.line(number), Refusal(.payloadTooLarge)))
            case .text(let text):
                do {
                    judge(try NDJSONLine(text, firstToken: source.firstToken), into: &batch)
                } catch {
                    batch.answers.append(.init(.line(number), Refusal(error.reason)))
                }
            }
            if batch.pushes.count == LineSource.batchCount {
                guard conclude(batch) else { return false }
                batch = NDJSONBatch()
            }
        }
        return conclude(batch)
    }

    private mutating func judge(_ line: NDJSONLine, into batch: inout NDJSONBatch) {
        let answerID = line.request.repeatableID ?? messageIDs.next()
        do {
            let push = try line.push(
                from: source.sender,
                validator: source.validator,
                freshID: answerID,
                now: Date()
            )
            batch.pushes.append((push, batch.answers.count))
            batch.answers.append(.init(.id(answerID), nil))
        } catch {
            batch.answers.append(.init(.id(answerID), error))
        }
    }

    /// Hands the pushes over, then answers each line, in their order.
    private mutating func conclude(_ batch: NDJSONBatch) -> Bool {
        var batch = batch
        let start = NIODeadline.now()
        handOver(&batch)
        for answer in batch.answers {
            let (status, reason) = (answer.refusal?.status ?? 200, answer.refusal?.reason)
            counters.answered(
                "ndjson",
                status: status,
                reason: reason,
                after: Int((NIODeadline.now() - start).nanoseconds)
            )
            guard let refusal = answer.refusal else { continue }
            refusedCount += 1
            source.logger.debug("push refused", metadata: ["push.reason": "\(refusal.reason)"])
        }
        return write(batch.text(answeringAll: source.answersAll))
    }

    /// Offers a batch until each push is accepted, in order, or the reading ends.
    private func handOver(_ batch: inout NDJSONBatch) {
        var rest = batch.pushes
        var delay = source.retryDelay
        while !rest.isEmpty {
            let acceptances = accept(rest.map(\.push))
            for (offer, acceptance) in zip(rest, acceptances) where !acceptance.mayPass {
                batch.answers[offer.answer].refusal = PushFault(acceptance).map(Refusal.init(apns:))
            }
            rest = zip(rest, acceptances).filter(\.1.mayPass).map(\.0)
            guard !rest.isEmpty else { return }
            guard !bell.waitForRing(delay) else {
                for offer in rest { batch.answers[offer.answer].refusal = Refusal(apns: .drained) }
                return
            }
            delay = min(delay * 2, .milliseconds(500))
        }
    }

    private func accept(_ pushes: [IncomingPush]) -> [Acceptance] {
        let answered = DispatchSemaphore(value: 0)
        let box = AnswerBox(count: pushes.count)
        source.acceptor.accept(pushes) { place, answers in
            if box.take(answers, from: place) { answered.signal() }
        }
        answered.wait()
        return box.answers
    }

    /// Returns `false` when the reader of the answers is gone, or takes none for too long.
    private func write(_ text: [UInt8]) -> Bool {
        var offset = 0
        while offset < text.count {
            let count = text[offset...].withUnsafeBytes { Glibc.write(source.answers, $0.baseAddress, $0.count) }
            if count >= 0 {
                offset += count
            } else if errno == EAGAIN {
                var ready = pollfd(fd: source.answers, events: Int16(POLLOUT), revents: 0)
                if poll(&ready, 1, source.answerPatienceMilliseconds) == 0 { return false }
            } else if errno != EINTR {
                // Standard input is read on without anybody who hears of refusals.
                return !source.answersAll
            }
        }
        return true
    }
}

/// Answers that come in pieces.
private final class AnswerBox: Sendable {
    private let state: Locked<(answers: [Acceptance], missing: Int)>

    init(count: Int) {
        state = Locked((Array(repeating: .unavailable, count: count), count))
    }

    var answers: [Acceptance] { state.withLock { $0.answers } }

    /// Returns `true` when the last answer came, or an empty one says that there are no more.
    func take(_ answers: [Acceptance], from place: Int) -> Bool {
        state.withLock { state in
            for (index, answer) in zip(place..., answers) { state.answers[index] = answer }
            state.missing = answers.isEmpty ? 0 : state.missing - answers.count
            return state.missing == 0
        }
    }
}

/// Lines that are answered together: those that are pushes, and what each line hears.
private struct NDJSONBatch {
    struct Answer {
        enum Subject {
            case id(String)
            /// A line that is no push has a number only.
            case line(Int)
        }

        let subject: Subject
        /// The reason for which the line is refused; `nil` means that its push is accepted.
        var refusal: Refusal?

        init(_ subject: Subject, _ refusal: Refusal?) {
            self.subject = subject
            self.refusal = refusal
        }

        var object: JSONObject {
            var object: JSONObject =
                switch subject {
                case .id(let id): ["id": .string(id)]
                case .line(let number): ["line": .integer(Int64(number))]
                }
            object["status"] = .integer(Int64(refusal?.status ?? 200))
            object["reason"] = (refusal?.reason).map(JSON.string)
            return object
        }
    }

    var answers: [Answer] = []
    /// Each with the place of its answer.
    var pushes: [(push: IncomingPush, answer: Int)] = []

    func text(answeringAll: Bool) -> [UInt8] {
        var text: [UInt8] = []
        for answer in answers where answeringAll || answer.refusal != nil {
            answer.object.write(to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        return text
    }
}
