// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload
import UserNotificationCenter

import struct CenterProtocol.Moment

/// A notification of the centre's API, as far as a popup shows it.
package struct DesktopNotification: Sendable, Equatable {
    /// An action of its category.
    struct Action: Sendable, Equatable {
        let identifier: String
        let title: String
        /// True if only a person who is known may choose it.
        let needsAuthentication: Bool
        /// The field that it asks for; `nil` means that it asks for no text.
        let field: Field?
    }

    struct Field: Sendable, Equatable {
        let button: String
        let placeholder: String
    }

    /// Actions of a category that are read.
    private static let actionLimit = 16

    let id: Int64
    /// The former id, which the notification takes the place of.
    let former: Int64?
    let app: String
    let thread: String?
    private(set) var title: String
    private(set) var subtitle: String
    private(set) var body: String
    let level: InterruptionLevel
    let showsBanner: Bool
    let sound: PopupSound?
    /// The moment after which no banner is shown, in milliseconds since 1970 of the centre's clock.
    let until: Int64?
    let actions: [Action]
    /// The first of its files that a popup shows.
    let picture: PopupPicture?

    /// Reads a notification; `nil` means that what came is none.
    package init?(_ object: JSONObject) {
        guard let id = object["id"]?.string.flatMap({ Int64($0) }), let app = object["app"]?.string else { return nil }
        self.id = id
        self.app = app
        former = object["replaces"]?.string.flatMap { Int64($0) }
        thread = object["thread"]?.string
        let alert = object["payload"]?.object?["aps"]?.object?["alert"]
        title = alert?.object?["title"]?.string ?? ""
        subtitle = alert?.object?["subtitle"]?.string ?? ""
        body = alert?.string ?? alert?.object?["body"]?.string ?? ""
        level = InterruptionLevel.allCases.first { $0.word == object["level"]?.string } ?? .active
        let present = object["present"]?.object ?? [:]
        showsBanner = present["banner"]?.bool == true
        sound = PopupSound(present["sound"]?.object)
        until = present["until"]?.string.flatMap { Moment($0)?.milliseconds }
        picture = PopupPicture(of: id, in: object["attachments"]?.array ?? [])
        actions = (object["actions"]?.array ?? []).prefix(Self.actionLimit).compactMap(\.object).compactMap(Action.init)
    }
}

/// A picture among the files of a notification, by its place there.
package struct PopupPicture: Sendable, Equatable {
    /// Bytes of a picture that a daemon is asked to show.
    package static let byteLimit: Int64 = 2 << 20
    /// The kinds that the daemons' libraries of pictures read.
    private static let mediaTypes: Set<String> = ["image/png", "image/jpeg", "image/gif", "image/webp"]

    let notification: Int64
    let place: Int

    /// The path at which the API has it.
    package var target: String { "/v1/notifications/\(notification)/attachments/\(place)" }

    /// Finds the first picture among the files; `nil` means that there is none, or that its app hides it.
    init?(of notification: Int64, in files: [JSON]) {
        let found = files.firstIndex { file in
            guard let file = file.object, let size = file["size"]?.integer, let type = file["mediaType"]?.string else {
                return false
            }
            return Self.mediaTypes.contains(type) && size <= Self.byteLimit
                && file["thumbnail"]?.object?["hidden"]?.bool != true
        }
        guard let found else { return nil }
        (self.notification, place) = (notification, found)
    }
}

extension DesktopNotification {
    /// Returns the notification with these words in the place of its own.
    func hidden(behind words: HiddenWords) -> DesktopNotification {
        var hidden = self
        (hidden.title, hidden.subtitle, hidden.body) = (words.title, words.subtitle, words.body)
        return hidden
    }
}

extension DesktopNotification.Action {
    init?(_ object: JSONObject) {
        guard let identifier = object["identifier"]?.string else { return nil }
        self.identifier = identifier
        title = object["title"]?.string ?? identifier
        needsAuthentication = object["options"]?.array?.contains("authenticationRequired") == true
        field = object["text"]?.object.map { text in
            DesktopNotification.Field(
                button: text["button"]?.string ?? "",
                placeholder: text["placeholder"]?.string ?? ""
            )
        }
    }
}

/// The name of the stack to which a notification belongs: an app's notifications, those of a thread, or one alone.
///
/// The rule is that of the centre's `StackKey`; the ids of stacks are in no event.
struct StackName: Hashable, Sendable {
    let app: String
    let thread: String?
    /// The id of a notification that the app's grouping leaves alone.
    let alone: Int64?

    init(_ notification: DesktopNotification, grouping: StackGrouping) {
        app = notification.app
        thread = grouping == .automatic ? notification.thread : nil
        alone = grouping == .off ? notification.id : nil
    }
}
