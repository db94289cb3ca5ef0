// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// The examples of README.md and docs/, exactly as they are printed.
@Suite(.timeLimit(.minutes(10)))
struct DocumentTests {
    private enum Run {
        /// By a test of this suite.
        case here
        /// By another test, which is named.
        case by(String)
        /// By none, for this reason.
        case not(String)
    }

    private static let pasted = Run.by(
        "ReadmeTests, the commands of the README and of the pages behind it work as pasted"
    )

    private static let runs: [String: Run] = [
        "README.md sh: git clone <this repository> nestbox && cd nestbox": .not("clones and builds the project"),
        "README.md :  seal-payload ──▶ gateway ── HTTP/2 ──▶ extension-host ──▶ {\"outcome\":\"modified\",\"payload\":{\"aps\":{\"alert\":…":
            .not("a drawing"),
        "README.md swift: import UserNotifications": .by("ClientTests, the examples run as bundles"),
        "README.md sh: scripts/extension-sdk                  # once: what extensions are compiled against": pasted,
        "README.md : make programs && sudo make install     # PREFIX=/usr/local; make uninstall removes the same files":
            .not("builds the release; InstallTests run scripts/install, which it calls"),
        "README.md console: $ make package && sudo apt install ./.build/package/nestbox.deb":
            .by("ReadmeTests, the five commands of the README lead from a package to a record"),
        "docs/service.md : sudo install -D -m 644 -t /etc/systemd/system/nestbox.service.d /usr/share/doc/nestbox/examples/namespaces.conf":
            .not("needs systemd and the package; PackageTests start the unit with that drop-in"),
        "README.md bash: notification-center serve --folder ./center &":
            .by("CenterTests, the five commands of the README lead from an app to its owner's reply"),
        "docs/operate.md yaml: # host.yaml": pasted,
        "docs/operate.md sh: extension-host serve --config host.yaml &": pasted,
        "docs/operate.md yaml: sinks:": .not("part of a file that names another machine; WebhookTests run its keys"),
        "docs/operate.md sh: seal-payload keygen -o chat.key              # the public half goes to standard error, nse1…":
            pasted,
        "docs/who-may-send.md yaml: listen:":
            .not("part of a file, with a digest to fill in; SenderTests run its keys"),
        "docs/who-may-send.md sh: TOKEN=$(extension-host token new --config host.yaml --topic com.example.chat | head -1)":
            pasted,
        "docs/sending.md sh: seal-payload keygen -o recipient.key         # the public half goes to standard error, nse1…":
            pasted,
        "docs/sending.md swift: import E2ECrypto": .by("LibraryTests, the page on sending shows the first snippet"),
        "docs/network.md xml: <key>NSExtensionAttributes</key><dict>":
            .not("part of a file; NetworkTests run its keys"),
        "docs/attachments.md xml:   <key>SealedAttachments</key><string>before</string>":
            .not("part of a file; SealedFileTests run its key"),
        "docs/web-push.md yaml: listen: { web-push: { public-origin: \"https://push.example.com\", port: 8444, plaintext: true } }":
            .not("part of a file; WebPushTests run its keys"),
        "docs/web-push.md console: $ seal-payload keygen --format web-push -o chat.key":
            .not("shows keys that differ each time; WebPushTests run its commands"),
        "docs/desktop.md sh: notification-desktop doctor --folder ./center      # the daemon, the portals, what they can do, and a popup":
            .by("DesktopTests, a notification is a popup, and its button answers; doctor tells what the daemon can do"),
        "docs/desktop.md yaml: apps:":
            .by("DesktopBadgeTests, launchers are told the badge at the start, at each change, and none at the end"),
        "docs/notification-center.md sh: notification-center serve --folder ./center &":
            .by("CenterTests, what is delivered is kept, shown, and dismissed from the command line"),
        "docs/notification-center.md sh: notification-center serve --folder ./center --http 8787 &":
            .by("CenterWebTests, a link signs a browser in once, and what is not of its page is refused"),
        "docs/page.md sh: notification-center serve --folder ./center --http 8787 &":
            .by("CenterWebTests, a link signs a browser in once, and what is not of its page is refused"),
        "docs/notification-center.md sh: notification-center serve --folder ./center --owner me --owner maria --owner kitchen":
            .by("CenterOwnerTests, each owner has sockets of its own, and a command asks for one of them"),
        "docs/notification-center.md sh: extension-host token new --config host.yaml --topic com.example.chat --owner maria":
            .by("HostOwnerTests, a push comes to the owner of its token alone, and an app registers for its owner"),
        "docs/notification-center.md sh: notification-center serve --folder ./center --http 8443 --host 0.0.0.0 \\":
            .by("CenterTLSTests, a browser signs in over TLS, and what is not of its page is refused"),
        "docs/notification-center.md sh: curl --unix-socket center/http.sock --data-binary @photo.jpg -H 'content-type: image/jpeg' \\":
            .by("CenterFileTests, a script sends a picture and attaches it"),
        "docs/notification-center.md bash: swift build --product ReminderApp":
            .by("CenterAppTests, it asks, is shown in time, and hears the reply"),
        "docs/notification-center.md yaml: apps:":
            .by("CenterLookTests, a confined host hands them to a confined centre, which has copies of its own"),
        "docs/notification-center.md yaml: sinks:": .by("CenterTests, whichever is killed, each record is there once"),
        "docs/notification-center.md sh: notification-center authorize --folder ./center                      # the apps, and what they may do":
            .by("CenterTests, an app that nobody has allowed shows nothing before its owner allows it"),
        "docs/notification-center.md json: {\"type\":\"region\",\"circle\":{\"latitude\":40.4,\"longitude\":-3.7,\"radius\":100},\"identifier\":\"shop\",":
            .by("PositionAPITests, a request waits for its place, and is there when the answer comes"),
        "docs/notification-center.md sh: head -c 32 /dev/urandom > center.key && chmod 600 center.key":
            .by("CenterStoreKeyTests, with a key the folder never has a text, and what lay open before is sealed"),
        "docs/notification-center.md sh: notification-center serve --folder ./center --gpsd 127.0.0.1:2947 &":
            .by(
                "CenterPositionTests, who passes a shop is told on the way in and on the way out, once, and nobody reads where it was"
            ),
        "docs/notification-center.md text: 14:32  Chat · Alice             ⌁ sealed, sender 569e210ce4742c83  4711":
            .by("WatchViewTests, a notification is whose it is, its texts, its files and its actions"),
        "docs/notification-center.md text: event: hello":
            .by("SurfaceTests, a surface is told its name and the time first, and then of all there are"),
        "docs/notification-center.md text: event: willPresent":
            .by("AppStreamTests, in front it is asked, and what it answers is shown"),
        "docs/notification-center.md sh: notification-center settings --folder ./center --app com.example.chat sound=false":
            .by("CenterRequestTests, settings are changed from the command line, and wrong ones change nothing"),
        "docs/notification-center.md sh: notification-center apps remove --folder ./center com.example.chat":
            .by("CenterRemovalTests, on a terminal a person is asked, and what is no yes removes nothing"),
        "docs/notification-center.md sh: notification-center settings --folder ./center --app com.example.chat --in-app":
            .by("CenterRequestTests, settings are changed from the command line, and wrong ones change nothing"),
        "docs/notification-center.md json: {\"id\":\"4711\",\"app\":\"com.example.chat\",\"stack\":\"9f3c0b5d2e617a48\",\"level\":\"active\",":
            .by("LockSurfaceTests, of a thousand hidden canaries no byte is sent, whatever is asked"),
        "docs/notification-center.md json: {\"id\":\"4711\",\"app\":\"com.example.chat\",\"stack\":\"9f3c0b5d2e617a48\",\"date\":\"2026-11-21T03:00:00.123Z\",":
            .by("LinkTests, a record that is taken is in the list, with what the host said of it"),
        "docs/troubleshooting.md sh: extension-host doctor --config host.yaml     # which sandbox this machine allows, and what the extensions did":
            .not("starts a second host; the commands' own tests run each"),
        "docs/extensions.md sh: extension-host build Examples/SliderContentExtension -o Slider.appex":
            .by("ControllerExtensionTests, the view of an Xcode project is built unmodified, and works"),
        "docs/extensions.md sh: extension-host build Examples/PhotoScene -o Photo.appex":
            .by("SceneExtensionTests, the example is shown and worked in each profile"),
        "docs/extensions.md sh: extension-host view Photo.appex photo.json --serve --watch Examples/PhotoScene":
            .by(
                "ViewServeTests, what is changed is built and shown anew, and a build that fails leaves the last one"
            ),
        "docs/extensions.md sh: token=00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff":
            .by("ContentViewTests, a view in Swift takes its notification away"),
        "docs/extensions.md sh: mkdir -p PythonPhoto.appex && cp Examples/python-view/Info.plist PythonPhoto.appex/":
            .by("ViewCommandTests, steps are taken in their order, and what was expected is seen"),
        "docs/bring-your-extension.md sh: extension-host build . --explain":
            .by(
                "ProjectBuildTests, what a target has and nobody builds here is named, with its place and the next step"
            ),
        "docs/bring-your-extension.md sh: extension-host build . -o Chat.appex":
            .by(
                "ProjectBuildTests, a project of Xcode 26 with folders that it keeps in step is built, and its folder finds it"
            ),
        "docs/bring-your-extension.md sh: extension-host build NotificationService --identifier com.example.chat.service -o Chat.appex":
            .by("BuildTests, Xcode's template builds and runs, and a second build is none"),
        "docs/bring-your-extension.md sh: extension-host build Chat.xcodeproj --target NotificationContent -o Content.appex":
            .by("TwoExtensionsTests, each is built by its name or by its folder, and works"),
        "docs/bring-your-extension.md sh: extension-host build Chat.xcodeproj --packages .build/checkouts -o Chat.appex":
            .by(
                "ProjectBuildTests, packages that the project names, and those of a folder of checkouts, are compiled as modules"
            ),
        "docs/bring-your-extension.md sh: extension-host build Chat.xcworkspace --target NotificationService --module Hashing=Pods/Hashing/Sources -o Chat.appex":
            .by("BuildTests, types and modules of an app may have the names of ours"),
        "docs/bring-your-extension.md sh: extension-host build Chat.xcodeproj --packages Integrations -o Chat.appex":
            .by(
                "IntegrationTests, a project that links all the products is built with --packages, and Firebase's picture is attached"
            ),
        "docs/gateways.md python: # aioapns: the host in place of Apple's": .here,
        "docs/gateways.md sh: echo '{\"aps\":{\"alert\":\"Lunch?\"}}' > body.json": .here,
        "docs/tap.md sh: sudo install -d -o nestbox -g nestbox -m 755 /etc/nestbox/tap":
            .not("needs the user of the package; TapAuthorityTests make the files"),
        "docs/tap.md sh: extension-host tap make-ca tap":
            .by("TapTests, kalyke reaches a host by HTTPS_PROXY, as Apple's sandbox"),
        "docs/fleet.md sh: extension-host fleet init --database \"host=db1 dbname=nestbox user=postgres\" --role web1 --role web2":
            .by("FleetServeTests, what one host accepts the other delivers, and the first one once the other is dead"),
        "docs/fleet.md yaml: state: ./state":
            .not("part of a file that names other machines; FleetServeTests run its keys"),
        "docs/container.md sh: make image                                    # .build/image/nestbox.tar, of the Debian package; asks sudo for root":
            .not("takes root and packages of Debian; scripts/try-image runs the flags"),
        "docs/service.md sh: sudo install -m 600 chat.key /etc/nestbox/keys/      # root's: the host's user gets it from systemd":
            .not("needs systemd and an editor; PackageTests give the unit a key in this way"),
    ]

