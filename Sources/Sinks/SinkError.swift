// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// The reason for which a sink could not be made, or could not write a record.
package struct SinkError: Error, Equatable, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        /// Whoever read the sink's output has closed it.
        case readerGone
        case writeFailed(errno: Int32)
        /// The configured values do not make a sink.
        case unusable
    }

    package let code: Code
    package let sink: String
    /// One clause for people.
    package let message: String

    package init(_ code: Code, sink: String, _ message: String) {
        self.code = code
        self.sink = sink
        self.message = message
    }

    init(writing sink: String, errno code: Int32) {
        if code == EPIPE {
            self.init(.readerGone, sink: sink, "sink \"\(sink)\": its reader is gone")
        } else {
            let reason = String(cString: strerror(code))
            self.init(.writeFailed(errno: code), sink: sink, "sink \"\(sink)\": cannot write: \(reason)")
        }
    }

    package var description: String { message }
}
