// SPDX-License-Identifier: Apache-2.0

/// The progress of sealing or opening, reported after every chunk, on the calling thread.
public struct AttachmentProgress: Sendable {
    /// The listener's answer to a report of progress.
    public enum Answer: Sendable {
        /// Go on.
        case proceed
        /// Ends the work with `AttachmentError.cancelled`.
        case cancel
    }

    /// Bytes of the source read so far.
    public let completedByteCount: Int
    /// Bytes of the source; nil when it is a pipe being sealed, whose length nobody knows.
    public let totalByteCount: Int?
}
