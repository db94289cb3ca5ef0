// SPDX-License-Identifier: Apache-2.0

package import HostRuntime
internal import Locking

/// Writes each delivery record as one line of JSON to a descriptor, standard output unless told otherwise.
///
/// Lines come whole and in the order of the calls; those that wait leave in one write. A slow reader holds `deliver`
/// back, so what waits is one record a caller, which the caller has anyway, and at most `batchByteCount` of text.
/// One caller at a time writes, for itself and for those that came meanwhile, as far as that needs no waiting; for the
/// rest there is a thread, which blocks as long as the reader likes. The descriptor may be non-blocking, and stays open
/// at the end.
package final class StdoutSink: Sink {
    /// The message that resumes a waiting caller.
    private enum Word {
        case written
        case failed(SinkError)
        /// The caller writes next, its own record first.
        case write
    }

    private struct Waiting {
        let record: DeliveryRecord
        /// `nil` marks the record of the caller who writes.
        var caller: CheckedContinuation<Word, Never>?
    }

    private struct State {
        var waiting: [Waiting] = []
        /// A caller is about to write, or does.
        var isWriting = false
        var failure: SinkError?
        /// The buffer of the last write, for the next, which would otherwise grow one from nothing by doubling.
        ///
        /// A thread that has just written may still hold it, and the next write makes a new one then.
        var spare = LineBatch()

        /// Makes the caller the writer when nobody writes, or returns the failure; `nil` when another writes.
        mutating func begin(_ record: DeliveryRecord) -> Word? {
            if let failure { return .failed(failure) }
            guard !isWriting else { return nil }
            isWriting = true
            waiting.append(Waiting(record: record, caller: nil))
            return .write
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
    /// A cancelled call waits all the same: half a line helps nobody, and the record may be out already.
    ///
    /// - Throws: `SinkError`: the reader is gone or the write failed. Nothing is written after that, and every later
    ///   call throws the same.
    package func deliver(_ record: DeliveryRecord) async throws {
        let word = if let word = begin(record) { word } else { await join(record) }
        switch word {
        case .written: return
        case .failed(let failure): throw failure
        case .write: break
        }
        // Others that conclude in the same turn of their thread join this write.
        await Task.yield()
        let failure = await writeWaiting()
        handOn()
        if let failure { throw failure }
    }

    /// Returns what becomes of a record without a wait; `nil` when another caller writes.
    private func begin(_ record: DeliveryRecord) -> Word? {
        state.withLock { $0.begin(record) }
    }

    /// Returns when it is this caller's turn to write, or when another has written its record.
    private func join(_ record: DeliveryRecord) async -> Word {
        await withCheckedContinuation { caller in
            let word = state.withLock { state -> Word? in
                // The other may have ended since `begin`.
                if let word = state.begin(record) { return word }
                state.waiting.append(Waiting(record: record, caller: caller))
                return nil
            }
            if let word { caller.resume(returning: word) }
        }
    }

    /// The first of those that came meanwhile writes next.
    private func handOn() {
        let next = state.withLock { state -> CheckedContinuation<Word, Never>? in
            state.isWriting = !state.waiting.isEmpty
            return state.isWriting ? state.waiting[0].caller.take() : nil
        }
        next?.resume(returning: .write)
    }

    /// Writes all that waits now, and returns what has become of the first, the writer's own.
    private func writeWaiting() async -> SinkError? {
        var (batch, lines): ([Waiting], LineBatch) = ([], LineBatch())
        state.withLock { state in
            swap(&batch, &state.waiting)
            swap(&lines, &state.spare)
        }
        var own: SinkError?
        for (index, waiting) in batch.enumerated() {
            lines.append(waiting.record.json)
            guard lines.byteCount >= Self.batchByteCount || index == batch.count - 1 else { continue }
            let failure = await write(lines)
            let first = index + 1 - lines.lineCount
            for place in first...index {
                let isOut = place - first < failure?.writtenLineCount ?? lines.lineCount
                let error = isOut ? nil : failure?.error
                if place == 0 { own = error }
                batch[place].caller?.resume(returning: error.map(Word.failed) ?? .written)
            }
            lines.empty(keepingAtMost: 2 * Self.batchByteCount)
        }
        state.withLock { swap(&lines, &$0.spare) }
        return own
    }

    /// Writes the lines; returns `nil` when all are out.
    private func write(_ lines: LineBatch) async -> (error: SinkError, writtenLineCount: Int)? {
        if let failure = state.withLock({ $0.failure }) { return (failure, 0) }
        do throws(LineBatch.WriteError) {
            var lines = lines
            if mayWriteNow, try lines.writeNow(to: descriptor) { return nil }
            try await writeOnThread(lines).get()
            return nil
        } catch {
            let failure = SinkError(writing: name, errno: error.errno)
            state.withLock { $0.failure = failure }
            return (failure, error.writtenLineCount)
        }
    }

    private func writeOnThread(_ lines: LineBatch) async -> Result<Void, LineBatch.WriteError> {
        await writer.result { [descriptor] in
            Result { () throws(LineBatch.WriteError) in
                var lines = lines
                try lines.write(to: descriptor)
            }
        }
    }
}
