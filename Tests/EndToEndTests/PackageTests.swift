// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The Debian package: built of the programs that are built, installed on a copy of this system that is gone
/// afterwards, started by its unit's own line, removed.
@Suite(.timeLimit(.minutes(4)))
struct PackageTests {
    private static let needs = ["dpkg-deb", "dpkg-shlibdeps", "chrpath", "nm", "objcopy", "strip"]
    static let canBuild = needs.allSatisfy { Programs.installed($0) != nil }
    /// An overlay over the system takes root.
    private static let canInstall = canBuild && geteuid() == 0
    private static let unit = Programs.root + "/packaging/nestbox.service"

    private static func package(in folder: String) async throws -> String {
        let environment = ["VERSION": "0.1", "COMPRESSION": "none"]
        let built = try await CommandResult.run(
            Programs.root + "/scripts/package",
            ["--programs", Programs.folder, "--output", folder],
            environment: ProcessInfo.processInfo.environment.merging(environment) { $1 }
        )
        try #require(built.status == 0, "\(built.errors)")
        return built.output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Makes the package of what is built, for another test.
    static func package(to file: String) async throws {
        try await TemporaryFolder.with { folder in
            let made = try await package(in: folder.path)
            try FileManager.default.moveItem(atPath: made, toPath: file)
        }
    }

    /// Prints what each step gave, as lines of `name=value`.
    private static let script = #"""
        set -u
        work=$1 package=$2
        mount -t tmpfs none "$work" && mkdir "$work/upper" "$work/work" "$work/root"
        mount -t overlay overlay -o "lowerdir=/,upperdir=$work/upper,workdir=$work/work" "$work/root" || exit 9
        root=$work/root
        cp "$package" "$root/nestbox.deb"
        mount --rbind /dev "$root/dev"; mount -t proc proc "$root/proc"
        for folder in tmp run opt; do mount -t tmpfs none "$root/$folder"; done
        ip link set lo up
        exec chroot "$root" /bin/bash -c '
            cd / && export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
            owned() { find /etc /lib /usr /var/lib /var/log -xdev -path "*nestbox*" | grep -v /var/lib/dpkg/ | sort; }
            before=$(owned)
            dpkg --force-unsafe-io -i nestbox.deb >/tmp/dpkg 2>&1; echo "installed=$?"
            echo "state=$(stat -c "%U %a" /var/lib/nestbox)" "$(stat -c "%U %a" /var/log/nestbox)"

            # What the service manager does with the unit.
            user=$(sed -n s/^User=//p /lib/systemd/system/nestbox.service)
            line=$(sed -n s/^ExecStart=//p /lib/systemd/system/nestbox.service)
            as="setpriv --reuid $user --regid $user --clear-groups --no-new-privs --bounding-set=-all --inh-caps=-all"
            credentials=/run/credentials/nestbox.service
            seal-payload keygen -o /etc/nestbox/keys/chat.key 2>/tmp/public
            install -d -m 500 -o $user /run/credentials $credentials
            install -m 400 -o $user /etc/nestbox/keys/chat.key $credentials/chat.key
            sed -i "s|.*# keys:.*|    keys: [$credentials/chat.key]|" /etc/nestbox/host.yaml
            $as $line >/var/log/nestbox/standard-output.ndjson 2>/tmp/notes &
            host=$!

            public=$(grep -o "nse1[a-z0-9]*" /tmp/public)
            token=$($as extension-host token new --config /etc/nestbox/host.yaml --topic com.example.chat | head -1)
            echo "{\"aps\":{\"alert\":{\"title\":\"Alice\",\"body\":\"Lunch?\"}}}" |
                seal-payload -r "$public" --topic com.example.chat >/tmp/body
            echo "status=$(curl -s -o /dev/null -w "%{http_code}" --retry 8 --retry-connrefused \
                --http2-prior-knowledge -H "apns-topic: com.example.chat" --data-binary @/tmp/body \
                "http://127.0.0.1:8443/3/device/$token")"
            kill -TERM $host; wait $host; echo "ended=$?"
            echo "record=$(cat /var/log/nestbox/records.ndjson)"
            echo "out=$(cat /var/log/nestbox/standard-output.ndjson)"
            echo "notes=$(tr "\n" " " </tmp/notes)"
            man -w extension-host >/dev/null 2>&1; echo "manual=$?"
            echo "documents=$(find /usr/share/doc/nestbox -name "*.md*" | wc -l)"
            echo "dead=$(find /usr/share/doc/nestbox -name "*.md" | while read -r file; do
                grep -oE "\]\([^)#][^)]*\)" "$file" | sed -E "s/^\]\(//; s/[)#].*//" |
                    grep -vE "^(https?|mailto):" | while read -r target; do
                        [ -e "$(dirname "$file")/$target" ] || echo "$file:$target"
                    done
            done | tr "\n" " ")"

            dpkg --force-unsafe-io -r nestbox >>/tmp/dpkg 2>&1; echo "removed=$?"
            echo "kept=$(owned | grep -v /var/lib/nestbox/ | tr "\n" " ")"
            dpkg --force-unsafe-io -P nestbox >>/tmp/dpkg 2>&1; echo "purged=$?"
            echo "left=$(owned | tr "\n" " ")"
            echo "dpkg=$(tr "\n" " " </tmp/dpkg)"
        '
        """#

    @Test(.enabled(if: canInstall, "needs root, and dpkg-dev and chrpath: scripts/setup package installs them"))
    func `a package is installed, serves by its unit's own line, and is removed`() async throws {
        try await TemporaryFolder.with { folder in
            let package = try await Self.package(in: folder.path)
            let place = folder.path + "/system"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            let result = try await CommandResult.run(
                "/usr/bin/unshare",
                ["-mn", "--propagation", "private", "bash", "-c", Self.script, "bash", place, package]
            )
            var said: [String: String] = [:]
            for line in result.output.split(separator: "\n") {
                let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                if parts.count == 2 { said[String(parts[0])] = String(parts[1]) }
            }
            let everything = "\(result.output)\(result.errors)"
            #expect(said["installed"] == "0", "\(everything)")
            #expect(said["state"] == "nestbox 700 nestbox 700")
            #expect(said["status"] == "200", "\(everything)")
            #expect(said["ended"] == "0")
            let record = Record(object: try JSONObject(parsing: Array((said["record"] ?? "").utf8).span))
            #expect(record.alert?["title"] == "Alice")
            #expect(said["out"] == "")
            #expect(said["manual"] == "0")
            #expect((said["documents"].flatMap { Int($0) } ?? 0) > 10, "\(everything)")
            #expect(said["dead"] == "")
            #expect(said["removed"] == "0", "\(everything)")
            // A removal keeps what a purge takes: the configuration, what was recorded.
            #expect(
                said["kept"]
                    == "/etc/logrotate.d/nestbox /etc/nestbox /etc/nestbox/host.yaml /etc/nestbox/keys "
                    + "/etc/nestbox/keys/chat.key /var/lib/nestbox /var/log/nestbox /var/log/nestbox/records.ndjson "
                    + "/var/log/nestbox/standard-output.ndjson "
            )
            #expect(said["purged"] == "0")
            // Keys are their owner's.
            #expect(said["left"] == "/etc/nestbox /etc/nestbox/keys /etc/nestbox/keys/chat.key ", "\(everything)")
        }
    }

    @Test(.enabled(if: canBuild, "needs dpkg-dev and chrpath: scripts/setup package installs them"))
    func `a program that contains a fuzzer's check is not packaged`() async throws {
        try await TemporaryFolder.with { folder in
            let programs = folder.path + "/programs"
            let script = #"""
                mkdir "$2" && cd "$2" && ln -s "$1/extension-host" "$1/payload-opener" "$1/extension-sdk" . &&
                    ln -s "$1/worker-launcher" "$1/notification-center" "$1/notification-desktop" . &&
                    objcopy --add-symbol '$s15E2ECryptoChecks9OpenCheckC=0' "$1/seal-payload" seal-payload
                """#
            let made = try await CommandResult.run("/bin/sh", ["-c", script, "sh", Programs.folder, programs])
            try #require(made.status == 0, "\(made.errors)")
            let result = try await CommandResult.run(
                Programs.root + "/scripts/package",
                ["--programs", programs, "--output", folder.path]
            )
            #expect(result.status == 1)
            #expect(
                result.errors == """
                    package: error: "seal-payload" contains checks of Fuzz/
                    package: hint: no target that a program links may depend on one of Fuzz/Checks

                    """
            )
        }
    }

    @Test(.enabled(if: Programs.installed("systemd-analyze") != nil, "needs systemd-analyze of Debian's systemd"))
    func `systemd finds the unit exposed to at most 2.0`() async throws {
        let result = try await CommandResult.run(
            "/usr/bin/systemd-analyze",
            ["security", "--offline=yes", "--threshold=20", "--no-pager", Self.unit]
        )
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        let figure = result.output.split(separator: "\n").last { $0.contains("Overall exposure level") }
        print(figure ?? "no figure")
        #expect(figure != nil)
        // What it does not know it would leave out.
        #expect(!result.errors.contains("nestbox.service:"), "\(result.errors)")
    }

    @Test(
        arguments: [
            (
                ["--everything"], 2, "unknown argument \"--everything\"",
                "usage: scripts/package [--programs FOLDER] [--output FOLDER]"
            ),
            (
                ["--output"], 2, "--output needs a folder",
                "usage: scripts/package [--programs FOLDER] [--output FOLDER]"
            ),
        ] as [([String], Int32, String, String)]
    )
    func `what it refuses`(arguments: [String], status: Int32, error: String, hint: String) async throws {
        let result = try await CommandResult.run(Programs.root + "/scripts/package", arguments)
        #expect(result.status == status)
        #expect(result.errors == "package: error: \(error)\npackage: hint: \(hint)\n")
    }
}
