// SPDX-License-Identifier: Apache-2.0

/// Why an ingress does not start, or stops before its end.
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
    /// What, on what, why: one clause for people.
    package let message: String
    /// What to do next.
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
