// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import WorkerSupervisor

extension MachineReport {
    /// What stands on a worker beside its namespaces, as the self-test had it.
    static func layers(_ found: Launcher.Capabilities) -> [Row] {
        let version = linux_landlock_version()
        let hasLandlock = found.landlockVersion > 0
        let without = version > 0 ? "version \(version), not used in profile \(found.profile)" : "not in this kernel"
        let hasFilter = found.filterInstructionCount > 0
        return [
            Row(
                name: "Landlock",
                isThere: hasLandlock,
                detail: hasLandlock ? "version \(found.landlockVersion), on every started process" : without
            ),
            Row(
                name: "system-call filter",
                isThere: hasFilter,
                detail: "\(found.filterInstructionCount) instructions, on every started process"
            ),
        ]
    }

    /// The opener keeps its keys in one locked page and its guards.
    static var memoryLock: Row {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit)
        let size = sysconf(Int32(_SC_PAGESIZE))
        var page: UnsafeMutableRawPointer?
        guard posix_memalign(&page, size, size) == 0, let page else {
            return Row(name: "locked memory", isThere: false, detail: "no page to try it with")
        }
        defer { free(page) }
        let isLocked = mlock(page, size) == 0
        if isLocked { munlock(page, size) }
        let amount = limit.rlim_cur == rlim_t.max ? "no limit" : "limit \(limit.rlim_cur >> 10) KiB"
        return Row(
            name: "locked memory",
            isThere: isLocked,
            detail: isLocked ? "keys stay out of swap; \(amount)" : "mlock is refused; \(amount)"
        )
    }

    /// A delegated cgroup v2 is one whose folder this process may write to and whose controllers include memory.
    static var cgroup: Row {
        let name = "cgroup v2 delegation"
        let own = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        guard let line = own.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else {
            return Row(name: name, isThere: false, detail: "no cgroup v2 on this machine")
        }
        for root in ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] {
            let folder = root + line.dropFirst(3)
            guard let controllers = try? String(contentsOfFile: folder + "/cgroup.controllers", encoding: .utf8) else {
                continue
            }
            let names = controllers.split(whereSeparator: \.isWhitespace)
            guard names.contains("memory") else {
                return Row(name: name, isThere: false, detail: "the memory controller is not in this group")
            }
            guard access(folder + "/cgroup.subtree_control", W_OK) == 0 else {
                return Row(name: name, isThere: false, detail: "this group is not writable; start with Delegate=yes")
            }
            return Row(name: name, isThere: true, detail: "controllers \(names.joined(separator: " ")); not used yet")
        }
        return Row(name: name, isThere: false, detail: "cgroup v2 is not mounted")
    }
}
