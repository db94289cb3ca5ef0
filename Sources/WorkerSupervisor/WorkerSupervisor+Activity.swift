// SPDX-License-Identifier: Apache-2.0

package import HostRuntime

extension WorkerSupervisor: ActivityReporting {
    package var activity: HostActivity {
        var members = HostActivity.Workers()
        for member in roster.staffs.flatMap(\.members) {
            switch member.stage {
            case .starting: members.starting += 1
            case .ready: members.ready += 1
            case .serving: members.serving += 1
            case .retiring: members.retiring += 1
            }
        }
        return HostActivity(
            apps: pools.mapValues(\.counts),
            workers: members,
            waiting: pools.values.reduce(0) { $0 + $1.waiting.count }
        )
    }
}
