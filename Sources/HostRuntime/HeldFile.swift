// SPDX-License-Identifier: Apache-2.0

private import Glibc

/// An open file that closes with its last reference, on whatever thread that is.
package final class HeldFile: Sendable {
    package let descriptor: Int32
    private let whenClosed: @Sendable () -> Void

    /// Takes an open descriptor over.
    package init(_ descriptor: Int32, whenClosed: @escaping @Sendable () -> Void = {}) {
        self.descriptor = descriptor
        self.whenClosed = whenClosed
    }

    deinit {
        close(descriptor)
        whenClosed()
    }
}