    @Test func `every code block of README and docs is run, or is listed with the reason why it is not`() throws {
        let printed = try CodeBlock.documents().flatMap { try CodeBlock.all(of: $0) }.map(\.name)
        #expect(Set(printed).subtracting(Self.runs.keys).sorted() == [], "blocks that nothing runs")
        #expect(Set(Self.runs.keys).subtracting(printed).sorted() == [], "listed, and not printed any more")
        #expect(printed.count == Set(printed).count, "two blocks with one name")
        let here = Self.runs.filter { if case .here = $0.value { true } else { false } }.keys.sorted()
        #expect(here == Example.all.map(\.name).sorted())
    }

    /// A block of docs/ that is run here, with the program that takes it and the listener that it is for.
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let program: String
        let security: String
        /// The whole text that the example must print to standard output.
        let answer: String

        var testDescription: String { name }

        static let all = [
            Example(
                name: "docs/gateways.md python: # aioapns: the host in place of Apple's",
                program: "/usr/bin/python3",
                security: "certificate: ca.pem, key: ca.key, auth: { teams: [{ team: DEF123GHIJ, keys: [KEY] }] }",
                answer: "200\n"
            ),
            Example(
                name: "docs/gateways.md sh: echo '{\"aps\":{\"alert\":\"Lunch?\"}}' > body.json",
                program: "/bin/bash",
                security: "plaintext: true",
                answer: ""
            ),
        ]
    }

    /// Root alone has a network of its own for the asking: in it 8443 is free, and push.example.com is this machine.
    @Test(
        .enabled(if: geteuid() == 0, "needs root, for a network of its own"),
        .enabled(
            if: !PythonClient.pythons(with: "aioapns").isEmpty,
            "needs python3-aioapns: scripts/setup installs it"
        ),
        arguments: Example.all
    )
    func `an example of the documents is run as it is printed`(_ example: Example) async throws {
        let document = String(example.name.prefix { $0 != " " })
        let block = try #require(try CodeBlock.all(of: document).first { $0.name == example.name })
        try await TemporaryFolder.with { folder in
            let provider = try await Provider(in: folder)
            let key = try await provider.makeKey("ABC123DEFG", "topics: [com.example.chat]")
            try FileManager.default.copyItem(
                atPath: provider.file("ABC123DEFG.p8"),
                toPath: provider.file("AuthKey.p8")
            )
            _ = try await provider.makeCertificate("ca", names: "DNS:push.example.com")
            _ = try folder.write(
                """
                listen: { apns: { port: 8443, \(example.security.replacing("KEY", with: key)) } }
                apps: [{ topic: com.example.chat, device-tokens: ["\(RunningHost.token)"] }]

                """,
                to: "host.yaml"
            )
            _ = try folder.write(block.text, to: "example")
            _ = try folder.write("127.0.0.1 localhost push.example.com\n", to: "hosts")
            let script = """
                set -eu
                cd '\(folder.path)'
                ip link set lo up
                mount --bind hosts /etc/hosts
                '\(Programs.extensionHost)' serve --config host.yaml > records 2> notes &
                host=$!
                until grep -q listening notes; do kill -0 $host; sleep 0.1; done
                \(example.program) example || { cat notes >&2; kill $host; exit 1; }
                kill -TERM $host
                wait $host
                cat records >&2
                """
            let result = try await CommandResult.run(
                "/usr/bin/unshare",
                ["-mn", "--propagation", "private", "/bin/bash", "-c", script]
            )
            #expect(result.status == 0, "\(result.errors)")
            #expect(result.output == example.answer)
            let line = result.errors.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
            let record = Record(object: try JSONObject(parsing: Array(line.utf8).span))
            #expect(record.payload?.aps?["alert"] == "Lunch?")
        }
    }
}
