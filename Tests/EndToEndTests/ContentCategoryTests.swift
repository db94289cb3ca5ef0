// SPDX-License-Identifier: Apache-2.0

import HostTesting
import NotificationPayload
import Testing

/// The notifications that have the view of a content extension, whose Info.plist lists two categories.
@Suite(.timeLimit(.minutes(5)))
struct ContentCategoryTests {
    @Test func `both categories of the list have the view, and another, a longer and no category have none`()
        async throws
    {
        try await TemporaryFolder.with { folder in
            let center = try await RunningCenter(folder)
            let app = ["content: \(Programs.root)/.build/appex/SliderContentExtension.appex"]
            try await RunningHost.with(folder, app: app, top: folder.centerTop()) { host in
                let categories = ["album", "shared-album", "film", "album-2", "Album", nil]
                for category in categories {
                    let member = category.map { #","category":"\#($0)""# } ?? ""
                    _ = try await host.deliver(#"{"aps":{"alert":{"title":"\#(category ?? "none")"}\#(member)}}"#)
                }
                var items: [JSONObject] = []
                while items.count < categories.count {
                    try Task.checkCancellation()
                    items = try await folder.ask("/v1/notifications")["items"]?.array?.compactMap(\.object) ?? []
                }
                for item in items {
                    let title = item["payload"]?.object?["aps"]?.object?["alert"]?.object?["title"]?.string ?? ""
                    let isShown = ["album", "shared-album"].contains(title)
                    #expect((item["view"] != nil) == isShown, "\(title)")
                    let place =
                        #""environment":{"width":360,"scale":2,"style":"light","textSize":1,"#
                        + #""direction":"leftToRight","language":"en","timeZone":"UTC","reducedMotion":false}"#
                    let wish = #"{"notification":"\#(item["id"]?.string ?? "")",\#(place)}"#
                    let said = try await CommandResult.run(
                        "/usr/bin/curl",
                        [
                            "--silent", "--unix-socket", folder.path + "/center/http.sock", "--data-binary", wish, "-H",
                            "content-type: application/json", "http://nestbox/v1/views",
                        ]
                    )
                    let answer = try JSONObject(parsing: Array(said.output.utf8).span)
                    #expect((answer["view"] != nil) == isShown, "\(title)")
                    if !isShown { #expect(answer["reason"] == "noExtension", "\(title)") }
                }
            }
            #expect(center.terminate() == 0)
        }
    }
}
