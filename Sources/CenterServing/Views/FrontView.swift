// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import NotificationPayload
import UserNotificationCenter

/// The stacks of an owner as the API shows them: leading notifications and summaries, with apps, badge and read mark.
struct FrontView {
    private let picture: OwnerPicture
    private let language: SummaryLanguage
    /// The language of the texts in the place of hidden previews; `nil` hides none.
    private let hiding: SummaryLanguage?
    private let center: Center

    /// Shows a picture to somebody who reads the languages of an `Accept-Language`, else those of the owner.
    init(_ picture: OwnerPicture, of center: Center, acceptLanguage: String?, hiding: SummaryLanguage?) {
        self.picture = picture
        self.center = center
        self.hiding = hiding
        language = SummaryLanguage(acceptLanguage: acceptLanguage, owner: picture.owner.preferences.language)
    }

    func json(of page: FrontPage) -> JSONObject {
        let apps = picture.apps
        return [
            "position": .string("\(picture.owner.position)"),
            "time": .string(NotificationView.text(of: center.clock.wall())),
            "stacks": .array(json(of: page.stacks, page.leading)),
            "upcoming": .array(json(of: page.upcoming, page.leading)),
            "next": page.next.map { .string("\($0)") } ?? .null,
            "apps": .array(
                apps.map { app in
                    .object(AppView(app.installation, permission: app.permission, in: center).json)
                }
            ), "badge": .integer(apps.reduce(0) { $0 + Int64($1.installation.badge) }),
            "seen": .string("\(picture.owner.seen)"),
            "unseen": .integer(Int64(picture.board.count(after: picture.owner.seen))),
        ]
    }

    /// A stack with its page; `nil` means that what the disk has of it is damaged.
    func json(of page: StackPage) -> JSONObject? {
        guard let app = picture.app(page.stack.key.installation), let leading = page.leading,
            let members = picture.board.summaryMembers(of: [page.stack.key]).first
        else { return nil }
        var object = json(of: page.stack, leading, members, app)
        let id = id(of: page.stack.key)
        object["items"] = .array(page.items.map { .object(view(of: $0, in: id, app).json) })
        object["next"] = page.next.map { .string("\($0)") } ?? .null
        object["position"] = .string("\(picture.owner.position)")
        return object
    }

    private func json(of stacks: [StackBoard.Stack], _ leading: [Int64: KeptNotification]) -> [JSON] {
        zip(stacks, picture.board.summaryMembers(of: stacks.map(\.key))).compactMap { stack, members in
            guard let app = picture.app(stack.key.installation), let first = leading[stack.leading.number] else {
                return nil
            }
            return .object(json(of: stack, first, members, app))
        }
    }

    private func json(
        of stack: StackBoard.Stack,
        _ leading: KeptNotification,
        _ members: [StackSummary.Member],
        _ app: OwnerPicture.App
    ) -> JSONObject {
        let id = id(of: stack.key)
        var object: JSONObject = [
            "id": .string(id),
            "app": .string(app.installation.key.app), "count": .integer(Int64(stack.members)),
            "held": .bool(stack.key.isHeld),
        ]
        object["leading"] = .object(view(of: leading, in: id, app).json)
        if let hiding, app.hidesPreviews {
            // The names in a summary are words of a notification.
            let preview = HiddenPreview(
                memberCategories: members.map(\.category),
                categories: app.categories,
                language: hiding
            )
            object["hidden"] = ["placeholder": .string(preview.placeholder)]
            return object
        }
        object["thread"] = leading.content?.thread.map(JSON.string)
        object["summary"] = StackSummary(members, categories: app.categories).text(in: language).map(JSON.string)
        return object
    }

    private func id(of key: StackKey) -> String { key.identifier { center.store.stackHash($0) } }

    private func view(
        of notification: KeptNotification,
        in stack: String,
        _ app: OwnerPicture.App
    ) -> NotificationView {
        NotificationView(
            notification: notification,
            app: app.installation.key.app,
            stack: stack,
            categories: app.categories,
            contentExtension: center.app(app.installation.key).content,
            files: center.appFiles,
            hiding: app.hidesPreviews ? hiding : nil
        )
    }
}
