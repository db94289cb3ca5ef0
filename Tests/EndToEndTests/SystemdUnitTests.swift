// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Sampling
import Testing

/// The package's unit under a real systemd, where whatever hardens it is in force.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: OwnSystemd.isThere, OwnSystemd.reason),
    .enabled(if: PackageTests.canBuild, "needs dpkg-dev and chrpath: scripts/setup package installs them")
)
struct SystemdUnitTests {
    /// The script of an installation as docs/service.md describes it, with an extension, a key by LoadCredential in a
    /// drop-in, and `namespaces.conf` for every profile but C.
    private static let rounds =
        OwnSystemd.sudo + #"""
            dpkg --force-unsafe-io -i nestbox.deb >/dev/null; echo "installed=$?"
            seal-payload keygen -o chat.key 2>public
            sudo install -m 600 chat.key /etc/nestbox/keys/
            cp -r Chat.appex /opt/Chat.appex && chmod -R a+rX /opt/Chat.appex
            key=/run/credentials/nestbox.service/chat.key
            sed -i "s|.*# keys:.*|    keys: [$key]|; s|.*# extension:.*|    extension: /opt/Chat.appex|" \
                /etc/nestbox/host.yaml
            folder=/etc/systemd/system/nestbox.service.d
            mkdir -p $folder
            printf '[Service]\nLoadCredential=chat.key:/etc/nestbox/keys/chat.key\nWatchdogSec=10s\n' >$folder/key.conf
            main() { systemctl show --value -p "$1" nestbox; }
            push() {
                printf '{"aps":{"alert":{"title":"Alice","body":"Lunch?"},"mutable-content":1}}' |
                    seal-payload -r "$(grep -o 'nse1[a-z0-9]*' public)" --topic com.example.chat |
                    curl -s -o /dev/null -w '%{http_code}' --retry 20 --retry-delay 1 --retry-connrefused \
                        --http2-prior-knowledge -H 'apns-topic: com.example.chat' --data-binary @- \
                        "http://127.0.0.1:8443/3/device/$token"
            }
            records=/var/log/nestbox/records.ndjson
            recorded() { [ -s $records ]; }
            until_() { for _ in $(seq 600); do "$@" && return; sleep 0.1; done; return 1; }
            restarted() { [ "$(main NRestarts)" = 1 ] && systemctl -q is-active nestbox; }
            round() {
                rm -f $records
                systemctl daemon-reload
                systemctl start nestbox; echo "$1.started=$?"
                echo "$1.credential=$(stat -c '%a %U' $key)"
                token=$(sudo -u nestbox extension-host token new \
                    --config /etc/nestbox/host.yaml --topic com.example.chat | head -1)
                echo "$1.status=$(push)"
                until_ recorded; echo "$1.record=$(tail -n 1 $records)"
                # As logrotate does it.
                mv $records $records.1; push >/dev/null; until_ recorded; echo "$1.rotated=$?"
                echo "$1.groups=$(ls -d /sys/fs/cgroup/system.slice/nestbox.service/*/ | xargs -n 1 basename |
                    sed 's/-.*//' | sort -u | tr '\n' ' ')"
                before=$(main MainPID)
                systemctl reload nestbox; echo "$1.reloaded=$?"
                echo "$1.statusAfterReload=$(push)"
                [ "$(main MainPID)" = "$before" ]; echo "$1.same=$?"
                # A host whose tasks do not run is ended and started again.
                kill -STOP "$before"; until_ restarted; echo "$1.restarted=$?"
                echo "$1.statusAfterRestart=$(push)"
                systemctl stop nestbox; echo "$1.stopped=$?"
                echo "$1.end=$(main Result) $(main ExecMainStatus) $(main ActiveState)"
                noted() { journalctl --no-pager -u nestbox | grep -q 'extension-host.*listening for APNs requests'; }
                until_ noted; echo "$1.noted=$?"
                echo "$1.complaints=$(journalctl --no-pager -u nestbox | grep -c 'process not started\|thread priority')"
                echo "$1.output=$(stat -c %s /var/log/nestbox/standard-output.ndjson)"
                echo "$1.left=$(ls -d /sys/fs/cgroup/system.slice/nestbox.service/worker-* 2>/dev/null | wc -l)"
            }
            for profile in $profiles; do
                [ $profile = C ] || cp /usr/share/doc/nestbox/examples/namespaces.conf $folder/
                round $profile
            done
            journalctl --no-pager -u nestbox | tail -n 40
            dpkg --force-unsafe-io -P nestbox >/dev/null; echo "purged=$?"

            """#

    private static let profiles = Sample.of(
        [(name: "C", sandbox: "C2 shared-uid"), (name: "A", sandbox: "A2")],
        atMost: 1,
        "profiles of the unit"
    )

    @Test func `the unit serves, reloads, is watched and stops, in either profile`() async throws {
        let bundle = Programs.root + "/.build/appex/ChatExtension.appex"
        try #require(FileManager.default.fileExists(atPath: bundle), "scripts/build-examples has not run")
        try await TemporaryFolder.with { folder in
            try await PackageTests.package(to: folder.path + "/nestbox.deb")
            try FileManager.default.copyItem(atPath: bundle, toPath: folder.path + "/Chat.appex")
            let names = Self.profiles.map(\.name).joined(separator: " ")
            let (said, everything) = try await OwnSystemd.run("profiles='\(names)'\n" + Self.rounds, in: folder)
            try #require(said["installed"] == "0", "\(everything)")
            for (round, sandbox) in Self.profiles {
                func expect(_ name: String, _ value: String) {
                    #expect(said["\(round).\(name)"] == value, "\(name), \(everything)")
                }
                expect("started", "0")
                expect("credential", "400 nestbox")
                expect("status", "200")
                let line = said["\(round).record"] ?? ""
                let record = Record(object: try JSONObject(parsing: Array(line.utf8).span))
                #expect(record.outcome == "modified", "\(everything)")
                #expect(record.alert?["title"] == "Alice · Chat")
                #expect(record.object["worker"]?.object?["sandbox"]?.string == sandbox)
                // Each process has a group of its own; the host moved itself.
                expect("groups", "host worker ")
                expect("rotated", "0")
                expect("reloaded", "0")
                expect("statusAfterReload", "200")
                expect("same", "0")
                expect("restarted", "0")
                expect("statusAfterRestart", "200")
                expect("stopped", "0")
                expect("end", "success 0 inactive")
                // What it says is the journal's, and no record.
                expect("noted", "0")
                expect("complaints", "0")
                expect("output", "0")
                expect("left", "0")
            }
            #expect(said["purged"] == "0")
        }
    }
}
