// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import Foundation
import NotificationPayload

extension RequestAttachment.Thumbnail {
    /// Reads the options of an attachment; `nil` means that none of them is about a thumbnail.
    ///
    /// A rectangle that is not within the picture, and a moment before the beginning, count as absent.
    init?(options: [AnyHashable: Any]) {
        self.init()
        let hidden = options[UNNotificationAttachmentOptionsThumbnailHiddenKey]
        self.hidden = hidden as? Bool ?? (hidden as? NSNumber)?.boolValue
        clip = Self.clip(options[UNNotificationAttachmentOptionsThumbnailClippingRectKey])
        time = Self.seconds(options[UNNotificationAttachmentOptionsThumbnailTimeKey])
        guard !json.isEmpty else { return nil }
    }

    /// Reads what an archive has; `nil` means that it has nothing.
    init?(archived object: JSONObject) {
        self.init(hidden: object["hidden"]?.bool, time: object["time"]?.double)
        let parts = object["clip"]?.array?.compactMap(\.double) ?? []
        clip = parts.count == 4 ? parts : nil
        guard !json.isEmpty else { return nil }
    }

    private static func clip(_ value: Any?) -> [Double]? {
        let parts: [Double?]
        switch value {
        case let rect as CGRect: parts = [rect.origin.x, rect.origin.y, rect.width, rect.height].map { Double($0) }
        case let words as [String: Any]: parts = ["X", "Y", "Width", "Height"].map { number(words[$0]) }
        default: return nil
        }
        let clip = parts.compactMap(\.self)
        return clip.count == 4 && clip.allSatisfy((0...1).contains) ? clip : nil
    }

    private static func seconds(_ value: Any?) -> Double? {
        var seconds = number(value)
        if let time = value as? [String: Any], let count = number(time["value"]), let scale = number(time["timescale"])
        {
            seconds = scale > 0 ? count / scale : nil
        }
        return seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    }

    private static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as Double: number
        case let number as CGFloat: Double(number)
        case let number as Float: Double(number)
        case let number as Int: Double(number)
        case let number as NSNumber: number.doubleValue
        default: nil
        }
    }
}
