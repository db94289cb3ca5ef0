// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
package import HostRuntime
internal import Locking

/// Writes each delivery record as one line of JSON to a descriptor, standard output unless told otherwise.
///
/// Lines come whole and in the order of the calls; those that wait leave in one write. A slow reader holds `deliver`
/// back, so what waits is one record a caller, which the caller has anyway, and at most `batchByteCount` of text.
/// A queue of its own does the writing and blocks as long as the reader likes; the descriptor may be non-blocking, and
/// stays open at the end.
package final class StdoutSink: Sink {
    private struct Waiting: Sendable {
        let record: DeliveryRecord
        let written: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var waiting: [Waiting] = []
        /// A turn of `writer` is under way or will come.
        var isWriting = false
        var failure: SinkError?
    }

    /// Text gathered for one write, in bytes; a longer line goes alone.
    static let batchByteCount = 64 << 10

    package let name: String
    private let descriptor: Int32
    private let state = Locked(State())
    private let writer: DispatchQueue

    package init(name: String = "stdout", descriptor: Int32 = 1) {
        self.name = name
        self.descriptor = descriptor
        writer = DispatchQueue(label: "sink.\(name)")
    }

    /// Returns when the line was written whole.
    ///
    /// A cancelled call waits all the same: half a line helps nobody, and the record may be out already.
    ///
    /// - Throws: `SinkError`: the reader is gone or the write failed. Nothing is written after that, and every later
    ///   call throws the same.
    package func deliver(_ record: DeliveryRecord) async throws {
        try await withCheckedThrowingContinuation { written in
            let (failure, needsTurn) = state.withLock { state -> (SinkError?, Bool) in
                if let failure = state.failure { return (failure, false) }
                state.waiting.append(Waiting(record: record, written: written))
                defer { state.isWriting = true }
                return (nil, !state.isWriting)
            }
            if let failure { written.resume(throwing: failure) }
            if needsTurn { writer.async { self.writeWaiting() } }
        }
    }

    /// Writes until nothing waits.
    private func writeWaiting() {
        while let batch = takeWaiting() {
            var lines = LineBatch()
            var gathered: [Waiting] = []
            for waiting in batch {
                lines.append(waiting.record.json)
                gathered.append(waiting)
                if lines.byteCount >= Self.batchByteCount { write(&lines, &gathered) }
            }
            write(&lines, &gathered)
        }
    }

    private func takeWaiting() -> [Waiting]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Answers every caller: those whose line is out whole, and those whose line is not.
    private func write(_ lines: inout LineBatch, _ callers: inout [Waiting]) {
        defer {
            lines = LineBatch()
            callers = []
        }
        var failure = state.withLock { $0.failure }
        var writtenCount = 0
        if failure == nil {
            do {
                try lines.write(to: descriptor)
                writtenCount = callers.count
            } catch {
                writtenCount = error.writtenLineCount
                failure = SinkError(writing: name, errno: error.errno)
                state.withLock { $0.failure = failure }
            }
        }
        for (index, caller) in callers.enumerated() {
            if let failure, index >= writtenCount {
                caller.written.resume(throwing: failure)
            } else {
                caller.written.resume()
            }
        }
    }
}
