// SPDX-License-Identifier: Apache-2.0

import DesktopBus
import DesktopPresenter

/// A popup as the notification portal takes it.
///
/// Source: org.freedesktop.portal.Notification, version 1 and 2, "AddNotification".
struct PortalNotification {
    /// The purpose of a button that asks for a text.
    static let replyPurpose = "im.reply-with-text"

    private let popup: Popup
    /// The version of the portal.
    private let version: UInt32
    private let picture: MemoryFile?
    private let sound: MemoryFile?
    /// The bytes of a picture, for a portal that takes no descriptor.
    private let pictureBytes: [UInt8]?

    /// Takes a popup and its files; those of a kind that the portal refuses are left out.
    init(_ popup: Popup, _ bytes: PopupBytes, version: UInt32) {
        (self.popup, self.version) = (popup, version)
        let shown = bytes.picture.flatMap { Self.isPicture($0) ? $0 : nil }
        pictureBytes = version < 2 ? shown : nil
        picture = version < 2 ? nil : shown.flatMap { MemoryFile("picture", $0, isSealed: true) }
        let played = version < 2 ? nil : bytes.sound.flatMap { Self.isSound($0) ? $0 : nil }
        sound = played.flatMap { MemoryFile("sound", $0, isSealed: true) }
    }

    /// The members by their names; descriptors in them are open as long as this value is there.
    var values: [String: BusMessage.Value] {
        let isNamed = popup.appName.isEmpty || popup.summary == popup.appName
        var values: [String: BusMessage.Value] = [
            // All apps have the one id of the sandbox.
            "title": .text(isNamed ? popup.summary : "\(popup.appName): \(popup.summary)"),
            "body": .text(popup.body), "priority": .text(priority),
        ]
        let others = popup.buttons.filter { $0.key != Popup.defaultKey }
        if others.count < popup.buttons.count { values["default-action"] = .text(Popup.defaultKey) }
        if !others.isEmpty { values["buttons"] = .list(others.map(button)) }
        if let pictureBytes { values["icon"] = .pair("bytes", .bytes(pictureBytes)) }
        guard version >= 2 else { return values }
        if let picture { values["icon"] = .pair("file-descriptor", .descriptor(picture.descriptor)) }
        let plays = popup.hints["sound-name"] != nil
        values["sound"] =
            sound.map { .pair("file-descriptor", .descriptor($0.descriptor)) } ?? .text(plays ? "default" : "silent")
        let hints = ["transient", "hide-content-on-lockscreen"] + (popup.replaces == 0 ? [] : ["show-as-new"])
        values["display-hint"] = .texts(hints)
        if others.contains(where: { $0.key == Popup.replyKey }) { values["category"] = .text("im.received") }
        return values
    }

    private var priority: String {
        switch popup.hints["urgency"] {
        case .byte(2): popup.expiry == .never ? "urgent" : "high"
        case .byte, .flag, .text, nil: "normal"
        }
    }

    private func button(_ button: Popup.Button) -> [String: BusMessage.Value] {
        var values: [String: BusMessage.Value] = ["label": .text(button.label), "action": .text(button.key)]
        if version >= 2, button.key == Popup.replyKey { values["purpose"] = .text(Self.replyPurpose) }
        return values
    }

    /// True for PNG and JPEG, which are the pictures of points that the portal takes.
    private static func isPicture(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF])
    }

    /// True for WAV and Ogg.
    private static func isSound(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("OggS".utf8))
            || bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WAVE".utf8))
    }
}
