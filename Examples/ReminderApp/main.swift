// SPDX-License-Identifier: Apache-2.0

// A Linux app with notifications, in Swift:
//
//   NESTBOX_CENTER=./center NESTBOX_APP=com.example.reminder ReminderApp TEXT [SECONDS]
//
// It asks its owner for permission, adds a notification that comes after some seconds (5), and prints what its owner
// answers.

import Foundation
import NotificationApp

@Sendable func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("ReminderApp: error: \(text)\n".utf8))
    exit(1)
}

let arguments = CommandLine.arguments.dropFirst()
guard let text = arguments.first else { fail("no text: ReminderApp TEXT [SECONDS]") }
guard let seconds = TimeInterval(arguments.dropFirst().first ?? "5"), seconds > 0 else {
    fail("the seconds must be a number above 0")
}
let reminders = Reminders { answer in
    FileHandle.standardOutput.write(Data("\(answer)\n".utf8))
}
// Whoever started it looks at it: its delegate says how its notifications are shown.
RemoteNotifications.shared.isInFront = true
do {
    guard try await reminders.start() else { fail("the owner has not allowed notifications") }
    try await reminders.remind(text, after: seconds)
} catch {
    fail("\(error)")
}
// Answers come until the process is ended.
while true { try await Task.sleep(for: .seconds(3600)) }
