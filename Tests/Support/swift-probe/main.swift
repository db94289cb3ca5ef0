// SPDX-License-Identifier: Apache-2.0

// A worker as extensions are: Swift with Foundation, concurrency, a formatter. Prints what it managed to do.
import Dispatch
import Foundation

struct Message: Codable {
    let title: String
    let date: Date
}

let message = Message(title: "Lunch?", date: Date(timeIntervalSince1970: 0))
let encoded = try JSONEncoder().encode(message)
print("json", try JSONDecoder().decode(Message.self, from: encoded).title)

let formatter = DateFormatter()
formatter.locale = Locale(identifier: "de_DE")
formatter.dateFormat = "EEEE HH:mm"
print("date", formatter.string(from: message.date))

let tasks = (1...20).map { number in Task.detached { number } }
var sum = 0
for task in tasks {
    sum += await task.value
}
print("tasks", sum)

await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume() }
}
print("queue done")
print("bundle", Bundle.main.bundleIdentifier ?? "unknown")
