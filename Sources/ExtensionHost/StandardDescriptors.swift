// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Descriptors 0 to 2, which a caller may have closed: what the host opens next would take their place, and records
/// would go into a socket of its own.
enum StandardDescriptors {
    /// Opens /dev/null for a missing input or error output; a missing output cannot be made up for.
    static func check() throws(CommandError) {
        // A descriptor that was inherited never closes on exec; one that does is the runtime's own in the free place.
        let flags = fcntl(STDOUT_FILENO, F_GETFD)
        guard flags >= 0, flags & FD_CLOEXEC == 0 else {
            throw CommandError("standard output is closed", hint: "give it a file, a pipe or /dev/null")
        }
        for descriptor in [STDIN_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            let opened = open("/dev/null", O_RDWR)
            guard opened >= 0 else { throw CommandError("cannot open /dev/null") }
            if opened != descriptor {
                dup2(opened, descriptor)
                close(opened)
            }
        }
    }
}
