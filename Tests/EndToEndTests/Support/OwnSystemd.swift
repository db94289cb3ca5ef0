// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A systemd of a test's own: the real one, on a copy of this system that is gone afterwards.
///
/// The systemd is process 1 of namespaces of its own, with no network but loopback, and runs one script as root.
enum OwnSystemd {
    /// Takes root, Debian's systemd, and a kernel that lets a namespace have cgroups.
    static let isThere =
        geteuid() == 0 && access("/lib/systemd/systemd", X_OK) == 0
        && ((try? String(contentsOfFile: "/proc/filesystems", encoding: .utf8)) ?? "").contains("\tcgroup2\n")

    static let reason: Comment = "needs root, Debian's systemd, and cgroup v2"

    /// Runs the script in a folder; files that stand there for it are in `/in`.
    ///
    /// Returns what it printed as `name=value`, the last of each name, and all it printed besides.
    static func run(
        _ script: String,
        in folder: TemporaryFolder
    ) async throws -> (said: [String: String], everything: String) {
        _ = try folder.write(script, to: "script")
        let result = try await CommandResult.run(
            "/usr/bin/timeout",
            ["--kill-after=2", "400", "/usr/bin/unshare"]
                + ["-mpCuin", "--fork", "--kill-child", "--propagation", "private"]
                + ["bash", "-c", boot, "bash", folder.path]
        )
        let output = try String(contentsOfFile: folder.path + "/output", encoding: .utf8)
        var said: [String: String] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { said[String(parts[0])] = String(parts[1]) }
        }
        return (said, output + result.output + result.errors)
    }

    /// An overlay over the system, in which one unit is wanted: the script, whose end is systemd's.
    private static let boot = #"""
        set -eu
        in=$1 system=$1/system
        touch "$in/output"
        mkdir "$system" && mount -t tmpfs none "$system" && mkdir "$system/upper" "$system/work" "$system/root"
        root=$system/root
        mount -t overlay overlay -o "lowerdir=/,upperdir=$system/upper,workdir=$system/work" "$root"
        mount -t proc proc "$root/proc"
        mount --rbind /dev "$root/dev" && mount --make-rprivate "$root/dev"
        mount -t sysfs -o ro sysfs "$root/sys" && mount -t cgroup2 none "$root/sys/fs/cgroup"
        for folder in run tmp; do mount -t tmpfs none "$root/$folder"; done
        mkdir "$root/in" && mount --bind "$in" "$root/in"
        units=$root/etc/systemd/system
        rm -rf "$units"/*.wants "$units/default.target"
        printf '[Unit]\nRequires=script.service\n' >"$units/default.target"
        cat >"$units/script.service" <<'UNIT'
        [Unit]
        DefaultDependencies=no
        SuccessAction=exit-force
        FailureAction=exit-force
        [Service]
        Type=oneshot
        Environment=HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
        WorkingDirectory=/in
        ExecStart=/bin/bash /in/script
        StandardOutput=append:/in/output
        StandardError=append:/in/output
        UNIT
        ip link set lo up
        cd "$root" && mkdir old && pivot_root . old && umount -l old && mount --make-rshared /
        export container=private
        exec /lib/systemd/systemd --system --log-target=console --log-level=warning --show-status=0
        """#
}

extension OwnSystemd {
    /// A shell function that takes the place of sudo, which this system may not have.
    static let sudo = """
        sudo() {
            if [ "$1" != -u ]; then "$@"; return; fi
            local user=$2
            shift 2
            setpriv --reuid "$user" --regid "$user" --init-groups "$@"
        }

        """
}
