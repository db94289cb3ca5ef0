// SPDX-License-Identifier: Apache-2.0

import Foundation

/// CPU time of hosts and of what they started, in seconds.
///
/// The time of a process comes from its CPU clock, in nanoseconds. Its part in user mode, and the time of its ended
/// children, come from /proc, which counts in hundredths of a second.
struct CPUTimes {
    var host = 0.0
    /// The part of the host's time that was not the kernel's.
    var hostUser = 0.0
    var opener = 0.0
    /// Workers that have ended included.
    var workers = 0.0
    var launcher = 0.0
    /// This process.
    var client = 0.0
    /// Every process of the machine, kernel included.
    var machine = 0.0

    var ours: Double { host + opener + workers + launcher }
    /// The CPU time of processes other than the client, the host and what it started.
    var others: Double { max(0, machine - host - opener - workers - launcher - client) }

    private static let tick = 1 / Double(sysconf(Int32(_SC_CLK_TCK)))

    private init() {}

    init(hosts: [HostProcess]) {
        let processes = Self.processes()
        let pids = Set(hosts.map(\.pid))
        for process in processes {
            if process.pid == getpid() { client = process.own }
            if pids.contains(process.pid) { (host, hostUser) = (host + process.own, hostUser + process.user) }
        }
        for process in processes where pids.contains(process.parent) {
            launcher += process.own
            // What has ended counts with its parent: only workers do.
            workers += process.reaped
            for started in processes where started.parent == process.pid {
                if started.name == "payload-opener" { opener += started.own } else { workers += started.own }
            }
        }
        machine = Self.machineTime()
    }

    static func - (after: CPUTimes, before: CPUTimes) -> CPUTimes {
        var times = CPUTimes()
        times.host = after.host - before.host
        times.hostUser = after.hostUser - before.hostUser
        times.opener = after.opener - before.opener
        times.workers = after.workers - before.workers
        times.launcher = after.launcher - before.launcher
        times.client = after.client - before.client
        times.machine = after.machine - before.machine
        return times
    }

    private struct Status {
        let pid: Int32
        let name: Substring
        let parent: Int32
        let own: Double
        let user: Double
        let reaped: Double
    }

    /// proc_pid_stat(5): pid (name) state ppid …, utime, stime, cutime, cstime from the 14th field on.
    private static func processes() -> [Status] {
        let pids = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return pids.compactMap { pid in
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")")
            else { return nil }
            let fields = text[text.index(after: close)...].split(separator: " ")
            guard fields.count > 14, let parent = Int32(fields[1]) else { return nil }
            let times = fields[11...14].map { (Double($0) ?? 0) * tick }
            return Status(
                pid: pid,
                name: text[text.index(after: open)..<close],
                parent: parent,
                own: clock(of: pid) ?? times[0] + times[1],
                user: times[0],
                reaped: times[2] + times[3]
            )
        }
    }

    /// clock_getcpuclockid(3); `nil` for a process that has ended.
    private static func clock(of pid: Int32) -> Double? {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(pid, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// proc_stat(5): all but idle and iowait; guests are counted in user.
    private static func machineTime() -> Double {
        guard let text = try? String(contentsOfFile: "/proc/stat", encoding: .utf8),
            let line = text.split(separator: "\n").first
        else { return 0 }
        let times = line.split(separator: " ").dropFirst().prefix(8).map { (Double($0) ?? 0) * tick }
        guard times.count == 8 else { return 0 }
        return times.reduce(0, +) - times[3] - times[4]
    }
}
