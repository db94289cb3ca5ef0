// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How many descriptors this process may have, and how many workers that is enough for.
///
/// A worker costs its host four (socket, output, pidfd, status), a listener with the network grant, and files that are
/// being copied. What extensions and senders make the host open beyond that has limits of its own, within the reserve.
enum DescriptorLimit {
    /// Kept for 128 sealed files on their way, and what is left for listeners, connections of gateways, sinks and the
    /// state folder; the proxy's sockets come on top.
    private static let reserve = 256
    private static let perWorker = 8
    /// The launcher's table has this many places for workers, and a few for openers.
    private static let largest = 512

    /// Takes all that the service manager grants; the usual soft limit of 1,024 is there for programs with select(2).
    static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let soft = limit.rlim_cur
        limit.rlim_cur = limit.rlim_max
        let isRaised = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0
        return Int(clamping: isRaised ? limit.rlim_max : soft)
    }

    /// Workers at once, of all apps together, under a limit of descriptors of which the proxy may take so many.
    static func processLimit(descriptors: Int, sockets: Int) -> Int {
        max(2, min(largest, (descriptors - reserve - sockets) / perWorker))
    }
}
