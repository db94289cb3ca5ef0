// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import WorkerSupervisor

extension MachineReport {
    /// Returns the rows on Landlock and the system-call filter of a worker, as the self-test found them.
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

    /// Returns the row that tells whether extensions get the hosts that their bundles list in `NetworkHosts`.
    static func network(_ found: Launcher.Capabilities) -> Row {
        Row(
            name: "network of extensions",
            isThere: found.hasOwnRoot,
            detail: found.hasOwnRoot
                ? "hosts that a bundle lists, through the host's proxy"
                : "profile \(found.profile) does not confine one, so none is granted"
        )
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

    /// Returns the row that tells who keeps a worker below its memory limit: the kernel or the host's own watch.
    static func cgroup(_ groups: WorkerGroups) -> Row {
        let name = "cgroup v2 delegation"
        let watch = "the host's own watch limits memory"
        return switch groups {
        case .none:
            Row(name: name, isThere: false, detail: "\(watch); under systemd \"Delegate=yes\" gives the kernel a part")
        case .given(let path, limitsMemory: true):
            Row(name: name, isThere: true, detail: "a group for each worker in \(path); the kernel limits its memory")
        case .given(let path, limitsMemory: false):
            Row(name: name, isThere: true, detail: "a group for each worker in \(path); no memory controller, \(watch)")
        case .refused(let reason):
            Row(name: name, isThere: false, detail: reason)
        }
    }
}
