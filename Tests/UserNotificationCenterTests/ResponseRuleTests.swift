// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Testing

@testable import UserNotificationCenter

/// The effect of a person's answer: each case of the table in center.md §12.
struct ResponseRuleTests {
    static let category = NotificationCategory(
        identifier: "message",
        actions: [
            CategoryAction(identifier: "archive", title: "Archive"),
            CategoryAction(identifier: "show", title: "Show", options: [.foreground]),
            CategoryAction(identifier: "delete", title: "Delete", options: [.authenticationRequired, .destructive]),
            CategoryAction(
                identifier: "reply",
                title: "Reply",
                text: CategoryAction.TextInput(button: "Send", placeholder: "Message")
            ),
        ]
    )
    static let rule = ResponseRule(registered: category)

    static func plan(
        _ identifier: String,
        text: String? = nil,
        isForApp: Bool = true,
        _ launch: ResponsePlan.Launch
    ) -> ResponsePlan {
        ResponsePlan(identifier: identifier, text: text, isForApp: isForApp, launch: launch)
    }

    static let ownDefault = "com.apple.UNNotificationDefaultActionIdentifier"
    static let ownDismiss = "com.apple.UNNotificationDismissActionIdentifier"

    @Test(
        arguments: [
            ("default", nil, plan(ownDefault, .foreground)), (ownDefault, nil, plan(ownDefault, .foreground)),
            ("dismiss", nil, plan(ownDismiss, isForApp: false, .background)),
            (ownDismiss, nil, plan(ownDismiss, isForApp: false, .background)),
            ("archive", nil, plan("archive", .background)), ("show", nil, plan("show", .foreground)),
            ("delete", nil, plan("delete", .background)), ("reply", "Hi 👋", plan("reply", text: "Hi 👋", .background)),
            ("reply", "", plan("reply", text: "", .background)),
            ("archive", "unasked", plan("archive", .background)),
        ] as [(String, String?, ResponsePlan)]
    )
    func `an action has this effect`(action: String, text: String?, plan: ResponsePlan) throws {
        let made = try Self.rule.plan(action: action, text: text, on: .open)
        #expect(made == plan)
        #expect(made.closes)
    }

    @Test func `an action that needs authentication is refused on a lock view, and no other one`() throws {
        #expect(throws: ResponseFault.needsAuthentication) {
            try Self.rule.plan(action: "delete", text: nil, on: .lock)
        }
        for action in ["default", "dismiss", "archive", "show"] {
            #expect(
                try Self.rule.plan(action: action, text: nil, on: .lock)
                    == Self.rule.plan(action: action, text: nil, on: .open)
            )
        }
    }

    @Test(
        arguments: [
            (nil, .textMissing),
            (String(repeating: "x", count: 16_385), .textTooLong(byteCount: 16_385)),
            (String(repeating: "é", count: 8193), .textTooLong(byteCount: 16_386)), ("a\u{0}b", .textHasNUL),
        ] as [(String?, ResponseFault)]
    )
    func `a text that is none is refused`(text: String?, fault: ResponseFault) {
        #expect(throws: fault) { try Self.rule.plan(action: "reply", text: text, on: .open) }
    }

    @Test func `a text of 16 KiB is taken whole`() throws {
        let text = String(repeating: "👋", count: 4096)
        #expect(try Self.rule.plan(action: "reply", text: text, on: .lock).text == text)
    }

    @Test(arguments: ["other", "", "Archive", String(repeating: "x", count: 257)])
    func `an action that the notification does not have is refused`(action: String) {
        #expect(throws: ResponseFault.unknownAction) { try Self.rule.plan(action: action, text: nil, on: .open) }
    }

    @Test func `without a category there are default and dismiss only`() throws {
        let rule = ResponseRule(registered: nil)
        #expect(try rule.plan(action: "default", text: nil, on: .lock) == .default)
        #expect(try rule.plan(action: "dismiss", text: nil, on: .lock).isForApp == false)
        #expect(throws: ResponseFault.unknownAction) { try rule.plan(action: "archive", text: nil, on: .open) }
    }

    @Test func `actions of now, of the delivery and of an open view count, the view's first`() throws {
        let old = NotificationCategory(
            identifier: "message",
            actions: [
                CategoryAction(identifier: "old", title: "Old"),
                CategoryAction(identifier: "archive", title: "Archive", options: [.foreground]),
            ]
        )
        var rule = ResponseRule(registered: Self.category, delivered: old)
        #expect(try rule.plan(action: "old", text: nil, on: .open).identifier == "old")
        #expect(try rule.plan(action: "archive", text: nil, on: .open).launch == .background)
        rule.viewActions = [
            CategoryAction(identifier: "view", title: "View"),
            CategoryAction(identifier: "archive", title: "Archive", options: [.foreground]),
        ]
        #expect(try rule.plan(action: "view", text: nil, on: .open).identifier == "view")
        #expect(try rule.plan(action: "archive", text: nil, on: .open).launch == .foreground)
        rule.registered = nil
        #expect(try rule.plan(action: "old", text: nil, on: .open).identifier == "old")
    }

    @Test func `a dismissal is the app's business only with customDismissAction`() {
        let custom = NotificationCategory(identifier: "message", options: [.customDismissAction])
        #expect(!Self.rule.dismissal.isForApp)
        #expect(ResponseRule(registered: custom).dismissal.isForApp)
        #expect(ResponseRule(registered: nil, delivered: custom).dismissal.isForApp)
        #expect(!ResponseRule(registered: Self.category, delivered: custom).dismissal.isForApp)
        #expect(!ResponseRule(registered: nil).dismissal.isForApp)
    }

    @Test func `an app's action of one of the two words is the app's, and Apple's identifiers are the system's`() throws
    {
        let rule = ResponseRule(
            registered: NotificationCategory(
                identifier: "message",
                actions: [
                    CategoryAction(identifier: "dismiss", title: "Later"),
                    CategoryAction(identifier: Self.ownDefault, title: "Trap"),
                ]
            )
        )
        #expect(try rule.plan(action: "dismiss", text: nil, on: .open) == Self.plan("dismiss", .background))
        #expect(try rule.plan(action: Self.ownDismiss, text: nil, on: .open) == rule.dismissal)
        #expect(try rule.plan(action: Self.ownDefault, text: nil, on: .open) == .default)
    }

    // MARK: An open view, and the way to the app

    @Test func `an open view keeps, closes or forwards`() {
        let plan = Self.plan("archive", .background)
        #expect(plan.after(.doNotDismiss) == nil)
        #expect(plan.after(.dismissAndForwardAction) == plan)
        #expect(plan.after(nil) == plan)
        #expect(plan.after(.dismiss) == Self.plan("archive", isForApp: false, .background))
    }

    static let all: ResponseRoute.Ways = [.app, .startSocket, .presenter, .url]

    @Test(
        arguments: [
            (.foreground, all, .app), (.foreground, [.startSocket, .presenter, .url], .startSocket),
            (.foreground, [.presenter, .url], .presenter), (.foreground, [.url], .url), (.foreground, [], .waits),
            (.background, all, .app), (.background, [.startSocket, .presenter, .url], .startSocket),
            (.background, [.presenter, .url], .waits), (.background, [], .waits),
        ] as [(ResponsePlan.Launch, ResponseRoute.Ways, ResponseRoute)]
    )
    func `a response takes the first way that there is`(
        launch: ResponsePlan.Launch,
        ways: ResponseRoute.Ways,
        route: ResponseRoute
    ) {
        #expect(ResponseRoute(launch, ways) == route)
    }
}
