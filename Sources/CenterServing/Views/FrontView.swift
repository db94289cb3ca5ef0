// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import NotificationPayload
import UserNotificationCenter

/// The first picture of an owner: stacks with their leading notifications and summaries, apps, badge, read mark.
///
/// All but the texts is of one moment; a notification that goes before its text is read leaves its stack out.
struct FrontView {
    /// Stacks of one page.
    static let limits = 1...200

    private let front: Front
    private let store: CenterStore
    private let board: StackBoard
    private let apps: [Int64: Installation]
    private let name: (String) -> String
    private let list: ListView
    /// The language of the texts in the place of hidden previews; `nil` hides none.
    private let hiding: SummaryLanguage?

    init(_ front: Front, of center: Center, hiding: SummaryLanguage?) throws(DatabaseFailure) {
        self.front = front
        self.hiding = hiding
        list = try ListView(of: front.owner.name, in: center, hiding: hiding)
        store = center.store
        name = center.name(of:)
        apps = Dictionary(front.installations.map { ($0.number, $0) }) { first, _ in first }
        let groupings = apps.values.map { installation in
            (Int32(clamping: installation.number), AppPermission(stored: installation.permission).settings.grouping)
        }
        board = StackBoard(
            front.heads.map { head in
                StackEntry(
                    number: head.number,
                    installation: Int32(clamping: head.installation),
                    thread: head.thread,
                    count: head.presentation.count,
                    isHeld: head.presentation.flags.contains(.held)
                )
            },
            groupings: Dictionary(groupings) { first, _ in first }
        )
    }

    /// Shows at most `limit` stacks, those whose leading notifications are older than `before`.
    func json(limit: Int, before: Int64?, language: SummaryLanguage) throws(DatabaseFailure) -> JSONObject {
        let stacks = board.stacks(isHeld: false, before: before, limit: limit)
        var shown: [JSON] = []
        for stack in stacks {
            if let json = try json(of: stack, language) { shown.append(.object(json)) }
        }
        var upcoming: [JSON] = []
        for stack in board.stacks(isHeld: true, limit: limit) {
            if let json = try json(of: stack, language) { upcoming.append(.object(json)) }
        }
        let badges = front.installations.map { Int64($0.badge) }
        return [
            "position": .string("\(front.owner.position)"), "stacks": .array(shown), "upcoming": .array(upcoming),
            "next": stacks.count < limit ? .null : stacks.last.map { .string("\($0.leading.number)") } ?? .null,
            "apps": .array(front.installations.map { .object(AppView(installation: $0, name: name($0.key.app)).json) }),
            "badge": .integer(badges.reduce(0, +)), "seen": .string("\(front.owner.seen)"),
            "unseen": .integer(Int64(front.heads.count { $0.number > front.owner.seen })),
        ]
    }

    /// The stack that an id names; `nil` means that there is none.
    func key(of id: String) -> StackKey? {
        board.key(identifiedBy: id) { store.stackHash($0) }
    }

    /// The members of a stack up to a number.
    func numbers(of key: StackKey, upTo end: Int64) -> [Int64] {
        board.members(of: key).map(\.number).filter { $0 <= end }
    }

    /// Everything in the list up to a number, of one app or of all.
    func numbers(ofApp topic: String?, upTo end: Int64) -> [Int64] {
        let installation = topic.map { topic in
            // No installation has the number 0.
            Int32(clamping: front.installations.first { $0.key.app == topic }?.number ?? 0)
        }
        var rest = board
        return rest.clear(installation: installation, upTo: end)
    }

    /// A stack with at most `limit` of its members, the newest first; `nil` means that it is gone.
    func json(
        of key: StackKey,
        limit: Int,
        before: Int64?,
        language: SummaryLanguage
    ) throws(DatabaseFailure) -> JSONObject? {
        guard let stack = board.stack(key), let app = apps[Int64(key.installation)],
            var object = try json(of: stack, language)
        else { return nil }
        let members = board.members(of: key, before: before, limit: limit + 1).map(\.number)
        let shown = members.prefix(limit)
        let categories = list.categories(app.number)
        object["items"] = .array(
            try store.notifications(Array(shown), of: front.owner.name).map { notification in
                .object(view(of: notification, app, categories).json)
            }
        )
        object["next"] = members.count > limit ? shown.last.map { .string("\($0)") } ?? .null : .null
        object["position"] = .string("\(front.owner.position)")
        return object
    }

    private func view(
        of notification: KeptNotification,
        _ app: Installation,
        _ categories: CategorySet
    ) -> NotificationView {
        NotificationView(
            notification: notification,
            app: app.key.app,
            categories: categories,
            hiding: app.hidesPreviews ? hiding : nil
        )
    }

    private func json(of stack: StackBoard.Stack, _ language: SummaryLanguage) throws(DatabaseFailure) -> JSONObject? {
        guard let app = apps[Int64(stack.key.installation)] else { return nil }
        let numbers = board.members(of: stack.key).reversed().map(\.number)
        let outlines = try store.outlines(numbers, of: front.owner.name)
        let found = try store.notifications([stack.leading.number], of: front.owner.name).first
        guard let leading = found, outlines.last?.number == stack.leading.number else { return nil }
        let categories = list.categories(app.number)
        var object: JSONObject = [
            "id": .string(stack.key.identifier { store.stackHash($0) }), "app": .string(app.key.app),
            "count": .integer(Int64(outlines.count)), "held": .bool(stack.key.isHeld),
        ]
        object["leading"] = .object(view(of: leading, app, categories).json)
        if let hiding, app.hidesPreviews {
            // The names in a summary are words of a notification.
            let preview = HiddenPreview(
                memberCategories: outlines.map(\.category),
                categories: categories,
                language: hiding
            )
            object["hidden"] = ["placeholder": .string(preview.placeholder)]
            return object
        }
        let summary = StackSummary(
            outlines.map { StackSummary.Member(category: $0.category, argument: $0.argument, count: $0.count) },
            categories: categories
        )
        object["thread"] = leading.content?.thread.map(JSON.string)
        object["summary"] = summary.text(in: language).map(JSON.string)
        return object
    }
}
