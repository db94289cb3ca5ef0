// SPDX-License-Identifier: Apache-2.0

internal import HostRuntime
internal import NIOCore

private import struct Foundation.Date

/// Follows one request from its headers to its verdict; no I/O.
///
/// The headers fix the verdict; the answer waits for the request's end, since most clients look for none before. A
/// refused body is counted and dropped, and answered early only when it grows past `swallowedByteCount`.
struct PushRequestReader {
    enum Step {
        case wait
        case accept(IncomingPush)
        case refuse(Turndown)
        /// The peer is still sending; it should stop.
        case refuseEarly(Turndown)
    }

    private enum Phase {
        case head
        case body(any PushInWaiting)
        case refused(Turndown)
        case ended
    }

    private let swallowedByteCount: Int
    private var phase = Phase.head
    private var body: ByteBuffer?
    private var byteCount = 0

    init(swallowedByteCount: Int) {
        self.swallowedByteCount = swallowedByteCount
    }

    /// The verdict is known, or the request timed out: nothing more is taken.
    var hasEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// Bytes of an unfinished body that are kept.
    var heldByteCount: Int { body?.readableBytes ?? 0 }

    /// Takes the verdict on the headers.
    mutating func read(
        _ head: Result<any PushInWaiting, Refusal>,
        contentLength: Int?,
        isLast: Bool
    ) -> Step {
        switch head {
        case .success(let head): phase = .body(head)
        case .failure(let refusal): phase = .refused(.judged(refusal))
        }
        if !isLast, let contentLength, contentLength > swallowedByteCount { return refuseEarly() }
        return isLast ? end() : .wait
    }

    /// Takes a piece of the body.
    mutating func read(_ bytes: ByteBuffer, isLast: Bool) -> Step {
        byteCount += bytes.readableBytes
        switch phase {
        case .body(let head) where byteCount <= head.maximumByteCount:
            // A body in one piece is parsed where it lies; pieces are copied, for they pin what they were read with.
            if isLast, body == nil { return finish(head, bytes) }
            body = body ?? ByteBufferAllocator().buffer(capacity: bytes.readableBytes)
            body?.writeImmutableBuffer(bytes)
        case .body:
            phase = .refused(.fault(.tooLong))
            body = nil
        case .refused, .ended, .head: break
        }
        if !isLast, byteCount > swallowedByteCount { return refuseEarly() }
        return isLast ? end() : .wait
    }

    /// The body has no further piece.
    mutating func end() -> Step {
        switch phase {
        case .body(let head): return finish(head, body ?? ByteBuffer())
        case .refused(let reason):
            phase = .ended
            return .refuse(reason)
        case .head, .ended: return .wait
        }
    }

    /// The request took too long.
    mutating func timeOut() -> Step {
        guard !hasEnded else { return .wait }
        phase = .ended
        body = nil
        return .refuseEarly(.fault(.late))
    }

    private mutating func refuseEarly() -> Step {
        defer { phase = .ended }
        body = nil
        switch phase {
        case .refused(let reason): return .refuseEarly(reason)
        case .body: return .refuseEarly(.fault(.tooLong))
        case .head, .ended: return .wait
        }
    }

    private mutating func finish(_ head: any PushInWaiting, _ bytes: ByteBuffer) -> Step {
        phase = .ended
        body = nil
        do {
            return .accept(try head.join(bytes.readableBytesUInt8Span, receivedAt: Date()))
        } catch {
            return .refuse(.judged(error))
        }
    }
}
