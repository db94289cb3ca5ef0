// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

@testable import DesktopPresenter

/// The pictures of apps in the desktop files of the agent.
struct OwnPictureTests {
    /// The start of a PNG of this width and height, and so many bytes in all.
    private static func png(_ width: [UInt8], _ height: [UInt8], count: Int = 64) -> [UInt8] {
        let start: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
        let bytes = start + width + height
        return bytes + Array(repeating: 0, count: count - bytes.count)
    }

    @Test(
        arguments: [
            (png([0, 0, 4, 0], [0, 0, 0, 1]), true), (png([0, 0, 4, 1], [0, 0, 0, 1]), false),
            (png([0, 0, 0, 1], [0, 0, 4, 1]), false), (png([0, 0, 0, 0], [0, 0, 0, 1]), false),
            (png([1, 0, 0, 1], [0, 0, 0, 1]), false), (png([0, 0, 0, 1], [0, 0, 0, 1], count: 262_144), true),
            (png([0, 0, 0, 1], [0, 0, 0, 1], count: 262_145), false),
            (Array(png([0, 0, 0, 1], [0, 0, 0, 1]).prefix(23)), false), (Array("<svg/>".utf8), false), ([], false),
        ] as [([UInt8], Bool)]
    )
    func `a picture is a PNG of bounded bytes and points`(bytes: [UInt8], isPicture: Bool) {
        #expect(OwnPicture(bytes)?.bytes == (isPicture ? bytes : nil))
    }

    // MARK: Which apps have one

    private static let chat: JSONObject = ["app": "chat", "name": "Chat", "icon": "/v1/apps/chat/icon"]

    private func files(_ apps: JSONObject...) -> OwnDesktopFiles {
        var files = OwnDesktopFiles(center: "/run/http.sock") { ["notification-desktop", "open", $0] }
        files.take(front: ["apps": .array(apps.map(JSON.object))])
        return files
    }

    /// The icons that the files name.
    private func icons(_ files: [OwnDesktopFile]?) -> [String]? {
        files?.map { file in
            String(file.text.split(separator: "\n").first { $0.hasPrefix("Icon=") }?.dropFirst(5) ?? "")
        }
    }

    @Test func `an app with a picture names it, is fetched once, and one that is refused has the desktop's`() {
        var files = files(Self.chat, ["app": "other", "name": "Other"])
        let all = files.changes()
        #expect(icons(all) == ["nestbox.chat", "dialog-information"])
        #expect(all?.map(\.hasPicture) == [true, false])
        let topics = [files.nextPicture(), files.nextPicture()]
        #expect(topics == ["chat", nil])
        #expect(files.fileWithPicture(of: "chat") == "nestbox.chat.desktop")
        #expect(files.fileWithPicture(of: "other") == nil)
        files.take(hasPicture: true, of: "chat")
        #expect(files.changes() == nil)
        files.take(hasPicture: false, of: "chat")
        #expect(icons(files.changes()) == ["dialog-information", "dialog-information"])
        files.take(hasPicture: true, of: "chat")
        #expect(icons(files.changes()) == ["nestbox.chat", "dialog-information"])
    }

    @Test func `a picture is fetched again when the app is told without a difference, and not for a badge`() {
        var files = files(Self.chat)
        _ = files.nextPicture()
        var badge = Self.chat
        badge["badge"] = 1
        files.take(app: badge)
        #expect(files.nextPicture() == nil)
        // What comes and goes meanwhile is told of no app.
        badge["stored"] = 3
        files.take(app: badge)
        #expect(files.nextPicture() == "chat")
        files.takeNoAnswer(of: "chat")
        #expect(files.nextPicture() == "chat")
        files.take(app: ["app": "chat", "name": "Chat"])
        files.takeNoAnswer(of: "chat")
        #expect(files.nextPicture() == nil)
        #expect(files.fileWithPicture(of: "chat") == nil)
        files.take(app: Self.chat)
        #expect(files.nextPicture() == "chat")
        files.take(app: ["app": "chat", "removed": true])
        #expect(files.fileWithPicture(of: "chat") == nil)
        files.take(front: ["apps": [.object(Self.chat)]])
        #expect(files.nextPicture() == "chat")
    }

    @Test func `the apps that have no file have no picture either`() {
        var files = OwnDesktopFiles(center: "/run/http.sock") { [$0] }
        for number in 0..<300 { files.take(app: ["app": .string("app\(1000 + number)"), "icon": "/v1/apps/a/icon"]) }
        var topics: [String] = []
        while let topic = files.nextPicture() { topics.append(topic) }
        #expect(topics.count == 256)
        #expect(topics.last == "app1255")
    }
}
