// SPDX-License-Identifier: Apache-2.0

package import Foundation
import NotificationPayload

/// The properties of a content that have a row in the table of payload keys.
package struct ContentFields: Sendable, Equatable {
    package var title = ""
    var subtitle = ""
    var body = ""
    var launchImageName = ""
    var summaryArgument = ""
    /// Never below 1.
    var summaryArgumentCount = 1
    /// The number that the app's badge gets; `nil` leaves the badge as it is.
    package var badge: NSNumber?
    package var sound: UNNotificationSound?
    package var threadIdentifier = ""
    var categoryIdentifier = ""
    var targetContentIdentifier: String?
    package var interruptionLevel = UNNotificationInterruptionLevel.active
    /// 0…1 in a payload; what an extension sets is clamped on the way out.
    var relevanceScore = 0.0
    var filterCriteria: String?
}

// SAFETY: the values are property list types or whatever an extension put in; like on Apple's platforms, who puts in
// an object that still changes must not use it from two threads.
/// The whole payload in Foundation types, and as it came for as long as nobody set it anew.
package struct UserInfo: @unchecked Sendable {
    package let values: [AnyHashable: Any]
    /// The JSON object that `values` were made from; nil once they were set by an extension.
    let origin: JSONObject?

    init() {
        values = [:]
        origin = [:]
    }

    package init(_ values: [AnyHashable: Any]) {
        self.values = values
        origin = nil
    }

    init(_ origin: JSONObject) {
        self.origin = origin
        values = origin.foundationUserInfo
    }

    /// The same as JSON, and the paths of what JSON cannot hold.
    var json: (object: JSONObject, droppedPaths: [String]) {
        if let origin { return (origin, []) }
        return FoundationReader.object(from: values)
    }

    /// Compares by value, so that a number is the same in a Swift type and in `NSNumber`.
    func holdsTheSame(as other: UserInfo) -> Bool {
        let (left, right) = (json, other.json)
        guard left.object == right.object else { return false }
        if left.droppedPaths.isEmpty && right.droppedPaths.isEmpty { return true }
        return (values as NSDictionary).isEqual(to: other.values)
    }
}

/// Everything a content holds.
package struct ContentState: Sendable {
    package var fields = ContentFields()
    package var userInfo = UserInfo()
    var attachments: [UNNotificationAttachment] = []
}
