// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import CenterStore

/// A folder with an app that has a row in every table, and files, and another owner's beside it.
struct RemovalDesk {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("picture".utf8)
    /// The tables that have rows of the app alone.
    private static let tables = [
        "head", "history", "waiting", "pending", "region", "response", "silent", "categories", "file",
    ]

    private let desk: Desk
    private let rows: [Int]

    init() throws {
        let desk = try Desk()
        self.desk = desk
        let list = Presentation(flags: [.list])
        var region = desk.request("place", due: nil)
        region.box = []
        try desk.commit(
            desk.arrive(.call, .listed(try Self.content("listed", in: desk), list)),
            desk.arrive(.call, .listed(try Self.content("answered", in: desk), list)),
            desk.arrive(.call, .listed(try Self.content("past", in: desk), list)),
            desk.arrive(.call, .waits(try Self.content("waits", in: desk))),
            desk.arrive(.call, .silent([1])),
            .schedule(region, limit: PendingLimit(count: 64, wallMinusBoot: 0)),
            .setCategories(desk.chat, [1]),
            .setBadge(desk.chat, 7)
        )
        try desk.commit(
            .respond(ResponseDraft(owner: desk.me, number: Desk.first + 1, action: "reply", text: "yes")),
            .remove(desk.me, numbers: [Desk.first + 2], by: .user)
        )
        rows = try Self.tables.map { try desk.rows(of: $0) }
        try desk.store.close()
        #expect(rows.allSatisfy { $0 > 0 }, "\(rows)")
    }

    private static func content(_ identifier: String, in desk: Desk) throws -> NotificationContent {
        let draft = try desk.store.files.begin()
        try draft.append(jpeg)
        let file = try desk.store.files.finish(draft, as: try #require(AttachmentType(identifier: "public.jpeg")))
        var content = desk.content(identifier)
        content.attachments = [ContentAttachment(identifier: "photo", .kept(file, type: "public.jpeg", thumbnail: nil))]
        return content
    }

    /// A folder that is as this one.
    func copy() throws -> CenterFolder {
        let folder = try CenterFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: desk.folder.path) {
            try FileManager.default.copyItem(atPath: "\(desk.folder.path)/\(name)", toPath: "\(folder.path)/\(name)")
        }
        return folder
    }

    /// True if a folder has nothing of the app, and false if it has all of it; anything between is a fault.
    func isGone(from folder: CenterFolder) throws -> Bool {
        let store = try folder.store()
        let isGone = try store.installation(desk.chat) == nil
        _ = try store.sweepFiles()
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/files")
            .count { $0.contains("/") }
        #expect(try store.withdrawals() == (isGone ? [desk.chat] : []))
        #expect(try store.installation(desk.ana) != nil)
        try store.close()
        let found = try Self.tables.map { try folder.rows(of: $0) }
        #expect(found == (isGone ? rows.map { _ in 0 } : rows))
        #expect(files == (isGone ? 0 : 4))
        #expect(try folder.strays() == [])
        return isGone
    }
}
