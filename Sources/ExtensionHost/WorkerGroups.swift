// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import WorkerSupervisor

/// The kernel's cgroups for the processes that the launcher starts, one for each.
///
/// There is one to divide when the service manager says so: systemd with `Delegate=yes`. Whoever else may write to a
/// cgroup has still no leave to divide it.
enum WorkerGroups: Equatable {
    /// No group of this process is delegated.
    case none
    /// Absolute path of the folder, and whether the kernel can limit memory there.
    case given(String, limitsMemory: Bool)
    /// A delegated group cannot be used all the same; what a person should know.
    case refused(String)

    /// Finds the delegated group and leaves it for one below, `host`: a group with processes in it has no controllers
    /// to give.
    ///
    /// Before the launcher starts, which stays where its host is. `register` tells the launcher.
    static func makeRoom() -> WorkerGroups {
        guard let own = ownGroup else { return .none }
        if linux_is_delegated_group(own) == 1 {
            return moveBelow(own)
        }
        // After an earlier start in the same place, and with systemd's DelegateSubgroup=.
        let above = URL(fileURLWithPath: own).deletingLastPathComponent().path
        return linux_is_delegated_group(above) == 1 ? .given(above, limitsMemory: false) : .none
    }

    /// Has the launcher make its groups there; it goes without when that is refused.
    mutating func register(with launcher: Launcher) throws(LauncherError) {
        guard case .given(let path, _) = self else { return }
        do throws(LauncherError) {
            self = .given(path, limitsMemory: try launcher.register(controlGroup: path))
        } catch .controlGroup(let path, let cause) {
            self = .refused("no groups for workers can be made in cgroup \"\(path)\": \(cause)")
        }
    }

    private static func moveBelow(_ own: String) -> WorkerGroups {
        let leaf = own + "/host"
        guard mkdir(leaf, 0o755) == 0 || errno == EEXIST else { return refused(leaf, errno) }
        let members = open(leaf + "/cgroup.procs", O_WRONLY | O_CLOEXEC)
        guard members >= 0 else { return refused(leaf, errno) }
        defer { close(members) }
        return write(members, "0", 1) == 1 ? .given(own, limitsMemory: false) : refused(leaf, errno)
    }

    private static func refused(_ leaf: String, _ code: Int32) -> WorkerGroups {
        .refused("the host cannot move to cgroup \"\(leaf)\": \(SystemError("cgroup", code))")
    }

    /// The folder of this process's cgroup, as far as a cgroup v2 is mounted that holds it.
    static var ownGroup: String? {
        let own = (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? ""
        let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
        return group(own: own, mounts: mounts)
    }

    /// From the texts of /proc/self/cgroup and /proc/self/mountinfo.
    static func group(own: String, mounts: String) -> String? {
        guard let line = own.split(separator: "\n").first(where: { $0.hasPrefix("0::/") }) else { return nil }
        let group = line.dropFirst(3)
        for mount in mounts.split(separator: "\n") {
            // 36 35 0:38 ROOT PLACE OPTIONS TAGS… - TYPE SOURCE OPTIONS
            let fields = mount.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), dash > 4, fields.count > dash + 1,
                fields[dash + 1] == "cgroup2"
            else { continue }
            let root = fields[3] == "/" ? "" : fields[3]
            guard group == root || group.hasPrefix(root + "/") else { continue }
            let below = group.dropFirst(root.count)
            return String(fields[4]) + (below == "/" ? "" : below)
        }
        return nil
    }
}
