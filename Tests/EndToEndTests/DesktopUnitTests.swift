// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// The package's units of a user's own session, under a real systemd of that user.
@Suite(
    .timeLimit(.minutes(10)),
    .enabled(if: OwnSystemd.isThere, OwnSystemd.reason),
    .enabled(if: OwnBus.isThere, "needs dbus-daemon: scripts/setup test installs it"),
    .enabled(if: PackageTests.canBuild, "needs dpkg-dev and chrpath: scripts/setup package installs them")
)
struct DesktopUnitTests {
    private static let script =
        OwnSystemd.sudo + #"""
            dpkg --force-unsafe-io -i nestbox.deb >/dev/null; echo "installed=$?"
            useradd --create-home maria
            run=/run/user/$(id -u maria)
            install -d -m 700 -o maria /run/user $run && chmod 755 /run/user
            # Debian's session bus, where it is installed, listens at "bus".
            bus=unix:path=$run/test-bus
            as() { sudo -u maria env HOME=/home/maria XDG_RUNTIME_DIR=$run DBUS_SESSION_BUS_ADDRESS=$bus "$@"; }
            user() { as systemctl --user "$@"; }
            main() { user show --value -p "$1" notification-desktop; }
            until_() { for _ in $(seq 300); do "$@" && return; sleep 0.1; done; return 1; }
            named() { as dbus-send --print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.GetNameOwner \
                string:org.freedesktop.Notifications >/dev/null 2>&1; }
            shown() { grep -q "\"summary\":\"$1\"" popups; }
            # A desktop's own target is bound to this one, which nobody may start by hand.
            printf '[Unit]\nBindsTo=graphical-session.target\n' >/etc/systemd/user/test-session.target
            systemd-run --quiet --unit=manager --uid=maria -p Delegate=yes \
                -E XDG_RUNTIME_DIR=$run -E HOME=/home/maria /lib/systemd/systemd --user
            until_ user is-active --quiet basic.target
            as dbus-daemon --session --nofork --address=$bus &
            until_ test -S $run/test-bus; echo "bus=$?"
            user set-environment DBUS_SESSION_BUS_ADDRESS=$bus
            sleep infinity | as ./FakeNotifications fake actions,body,body-markup >popups &
            # Whoever comes before it has Debian's daemon started, which finds no screen.
            until_ named
            user start notification-center; echo "centre=$?"
            http=$run/nestbox/http.sock
            until_ test -S $http
            as curl -s --unix-socket $http -H 'content-type: application/json' \
                -d '{"call":"setCategories","categories":[]}' http://nestbox/v1/app/com.example.backup/calls >/dev/null
            as notification-center authorize com.example.backup >/dev/null; echo "allowed=$?"
            user enable notification-desktop 2>/dev/null; echo "enabled=$?"
            echo "before=$(main ActiveState)"
            user start test-session.target; echo "session=$?"
            until_ user is-active --quiet notification-desktop; echo "started=$(main ActiveState)"
            as notification-center send com.example.backup One >/dev/null
            until_ shown One; echo "one=$?"
            kill -9 $(main MainPID)
            again() { [ "$(main NRestarts)" = 1 ] && user is-active --quiet notification-desktop; }
            until_ again; echo "restarted=$?"
            as notification-center send com.example.backup Two >/dev/null
            until_ shown Two; echo "two=$?"
            user restart notification-center; echo "renewed=$?"
            as notification-center send com.example.backup Three >/dev/null
            until_ shown Three; echo "three=$?"
            user stop test-session.target
            stopped() { [ "$(main ActiveState)" = inactive ]; }
            until_ stopped; echo "end=$(main ActiveState) $(main Result)"
            user start test-session.target
            until_ user is-active --quiet notification-desktop; echo "back=$(main ActiveState)"
            journalctl --no-pager -n 40 _UID=$(id -u maria)

            """#

    @Test func `the agent starts and ends with the session, and comes back`() async throws {
        try await TemporaryFolder.with { folder in
            try await PackageTests.package(to: folder.path + "/nestbox.deb")
            try FileManager.default.copyItem(
                atPath: Programs.folder + "/FakeNotifications",
                toPath: folder.path + "/FakeNotifications"
            )
            let (said, everything) = try await OwnSystemd.run(Self.script, in: folder)
            func expect(_ name: String, _ value: String) { #expect(said[name] == value, "\(name), \(everything)") }
            for name in ["installed", "bus", "centre", "allowed", "enabled", "session", "one", "restarted", "two"] {
                expect(name, "0")
            }
            expect("before", "inactive")
            expect("started", "active")
            expect("renewed", "0")
            expect("three", "0")
            expect("end", "inactive success")
            expect("back", "active")
        }
    }
}
