// SPDX-License-Identifier: Apache-2.0

import CenterAsking
import Foundation
import NIOHTTP1
import NotificationPayload
import UserNotificationCenter

/// The centre's events for a watch: from a first picture on, over restarts of the centre.
struct WatchSource {
    /// The notifications that are shown before the first event.
    enum Beginning: Equatable {
        case now
        case unseen
        case since(Date)
    }

    /// Notifications that are shown before the first event.
    private static let pageLimit = 200
    private static let pause = Duration.seconds(1)

    private let client: CenterClient
    private let folder: String
    /// The kind of surface that the watch is; `nil` means that nobody looks at it.
    private let kind: Presenter.Kind?

    init(_ client: CenterClient, folder: String, as kind: Presenter.Kind?) {
        self.client = client
        self.folder = folder
        self.kind = kind
    }

    /// The beginning of a watch: what was there before it, and where its events begin.
    struct Start {
        let apps: JSON?
        /// The oldest first.
        let notifications: [JSONObject]
        let position: String
        /// The page of the centre; `nil` means that it has none.
        let page: CenterPage?
    }

    /// Asks for what a watch begins with; nothing is written yet.
    func load(_ beginning: Beginning) async throws -> Start {
        let front = try await client.ask(.GET, "/v1/front?limit=1")
        let position = front["position"]?.string ?? "0"
        let page = CenterPage(api: try await client.ask(.GET, "/v1"))
        guard beginning != .now else {
            return Start(apps: front["apps"], notifications: [], position: position, page: page)
        }
        let list = try await client.ask(.GET, "/v1/notifications?limit=\(Self.pageLimit)")
        let seen = (front["seen"]?.string).flatMap(Int64.init) ?? 0
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let items = (list["items"]?.array ?? []).compactMap(\.object).filter { item in
            // What came after the position is told as an event.
            guard let id = (item["id"]?.string).flatMap(Int64.init), id <= Int64(position) ?? .max else { return false }
            switch beginning {
            case .now: return false
            case .unseen: return id > seen
            case .since(let start):
                return (item["date"]?.string).flatMap { try? style.parse($0) }.map { $0 >= start } ?? false
            }
        }
        return Start(apps: front["apps"], notifications: items.reversed(), position: position, page: page)
    }

    /// Hands events over until it is cancelled; a centre that ends is waited for.
    func follow(_ session: WatchSession, from start: String) async throws {
        var position = start
        var isAway = false
        var isReset = false
        while !Task.isCancelled {
            do {
                try await client.watch(after: position, as: kind) { event in
                    if isAway { await session.say("the centre on \"\(folder)\" is back") }
                    isAway = false
                    if event.name == "reset" {
                        await session.say("too much happened meanwhile: \"list\" shows what is there")
                        isReset = true
                        return
                    }
                    try await session.take(event)
                    position = event.id ?? position
                }
                if isReset {
                    await session.reset()
                    let now = try await load(.now)
                    try await session.begin(with: now)
                    position = now.position
                    isReset = false
                    continue
                }
            } catch let failure as Failure where failure.isAbsence {}
            guard !Task.isCancelled else { return }
            if !isAway { await session.say("the centre on \"\(folder)\" has ended; waiting for it") }
            isAway = true
            try? await Task.sleep(for: Self.pause)
        }
    }
}
