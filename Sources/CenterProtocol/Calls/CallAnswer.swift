// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The centre's answer to a call; which of them it may be is decided by the call.
package enum CallAnswer: Sendable, Equatable {
    /// The call was carried out and has no result: what it changed is on the disk.
    case done
    /// The decision of the owner, for `authorize`.
    case granted(Bool)
    case settings(NotificationSettings)
    case categories([NotificationCategory])
    /// A page of requests; `hasMore` says that others come behind the last of them.
    case pending([PendingRequest], hasMore: Bool)
    /// A page of notifications; `hasMore` says that older ones come behind the last of them.
    case delivered([StoredNotification], hasMore: Bool)
    /// The device token in lower-case hex digits, for `register`.
    case token(String)
    case failed(CallFailure)

    /// Elements of one page.
    package static let pageLimit = 1024

    /// True if a call of that name may be answered so.
    package func fits(_ name: CallName) -> Bool {
        switch (self, name) {
        case (.failed, _), (.granted, .authorize), (.settings, .settings), (.categories, .categories),
            (.pending, .pending), (.delivered, .delivered), (.token, .register), (.done, .setCategories),
            (.done, .add), (.done, .removePending), (.done, .removeDelivered), (.done, .file), (.done, .badge),
            (.done, .withdraw):
            true
        case (.granted, _), (.settings, _), (.categories, _), (.pending, _), (.delivered, _), (.token, _), (.done, _):
            false
        }
    }
}

// MARK: JSON

extension CallAnswer {
    package var body: JSONObject {
        switch self {
        case .done: ["ok": [:]]
        case .granted(let isGranted): ["ok": ["granted": .bool(isGranted)]]
        case .settings(let settings): ["ok": ["settings": .object(settings.json)]]
        case .categories(let categories): ["ok": ["categories": NotificationCategory.list(categories)]]
        case .pending(let requests, let hasMore):
            ["ok": ["requests": .array(requests.map { .object($0.json) }), "more": .bool(hasMore)]]
        case .delivered(let notifications, let hasMore):
            ["ok": ["notifications": .array(notifications.map { .object($0.json) }), "more": .bool(hasMore)]]
        case .token(let token): ["ok": ["token": .string(token)]]
        case .failed(let failure): ["error": .object(failure.json)]
        }
    }

    /// Reads the answer to a call of that name.
    package init(_ body: JSONObject, to name: CallName) throws(MemberFault) {
        var members = Members(body, .strict)
        if var error = try members.optionalMembers("error") {
            self = .failed(try CallFailure(&error))
            try error.end()
        } else {
            var result = try members.members("ok")
            self = try Self.result(&result, of: name)
            try result.end()
        }
        try members.end()
    }

    private static func result(_ members: inout Members, of name: CallName) throws(MemberFault) -> CallAnswer {
        switch name {
        case .authorize: return .granted(try members.flag("granted"))
        case .settings:
            var settings = try members.members("settings")
            let read = try NotificationSettings(&settings)
            try settings.end()
            return .settings(read)
        case .categories: return .categories(try NotificationCategory.list(in: &members))
        case .pending:
            let requests = try members.elements("requests", atMost: pageLimit, PendingRequest.init)
            return .pending(requests, hasMore: try members.flag("more"))
        case .delivered:
            let notifications = try members.elements("notifications", atMost: pageLimit, StoredNotification.init)
            return .delivered(notifications, hasMore: try members.flag("more"))
        case .register:
            guard let token = try members.optionalDeviceToken() else { throw .missing(members.path(of: "token")) }
            return .token(token)
        case .setCategories, .add, .removePending, .removeDelivered, .file, .badge, .withdraw: return .done
        }
    }
}
