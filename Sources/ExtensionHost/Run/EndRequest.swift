// SPDX-License-Identifier: Apache-2.0

import Glibc
import TerminationSignals

/// SIGINT and SIGTERM as a descriptor, for a thread that waits for several things.
///
/// The first signal asks for the end, the second ends the process at once.
struct EndRequest: ~Copyable {
    /// A descriptor that is readable once somebody asks for the end.
    let descriptor: Int32
    private let signals: TerminationSignals

    /// Takes the signals from here on; call it before the process has further threads.
    init() throws(CommandError) {
        var mask = sigset_t()
        sigemptyset(&mask)
        for number in [SIGINT, SIGTERM] { sigaddset(&mask, number) }
        // No thread is interrupted, and those to come have this mask as well.
        pthread_sigmask(SIG_BLOCK, &mask, nil)
        let (reader, writer) = try TiedProgram.pipe()
        descriptor = reader
        signals = TerminationSignals { _ = write(writer, "\n", 1) }
    }
}
