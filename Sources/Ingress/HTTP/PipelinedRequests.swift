// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

/// Requests that came before the answer to an earlier one, in parts; bounded by what one turn of reading brings.
struct PipelinedRequests {
    private var parts = CircularBuffer<HTTPServerRequestPart>()
    private var wholeCount = 0

    var hasWholeRequest: Bool { wholeCount > 0 }

    mutating func append(_ part: HTTPServerRequestPart) {
        parts.append(part)
        if case .end = part { wholeCount += 1 }
    }

    mutating func popFirst() -> HTTPServerRequestPart? {
        let part = parts.popFirst()
        if case .end? = part { wholeCount -= 1 }
        return part
    }
}
