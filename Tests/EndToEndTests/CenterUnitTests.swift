// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The package's units of a centre of several people, under a real systemd.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: OwnSystemd.isThere, OwnSystemd.reason),
    .enabled(if: PackageTests.canBuild, "needs dpkg-dev and chrpath: scripts/setup package installs them")
)
struct CenterUnitTests {
    private static let script =
        OwnSystemd.sudo + #"""
            dpkg --force-unsafe-io -i nestbox.deb >/dev/null; echo "installed=$?"
            for user in maria juan; do useradd --create-home $user; done
            unset XDG_RUNTIME_DIR
            place=/run/nestbox/owners
            as() { user=$1; shift; sudo -u $user env HOME=/home/$user "$@"; }
            titles() { as $1 notification-center list | grep -o '"title":"[^"]*"' | tr '\n' ' '; }
            systemctl daemon-reload
            systemctl start nestbox-center@maria.socket nestbox-center@juan.socket; echo "sockets=$?"
            echo "modes=$(stat -c '%a %U' $place/maria/*.sock $place/juan/*.sock | sort -u | tr '\n' ' ')"
            # The first to come starts the centre; nobody has allowed the app yet.
            as maria notification-center send com.example.backup Done; echo "refused=$?"
            echo "active=$(systemctl is-active nestbox-center)"
            # The app asks, and waits for its owner's word.
            as maria curl -s --unix-socket $place/maria/http.sock -H 'content-type: application/json' \
                -d '{"call":"authorize","options":["alert"]}' http://nestbox/v1/app/com.example.backup/calls >/dev/null &
            until_() { for _ in $(seq 300); do "$@" && return; sleep 0.1; done; return 1; }
            until_ as maria notification-center authorize com.example.backup >/dev/null 2>&1; echo "allowed=$?"
            as maria notification-center send com.example.backup Done >/dev/null; echo "sent=$?"
            echo "maria=$(titles maria)"
            echo "juan=$(titles juan)"
            sudo -u juan curl -s --unix-socket $place/maria/http.sock http://nestbox/v1; echo "stranger=$?"
            # The centre's own user, which reads every database, may connect as well; it is no other person.
            echo "user=$(ps -o user= -C notification-center)"
            before=$(systemctl show --value -p MainPID nestbox-center)
            kill -9 $before
            echo "killed=$(titles maria)"
            [ "$(systemctl show --value -p MainPID nestbox-center)" != "$before" ]; echo "another=$?"
            systemctl stop nestbox-center; echo "stopped=$?"
            echo "again=$(titles maria)"
            as juan python3 -c 'import socket, sys
            app = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            app.connect(sys.argv[1])' $place/juan/app.sock; echo "app=$?"
            # One more: all are stopped, for whoever connects starts the centre again.
            useradd --create-home lena
            systemctl stop 'nestbox-center@*.socket' nestbox-center
            systemctl start nestbox-center@maria.socket nestbox-center@juan.socket nestbox-center@lena.socket
            echo "added=$?"
            as lena notification-center list; echo "lena=$?"
            echo "still=$(titles maria)"
            systemctl stop 'nestbox-center@*.socket' nestbox-center; echo "left=$(ls $place/maria)"
            journalctl --no-pager -u nestbox-center | tail -n 40

            """#

    @Test func `each person has sockets of their own, and the centre comes back behind them`() async throws {
        try await TemporaryFolder.with { folder in
            try await PackageTests.package(to: folder.path + "/nestbox.deb")
            let (said, everything) = try await OwnSystemd.run(Self.script, in: folder)
            func expect(_ name: String, _ value: String) { #expect(said[name] == value, "\(name), \(everything)") }
            expect("installed", "0")
            expect("sockets", "0")
            expect("modes", "600 juan 600 maria ")
            expect("refused", "1")
            expect("active", "active")
            expect("allowed", "0")
            expect("sent", "0")
            expect("maria", #""title":"Done" "#)
            expect("juan", "")
            // curl(1): it could not connect.
            expect("stranger", "7")
            expect("user", "nestbox")
            expect("killed", #""title":"Done" "#)
            expect("another", "0")
            expect("stopped", "0")
            expect("again", #""title":"Done" "#)
            expect("app", "0")
            expect("added", "0")
            expect("lena", "0")
            expect("still", #""title":"Done" "#)
            expect("left", "")
        }
    }
}
