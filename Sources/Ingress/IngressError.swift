// SPDX-License-Identifier: Apache-2.0

/// The reason for which an ingress does not start, or stops before its end.
package struct IngressError: Error, CustomStringConvertible {
    package enum Code: Sendable, Equatable {
        case certificateUnusable
        case keyUnusable
        case keyMismatch
        case addressUnusable
        case addressInUse
        /// A listener that asks for no credential may stand on a loopback address only.
        case notLoopback
        /// A listener keeps to TLS, or to plaintext, as long as it is open.
        case securityChanged
        case readFailed
    }

    package let code: Code
    /// One clause for people: what failed, on what, and the reason.
    package let message: String
    /// Advice for people on what to do next; `nil` where there is none.
    package let hint: String?
    package let underlying: (any Error)?

    package init(_ code: Code, _ message: String, hint: String? = nil, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }

    package var description: String { message }
}
