// SPDX-License-Identifier: Apache-2.0

import UserNotifications

class NotificationService: UNNotificationServiceExtension {
    override func didReceive(_ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void) {
        let content = request.content.mutableCopy() as! UNMutableNotificationContent
        let userInfo = content.userInfo
        var found: [String] = []

        if let aps = userInfo["aps"] as? [String: Any], let alert = aps["alert"] as? [String: Any] {
            found.append(alert["title"] as? String ?? "-")
        }
        if let aps = userInfo["aps"] as? NSDictionary, let alert = aps["alert"] as? NSDictionary {
            found.append(alert["body"] as? String ?? "-")
        }
        if let aps = userInfo["aps"] as? [AnyHashable: Any] { found.append("\(aps["badge"] as? Int ?? -1)") }
        if let aps = userInfo[AnyHashable("aps")] as? [String: AnyObject] { found.append("\((aps["badge"] as? NSNumber)?.intValue ?? -1)") }
        if let dictionary = userInfo as? [String: Any] { found.append("\(dictionary.keys.count)") }
        if let aps = userInfo["aps"] as? Dictionary<String, Any>, let custom = aps["custom"] as? Bool { found.append("\(custom)") }
        if let arguments = (userInfo as NSDictionary).value(forKeyPath: "aps.alert.loc-args") as? [String] { found += arguments }
        found.append("\(userInfo["big"] as? Int64 ?? 0) \(userInfo["ratio"] as? Double ?? 0)")
        found.append("\((userInfo["list"] as? [Any])?.count ?? 0) \((userInfo["list"] as? NSArray)?[2] is NSNull)")
        if let number = userInfo["ratio"] as? NSNumber { found.append(number.stringValue) }
        content.body = found.joined(separator: ", ")
        contentHandler(content)
    }
}
