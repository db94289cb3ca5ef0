// SPDX-License-Identifier: Apache-2.0

import CenterStore
import NotificationPayload
import UserNotificationCenter

import struct CenterProtocol.AppFile
import struct CenterProtocol.ContentExtension
import struct CenterProtocol.Moment

/// A notification as the API shows it.
///
/// Source: docs/notification-center.md, "A notification".
struct NotificationView {
    let notification: StoredNotification
    /// The app's topic.
    let app: String
    /// The id of its stack, a keyed hash, which a lock view may know: it says nothing of a thread.
    let stack: String
    /// The app's categories, which name the actions that a person may choose.
    let categories: CategorySet
    /// The app's content extension; `nil` means that it has none.
    let contentExtension: ContentExtension?
    /// The sounds that the app may have.
    let files: AppFiles
    /// The language of the text in the place of a content that may not be shown; `nil` shows it.
    let hiding: SummaryLanguage?

    var json: JSONObject {
        let head = notification.head
        var object: JSONObject = [
            "id": .string("\(head.number)"), "app": .string(app), "stack": .string(stack),
            "date": .string(Self.text(of: head.date)),
            "remote": .bool(head.presentation.flags.contains(.remote)),
            "level": .string(Self.level(head.presentation.level)),
            "present": .object(present),
        ]
        // What the disk has of it is damaged: the row is there, and can be removed.
        guard let content = notification.content else { return object }
        let actions = content.category.flatMap { categories[$0]?.actions } ?? []
        if !actions.isEmpty { object["actions"] = .array(actions.map(\.json)) }
        if let hiding {
            object["hidden"] = .object(hidden(content, in: hiding))
            return object
        }
        for member in content.course?.json.members ?? [] { object[member.key] = member.value }
        object["identifier"] = .string(content.identifier)
        if let contentExtension, contentExtension.shows(content.category) {
            object["view"] = .object(contentExtension.traits)
        }
        object["thread"] = content.thread.map(JSON.string)
        object["payload"] = .object(content.payload)
        if !content.attachments.isEmpty {
            object["attachments"] = .array(
                content.attachments.enumerated().map { place, attachment in
                    .object(attachment.json(at: place, of: head.number))
                }
            )
        }
        return object
    }

    /// The words in the place of a content: identifier and thread may be words of a person too.
    private func hidden(_ content: NotificationContent, in language: SummaryLanguage) -> JSONObject {
        let preview = HiddenPreview(memberCategories: [content.category], categories: categories, language: language)
        var object: JSONObject = ["placeholder": .string(preview.placeholder)]
        let alert = content.payload["aps"]?.object?["alert"]?.object
        if preview.showsTitle { object["title"] = alert?["title"]?.string.map(JSON.string) }
        if preview.showsSubtitle { object["subtitle"] = alert?["subtitle"]?.string.map(JSON.string) }
        return object
    }

    private var present: JSONObject {
        let presentation = notification.head.presentation
        var object: JSONObject = [
            "banner": .bool(presentation.flags.contains(.banner)), "list": .bool(presentation.flags.contains(.list)),
            "lock": .bool(presentation.flags.contains(.lock)),
            "sound": presentation.flags.contains(.sound) ? .object(sound) : false,
        ]
        object["until"] = presentation.until.map { .string(Self.text(of: $0)) }
        return object
    }

    /// The sound as presenters play it: a file of the app's, or without `href` the presenter's own.
    ///
    /// A name that is none of the app's sounds is a text of the sender, and told to nobody.
    private var sound: JSONObject {
        let asked = notification.content.flatMap { NotificationTraits(Payload($0.payload)).sound }
        let isCritical = notification.head.presentation.level == InterruptionLevel.critical.rawValue
        var object: JSONObject = [
            "critical": .bool(isCritical), "volume": .double(isCritical ? asked?.volume ?? 1 : 1),
        ]
        if let name = asked?.name, let path = files.path(of: AppFile(topic: app, .sound(name))) {
            object["name"] = .string(name)
            object["href"] = .string(path)
        }
        return object
    }

    /// ISO 8601 in UTC with milliseconds.
    static func text(of time: WallTime) -> String { Moment(milliseconds: time).text }

    private static func level(_ stored: Int) -> String {
        InterruptionLevel(rawValue: stored)?.word ?? InterruptionLevel.active.word
    }
}

extension ContentAttachment {
    /// The file as the API shows it: where its bytes are, or why there are none.
    fileprivate func json(at place: Int, of number: Int64) -> JSONObject {
        var object: JSONObject = ["identifier": .string(identifier)]
        switch state {
        case .kept(let file, let type, let thumbnail):
            object["type"] = .string(type)
            object["mediaType"] = AttachmentType(identifier: type).map { .string($0.mediaType) }
            object["size"] = .integer(file.byteCount)
            object["href"] = .string("/v1/notifications/\(number)/attachments/\(place)")
            object["thumbnail"] = thumbnail.map(JSON.object)
        case .refused(let reason): object["refused"] = .string(reason)
        }
        return object
    }
}
