// SPDX-License-Identifier: Apache-2.0

import Foundation
import UserNotifications

protocol ContentStep {
    func applies(to content: UNNotificationContent) -> Bool
    func apply(to content: UNMutableNotificationContent)
}

extension ContentStep {
    func applies(to content: UNNotificationContent) -> Bool { !content.isEmpty }
}
