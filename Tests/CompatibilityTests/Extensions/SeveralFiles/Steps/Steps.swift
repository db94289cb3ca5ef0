// SPDX-License-Identifier: Apache-2.0

import UserNotifications

struct MentionStep: ContentStep {
    func apply(to content: UNMutableNotificationContent) {
        content.subtitle = content.mentions.map { "@" + $0 }.joined(separator: " ")
    }
}

struct ShoutStep: ContentStep {
    let strength: Int

    func apply(to content: UNMutableNotificationContent) {
        content.title = content.title.uppercased() + String(repeating: "!", count: strength)
    }
}
