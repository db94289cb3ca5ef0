// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    private static let parser: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "yyyy-MM-dd HH:mm"
        return formatter
    }()

    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let body = content.body

        if let match = body.firstMatch(of: /Code (?<code>\d{6})/) {
            content.title = String(match.code)
        }
        if let tags = try? NSRegularExpression(pattern: "<[^>]+>", options: .caseInsensitive) {
            let range = NSRange(location: 0, length: (body as NSString).length)
            content.body = tags.stringByReplacingMatches(in: body, options: [], range: range, withTemplate: "")
        }
        if let range = body.range(of: #"\d{4}-\d{2}-\d{2} \d{2}:\d{2}"#, options: .regularExpression),
           let date = Self.parser.date(from: String(body[range])) {
            let shown = DateFormatter()
            shown.locale = Locale(identifier: "de_DE")
            shown.timeZone = TimeZone(identifier: "Europe/Berlin")
            shown.setLocalizedDateFormatFromTemplate("dMMMMjjmm")
            shown.dateFormat = "d. MMMM, HH:mm"
            content.subtitle = shown.string(from: date)
        }
        contentHandler(content)
    }
}
