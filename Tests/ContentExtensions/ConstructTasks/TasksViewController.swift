// SPDX-License-Identifier: Apache-2.0

import UIKit
import UserNotifications
import UserNotificationsUI

struct Shipment: Decodable {
    struct Stop: Decodable {
        let city: String
        let date: Date
    }

    let id: Int
    let stops: [Stop]
}

/// Keeps what it was told, off the main thread.
actor Journal {
    private var entries: [String] = []

    func note(_ entry: String) -> Int {
        entries.append(entry)
        return entries.count
    }
}

/// Works with tasks, queues, actors and the person's defaults, and shows each result.
class TasksViewController: UIViewController, UNNotificationContentExtension {
    private let label = UILabel()
    private let journal = Journal()
    private let defaults = UserDefaults(suiteName: "group.com.example.app") ?? .standard
    private let queue = DispatchQueue(label: "com.example.app.work", qos: .userInitiated)
    private lazy var formatter: DateFormatter = {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_GB")
        formatter.timeZone = TimeZone(identifier: "Europe/Berlin")
        formatter.dateFormat = "d MMM, HH:mm"
        return formatter
    }()

    override func viewDidLoad() {
        super.viewDidLoad()
        label.numberOfLines = 0
        label.frame = view.bounds.insetBy(dx: 10, dy: 10)
        label.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(label)
    }

    func didReceive(_ notification: UNNotification) {
        defaults.set(defaults.integer(forKey: "seen") + 1, forKey: "seen")
        guard
            let data = try? JSONSerialization.data(withJSONObject: notification.request.content.userInfo["data"] ?? [:])
        else { return }
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            decoder.dateDecodingStrategy = .iso8601
            let shipment = try decoder.decode(Shipment.self, from: data)
            label.text = shipment.stops.map { "\($0.city), \(formatter.string(from: $0.date))" }.joined(separator: "\n")
        } catch {
            label.text = "no shipment"
        }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        switch response.actionIdentifier {
        case "task":
            Task {
                let count = await journal.note("task")
                await Task.yield()
                label.text = "task \(count), main \(Thread.isMainThread)"
                completion(.doNotDismiss)
            }
        case "queue":
            let seen = defaults.integer(forKey: "seen")
            queue.async {
                let sum = (1...100).reduce(0, +)
                DispatchQueue.main.async {
                    self.label.text = "queue \(sum), seen \(seen)"
                    completion(.doNotDismiss)
                }
            }
        case "group":
            let group = DispatchGroup()
            let results = NSMutableArray()
            for number in 1...3 {
                group.enter()
                DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(number)) {
                    results.add(number * number)
                    group.leave()
                }
            }
            group.notify(queue: .main) {
                self.label.text = "group \(results.count)"
                completion(.doNotDismiss)
            }
        case "timer":
            pending = completion
            timer = Timer(timeInterval: 0.01, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
            // swift-format-ignore: NeverForceUnwrap
            RunLoop.main.add(timer!, forMode: .common)
        default:
            completion(.dismissAndForwardAction)
        }
    }

    private var timer: Timer?
    private var ticks = 0
    private var pending: ((UNNotificationContentExtensionResponseOption) -> Void)?

    @objc private func tick() {
        ticks += 1
        guard ticks == 3 else { return }
        timer?.invalidate()
        label.text = "timer \(ticks), \(timer?.isValid == true ? "goes on" : "done")"
        pending?(.doNotDismiss)
    }
}
