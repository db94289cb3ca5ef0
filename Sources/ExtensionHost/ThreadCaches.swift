// SPDX-License-Identifier: Apache-2.0

import Foundation

/// glibc's caches of freed memory, one for each thread, which a host keeps small.
///
/// A cache holds up to seven freed pieces of each of 64 sizes for as long as its thread lives, and no call empties it.
/// Each piece keeps its page from going back to the system. Two pieces of each size cost 3 % more processor a push than
/// seven. glibc's dynamic linker reads the setting from the environment, and nothing else sets it; so a process that
/// was started without it starts its own program anew.
enum ThreadCaches {
    static let variable = "GLIBC_TUNABLES"
    static let setting = "glibc.malloc.tcache_count=2"

    /// Starts this program anew with the same arguments, unless its environment has a setting for the caches.
    ///
    /// Keeps the process and its descriptors but those that close on exec. Returns where the program cannot be started,
    /// which is no failure: the host then keeps some memory more.
    static func shrink() {
        let given = getenv(variable).map { String(cString: $0) }
        guard let tunables = tunables(given: given),
            let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        else { return }
        setenv(variable, tunables, 1)
        execv(program, CommandLine.unsafeArgv)
        if let given { setenv(variable, given, 1) } else { unsetenv(variable) }
    }

    /// Adds the setting to tunables; `nil` means that they have one already, the operator's or this.
    static func tunables(given: String?) -> String? {
        guard let given, !given.isEmpty else { return setting }
        return given.contains("glibc.malloc.tcache_count=") ? nil : "\(given):\(setting)"
    }
}
