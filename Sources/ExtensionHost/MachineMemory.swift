// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The memory that this process and what it starts may have: the machine's, or what its cgroups leave of it.
struct MachineMemory: Equatable {
    let byteCount: UInt64

    /// The sum of the memory limits of all workers: half of the memory, because the host, the page cache and the
    /// scratch folders need theirs, and because few workers come near their limit.
    var ofWorkers: UInt64 { byteCount / 2 }

    static var ofThisProcess: MachineMemory {
        MachineMemory(
            machine: (try? String(contentsOfFile: "/proc/meminfo", encoding: .utf8)) ?? "",
            groupLimits: WorkerGroups.ownGroup.map(limits) ?? []
        )
    }

    /// From the texts of /proc/meminfo and of every `memory.max` above the process; without any, 1 GiB.
    init(machine: String, groupLimits: [String]) {
        let total = machine.split(separator: "\n").first { $0.hasPrefix("MemTotal:") }
            .flatMap { $0.split(separator: " ").dropFirst().first }
            .flatMap { UInt64($0) }
            .map { $0 << 10 }
        // "max" is none.
        let limits = groupLimits.compactMap { UInt64($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        byteCount = (limits + [total].compactMap { $0 }).min() ?? 1 << 30
    }

    /// Returns the texts of `memory.max` of the group at this path and of those above it; the root group has none.
    private static func limits(ofGroup path: String) -> [String] {
        var folder = URL(fileURLWithPath: path)
        var limits: [String] = []
        while folder.path != "/" {
            if let limit = try? String(contentsOfFile: folder.path + "/memory.max", encoding: .utf8) {
                limits.append(limit)
            }
            folder.deleteLastPathComponent()
        }
        return limits
    }
}
