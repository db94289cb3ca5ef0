// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import UserNotificationCenter

/// The facts that the centre tells of an app, as far as popups depend on them.
struct AppFacts: Sendable {
    /// The name for people; `nil` means that it has none, and the topic stands for it.
    let name: String?
    /// The desktop file of the app; `nil` means that it names none.
    let desktopEntry: DesktopEntry?
    let grouping: StackGrouping
    /// True if a locked session shows what its notifications say.
    let showsPreviewsWhenLocked: Bool

    /// An app that the centre has told nothing of: its texts stay behind a lock.
    static let unknown = AppFacts([:])

    init(_ app: JSONObject) {
        name = app["name"]?.string
        desktopEntry = app["desktopEntry"]?.string.flatMap(DesktopEntry.init)
        let settings = app["settings"]?.object
        grouping = settings?["grouping"]?.string.flatMap(StackGrouping.init) ?? .automatic
        showsPreviewsWhenLocked = settings?["previews"]?.string == "always"
    }
}

/// The apps of which the centre has told something.
struct KnownApps: Sendable {
    /// Apps of one centre.
    private static let limit = 1_000

    private var apps: [String: AppFacts] = [:]

    subscript(topic: String) -> AppFacts { apps[topic] ?? .unknown }

    mutating func take(_ app: JSONObject) {
        guard let topic = app["app"]?.string, apps[topic] != nil || apps.count < Self.limit else { return }
        apps[topic] = app["removed"] == true ? nil : AppFacts(app)
    }
}

/// The words of a popup beside those of its notification, as the front page of the centre has them.
struct StackWords: Sendable {
    /// The summary of the stack; `nil` means that it has none.
    var summary: String?
    /// The words in the place of hidden ones; `nil` means that the centre has hidden nothing.
    var hidden: HiddenWords?
}

/// The words that a lock view is told in the place of a notification's own.
struct HiddenWords: Sendable, Equatable {
    let title: String
    let subtitle: String
    let body: String

    /// Reads what a stack of a front page for a lock view has; `nil` means that nothing of it is hidden.
    init?(_ stack: JSONObject) {
        guard let hidden = stack["leading"]?.object?["hidden"]?.object else { return nil }
        title = hidden["title"]?.string ?? ""
        subtitle = hidden["subtitle"]?.string ?? ""
        // The stack's placeholder counts its members.
        body = (stack["hidden"]?.object ?? hidden)["placeholder"]?.string ?? ""
    }

    /// The words for a notification of which the centre has not said any.
    init(in language: SummaryLanguage) {
        (title, subtitle) = ("", "")
        body = HiddenPreview(memberCategories: [nil], categories: CategorySet(), language: language).placeholder
    }
}

/// The words of all stacks of a front page, by the name of the stack and by the notification that leads it.
///
/// A hidden notification has no thread, so that its stack is known by the notification that leads it alone.
struct FrontWords {
    private var byStack: [StackName: StackWords] = [:]
    private var byLeading: [Int64: StackWords] = [:]

    init(_ front: JSONObject, grouping: (String) -> StackGrouping) {
        for stack in (front["stacks"]?.array ?? []).compactMap(\.object) {
            guard let leading = stack["leading"]?.object.flatMap(DesktopNotification.init) else { continue }
            let words = StackWords(summary: stack["summary"]?.string, hidden: HiddenWords(stack))
            byLeading[leading.id] = words
            if words.hidden == nil { byStack[StackName(leading, grouping: grouping(leading.app))] = words }
        }
    }

    func words(of notification: DesktopNotification, in stack: StackName) -> StackWords {
        byLeading[notification.id] ?? byStack[stack] ?? StackWords()
    }
}
