// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
internal import Locking

/// Writes each delivery record as one line of JSON to a descriptor, standard output unless told otherwise.
///
/// Lines come whole and in the order of the calls; those that wait leave in one write. A slow reader holds `deliver`
/// back, so what waits is one record a caller, which the caller has anyway, and at most `batchByteCount` of text.
/// One caller at a time writes, for itself and for those that came meanwhile, as far as that needs no waiting; the rest
/// is left to a thread, which blocks as long as the reader likes. The descriptor may be non-blocking, and stays open at
/// the end.
package final class StdoutSink: Sink {
    /// The message that resumes a waiting caller.
    private enum Word {
        case written
        case failed(SinkError)
        case cancelled
        /// The caller writes next, its own record first.
        case write
    }

    private struct Waiting {
        let id: UInt64
        let record: DeliveryRecord
    }

    /// A caller behind the one who writes.
    private enum Caller {
        /// The caller has its place among those that wait, and does not wait yet.
        case coming
        case waiting(CheckedContinuation<Word, Never>)
        /// The word came before the caller waited.
        case told(Word)
    }

    private struct State {
        var waiting: [Waiting] = []
        /// Callers that wait for a word, by the id of their record.
        var callers: [UInt64: Caller] = [:]
        var lastID: UInt64 = 0
        /// A caller is about to write, or does, or the thread does in its place.
        var isWriting = false
        var failure: SinkError?
        /// The buffer of the last write, for the next, which would otherwise grow one from nothing by doubling.
        ///
        /// A thread that has just written may still hold it, and the next write makes a new one then.
        var spare = LineBatch()

        /// Gives a record its place and id; without a word another writes, and the caller has to wait for one.
        mutating func begin(_ record: DeliveryRecord) -> (id: UInt64, Word?) {
            lastID += 1
            if let failure { return (lastID, .failed(failure)) }
            waiting.append(Waiting(id: lastID, record: record))
            if isWriting {
                callers[lastID] = .coming
                return (lastID, nil)
            }
            isWriting = true
            return (lastID, .write)
        }

        /// Gives a caller its word; returns whom to resume with it.
        mutating func tell(_ id: UInt64, _ word: Word) -> CheckedContinuation<Word, Never>? {
            switch callers.removeValue(forKey: id) {
            case .waiting(let caller): return caller
            case .coming: callers[id] = .told(word)
            case .told, nil: break
            }
            return nil
        }
    }

    /// The records that one caller took to write, its own first, and how far that is.
    private struct Batch {
        let all: [Waiting]
        var lines: LineBatch
        /// Records of which it is known what becomes of them; the lines are of those behind them.
        var settledCount = 0
        /// The word for the one who took them, once it is known.
        var first: Word?

        var isSettled: Bool { settledCount == all.count }

        /// Makes lines of the next records unless some of the last are left.
        mutating func gather() {
            guard lines.lineCount == 0 else { return }
            for waiting in all[settledCount...] {
                lines.append(waiting.record.json)
                if lines.byteCount >= StdoutSink.batchByteCount { break }
            }
        }
    }

    /// Text gathered for one write, in bytes; a longer line goes alone.
    static let batchByteCount = 64 << 10

    package let name: String
    private let descriptor: Int32
    private let mayWriteNow: Bool
    private let state = Locked(State())
    private let writer: SerialWork

    package init(name: String = "stdout", descriptor: Int32 = 1) {
        self.name = name
        self.descriptor = descriptor
        mayWriteNow = LineBatch.mayWriteNow(to: descriptor)
        writer = SerialWork(name: "sink.\(name)")
    }

    /// Returns when the line was written whole.
    ///
    /// - Throws: `SinkError`: the reader is gone or the write failed; nothing is written after that, and every later
    ///   call throws the same. `CancellationError`: the call was cancelled while it waited. Its line is not written
    ///   then, unless a writer had taken it: what a writer has taken leaves in the background, whole.
    package func deliver(_ record: DeliveryRecord) async throws {
        let (id, known) = state.withLock { $0.begin(record) }
        var word = if let known { known } else { await word(for: id) }
        if case .write = word {
            // Others that conclude in the same turn of their thread join this write.
            await Task.yield()
            word = await writeWaiting(for: id)
        }
        switch word {
        case .written, .write: return
        case .failed(let failure): throw failure
        case .cancelled: throw CancellationError()
        }
    }

    // MARK: Waiting

    /// Returns the word about a record; calls `whenWaiting` as soon as one may come.
    private func word(for id: UInt64, whenWaiting: () -> Void = {}) async -> Word {
        await withTaskCancellationHandler {
            await withCheckedContinuation { caller in
                let word = state.withLock { state -> Word? in
                    if case .told(let word) = state.callers.removeValue(forKey: id) { return word }
                    state.callers[id] = .waiting(caller)
                    return nil
                }
                if let word { return caller.resume(returning: word) }
                whenWaiting()
                // A call that was cancelled before it waited has heard of that too early.
                if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    /// Lets a caller go whose turn has not come; a record without a caller is taken by no writer.
    private func cancel(_ id: UInt64) {
        let caller = state.withLock { state -> CheckedContinuation<Word, Never>? in
            guard case .waiting(let caller) = state.callers[id] else { return nil }
            state.callers[id] = nil
            return caller
        }
        caller?.resume(returning: .cancelled)
    }

    // MARK: Writing

    /// Writes all that waits now, and returns what has become of the first, the writer's own.
    private func writeWaiting(for id: UInt64) async -> Word {
        var batch = state.withLock { state in
            let all = state.waiting.filter { $0.id == id || state.callers[$0.id] != nil }
            defer { (state.waiting, state.spare) = ([], LineBatch()) }
            return Batch(all: all, lines: state.spare)
        }
        write(&batch, mayWait: false)
        if batch.isSettled {
            handOn(batch)
            return batch.first ?? .written
        }
        let goOn = { [self, batch] in
            writer.run {
                var batch = batch
                self.write(&batch, mayWait: true)
                self.handOn(batch)
            }
        }
        guard let first = batch.first else { return await word(for: id, whenWaiting: goOn) }
        goOn()
        return first
    }

    /// Writes until all is out, or, if it may not wait, until the descriptor takes no more.
    private func write(_ batch: inout Batch, mayWait: Bool) {
        while !batch.isSettled {
            batch.gather()
            do throws(LineBatch.WriteError) {
                if mayWait {
                    try batch.lines.write(to: descriptor)
                } else {
                    guard mayWriteNow, try batch.lines.writeNow(to: descriptor) else { return }
                }
                settle(&batch, batch.lines.lineCount, .written)
            } catch {
                let failure = SinkError(writing: name, errno: error.errno)
                state.withLock { $0.failure = failure }
                settle(&batch, error.writtenLineCount, .written)
                settle(&batch, batch.all.count - batch.settledCount, .failed(failure))
            }
            batch.lines.empty(keepingAtMost: 2 * Self.batchByteCount)
        }
    }

    /// Tells the next so many callers of a batch what has become of their records.
    private func settle(_ batch: inout Batch, _ count: Int, _ word: Word) {
        guard count > 0 else { return }
        let settled = batch.all[batch.settledCount..<batch.settledCount + count]
        if batch.settledCount == 0 { batch.first = word }
        batch.settledCount += count
        let callers = state.withLock { state in
            // Mostly there is one caller, who writes and waits for no word.
            state.callers.isEmpty ? [] : settled.compactMap { state.tell($0.id, word) }
        }
        for caller in callers { caller.resume(returning: word) }
    }

    /// Gives the buffer back, and has the first of those that came meanwhile write next, or tells all of a failure.
    private func handOn(_ batch: Batch) {
        let (callers, word) = state.withLock { state -> ([CheckedContinuation<Word, Never>], Word) in
            state.spare = batch.lines
            let word = state.failure.map(Word.failed) ?? .write
            state.waiting.removeFirst(state.waiting.prefix { state.callers[$0.id] == nil }.count)
            // The writer's record stays, as the first that it takes.
            let told = state.failure == nil ? state.waiting.prefix(1) : state.waiting[...]
            if state.failure != nil { state.waiting = [] }
            state.isWriting = !state.waiting.isEmpty
            return (told.compactMap { state.tell($0.id, word) }, word)
        }
        for caller in callers { caller.resume(returning: word) }
    }
}
