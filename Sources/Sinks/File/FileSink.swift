// SPDX-License-Identifier: Apache-2.0

private import Glibc
package import HostRuntime
internal import Locking
package import Logging
internal import NotificationPayload

/// Appends each delivery record as one line of JSON to a file.
///
/// Lines come whole; those that wait leave in one write, followed by one `fdatasync` unless that is switched off: a
/// record that `deliver` has returned for survives a power cut. What cannot be written, as on a full disk, is tried
/// again until it can: `deliver` waits, the lanes behind it wait, and in the end senders hear 503; nothing is lost. A
/// line of which only a part fitted is taken back. The file may be renamed at any time, by logrotate for one: the next
/// line begins a new file. A crash of the machine may leave one torn line, and the next one begins on a line of its
/// own.
package final class FileSink: Sink {
    private struct Waiting {
        let line: [UInt8]
        let caller: CheckedContinuation<Int32, Never>
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
        /// The last write did not succeed.
        var isFailing = false
        var isEnding = false
    }

    /// Text gathered for one write, in bytes; a longer line goes alone.
    private static let batchByteCount = 256 << 10
    /// Between attempts, which all that wait make together.
    private static let pause = Duration.seconds(1)

    package let name: String
    private let file: LineFile
    private let clock: HostClock
    private let logger: Logger
    private let state = Locked(State())
    /// The thread on which writing may block.
    private let writer: SerialWork

    /// Opens the file, or makes it with mode 0600.
    ///
    /// The path is absolute; the host must be able to make files in its folder.
    ///
    /// - Throws: `SinkError`: it cannot be opened, or is no regular file.
    package init(
        name: String = "file",
        path: String,
        synchronises: Bool = true,
        clock: HostClock,
        logger: Logger
    ) throws(SinkError) {
        self.name = name
        file = LineFile(path: path, synchronises: synchronises)
        self.clock = clock
        var logger = logger
        logger[metadataKey: "sink.name"] = "\(name)"
        self.logger = logger
        writer = SerialWork(name: "sink.\(name)")
        do { try file.open() } catch { throw SinkError(writing: name, errno: error.errno) }
    }

    /// Returns when the line is in the file, however long that takes.
    ///
    /// - Throws: `SinkError` after `stopWaiting`, and `CancellationError` when the task is cancelled, while the file
    ///   cannot be written to; the record is not in the file then.
    package func deliver(_ record: DeliveryRecord) async throws {
        var line: [UInt8] = []
        record.json.write(to: &line)
        line.append(UInt8(ascii: "\n"))
        while case let code = await write(line), code != 0 {
            if state.withLock(\.isEnding) { throw SinkError(writing: name, errno: code) }
            try await clock.sleep(until: clock.now + Self.pause)
        }
    }

    /// From now on a record that cannot be written is an error, within a second.
    package func stopWaiting() {
        state.withLock { $0.isEnding = true }
    }

    /// 0, or the errno of why it is not in the file.
    private func write(_ line: [UInt8]) async -> Int32 {
        await withCheckedContinuation { caller in
            let starts = state.withLock { state in
                state.waiting.append(Waiting(line: line, caller: caller))
                defer { state.isWriting = true }
                return !state.isWriting
            }
            if starts { writer.run { self.writeWaiting() } }
        }
    }

    /// Runs on the writer's thread until nobody waits.
    private func writeWaiting() {
        while let batch = takeBatch() {
            let code: Int32
            do throws(LineFile.Failure) {
                try file.append(batch.flatMap(\.line))
                code = 0
            } catch {
                code = error.errno
            }
            note(code)
            for waiting in batch { waiting.caller.resume(returning: code) }
        }
    }

    private func takeBatch() -> [Waiting]? {
        state.withLock { state in
            var byteCount = 0
            let count = state.waiting.prefix { waiting in
                defer { byteCount += waiting.line.count }
                return byteCount == 0 || byteCount + waiting.line.count <= Self.batchByteCount
            }.count
            guard count > 0 else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting.removeFirst(count) }
            return Array(state.waiting.prefix(count))
        }
    }

    /// Says when it begins to fail and when that is over, not each time.
    private func note(_ code: Int32) {
        let wasFailing = state.withLock { state in
            defer { state.isFailing = code != 0 }
            return state.isFailing
        }
        if code != 0, !wasFailing {
            logger.error("sink cannot write; records wait", metadata: ["error": "\(String(cString: strerror(code)))"])
        } else if code == 0, wasFailing {
            logger.notice("sink takes records again")
        }
    }
}
