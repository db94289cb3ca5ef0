// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import NotificationPayload
import Testing

/// A picture that an extension reads with `Data(contentsOf:)` from a server with TLS, through the host's proxy.
@Suite(.timeLimit(.minutes(5)))
struct WebContentTests {
    @Test(arguments: ["--static", "--no-static"])
    func `a picture behind https is read, from a host that the bundle lists and from no other`(
        linking: String
    ) async throws {
        let suite = Programs.root + "/Tests/CompatibilityTests/"
        try await TemporaryFolder.with { folder in
            try FileManager.default.copyItem(atPath: suite + "Media", toPath: folder.path + "/www")
            try await WebServer.with(folder) { server in
                let template = try String(contentsOfFile: suite + "Template/Network-Info.plist", encoding: .utf8)
                for isListed in [true, false] {
                    let listed = isListed ? "127.0.0.1:\(server.tlsPort)" : "media.example.com"
                    let info = try folder.write(
                        template.replacing("http://127.0.0.1:$(MEDIA_PORT)", with: listed),
                        to: "Info.plist"
                    )
                    let bundle = folder.path + "/Picture.appex"
                    let built = try await CommandResult.run(
                        Programs.extensionHost,
                        ["build", suite + "Extensions/ContentsOfURL", "--info", info, "-o", bundle, linking]
                            + ["--identifier", "com.example.chat.service"]
                    )
                    try #require(built.status == 0, "\(built.errors)")
                    let push = try folder.write(
                        #"{"aps":{"alert":"a","mutable-content":1},"image":"https://127.0.0.1:\#(server.tlsPort)/photo.png"}"#,
                        to: "push.apns"
                    )
                    let run = try await HostRun(bundle, push, [], authority: folder.path + "/server.pem")
                    #expect(run.record["outcome"]?.string == "modified")
                    #expect((run.record["attachments"]?.array?.count ?? 0) == (isListed ? 1 : 0))
                    #expect(run.errors.contains("not in NetworkHosts") == !isListed)
                }
            }
        }
    }
}
