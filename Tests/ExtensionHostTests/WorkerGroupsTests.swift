// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionHost

struct WorkerGroupsTests {
    private let unified = "36 35 0:38 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n"
    private let hybrid = "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n"

    @Test func `a group is found below the place of its tree`() {
        let own = "0::/system.slice/nestbox.service\n"
        #expect(WorkerGroups.group(own: own, mounts: unified) == "/sys/fs/cgroup/system.slice/nestbox.service")
        let all = "1:name=systemd:/\n" + own
        let mounts = "22 1 8:1 / / rw - ext4 /dev/sda rw\n" + hybrid
        #expect(WorkerGroups.group(own: all, mounts: mounts) == "/sys/fs/cgroup/unified/system.slice/nestbox.service")
        #expect(WorkerGroups.group(own: "0::/\n", mounts: unified) == "/sys/fs/cgroup")
    }

    @Test func `of a tree that is mounted in part the rest is the way`() {
        let part = "36 35 0:38 /docker/7 /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n"
        #expect(WorkerGroups.group(own: "0::/docker/7/host\n", mounts: part) == "/sys/fs/cgroup/host")
        #expect(WorkerGroups.group(own: "0::/docker/7\n", mounts: part) == "/sys/fs/cgroup")
        #expect(WorkerGroups.group(own: "0::/docker/77\n", mounts: part) == nil)
    }

    @Test(arguments: ["", "4:memory:/a\n", "0::nowhere\n", "0::/a\n"])
    func `without a version 2 there is no group`(own: String) {
        #expect(WorkerGroups.group(own: own, mounts: "22 1 8:1 / / rw - ext4 /dev/sda rw\n36 35\n") == nil)
    }
}
