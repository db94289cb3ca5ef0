// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostTesting
import Testing

/// A controller that fails in each way at each place of its life, in the sandbox, and what is said of it.
@Suite(.timeLimit(.minutes(10)))
struct ControllerFailureTests {
    /// Fails where the notification says so; before a notification is known, the width of the view says how.
    private static let source = """
        import UIKit
        import UserNotifications
        import UserNotificationsUI

        class NotificationService: UIViewController, UNNotificationContentExtension {
            private var wish: [String: String] = [:]
            private var food: [[UInt8]] = []

            override func viewDidLoad() {
                super.viewDidLoad()
                let button = UIButton(type: .system, primaryAction: UIAction(title: "Go") { [weak self] _ in
                    self?.fail(at: "action")
                })
                button.frame = CGRect(x: 10, y: 10, width: 100, height: 44)
                view.addSubview(button)
                let ways = [281: "crash", 282: "exit", 283: "memory", 284: "hang", 285: "compute"]
                fail(ways[Int(UIScreen.main.bounds.width)] ?? "")
            }

            func didReceive(_ notification: UNNotification) {
                wish = notification.request.content.userInfo["fail"] as? [String: String] ?? [:]
                fail(at: "receive")
            }

            private func fail(at place: String) {
                if wish["at"] == place { fail(wish["how"] ?? "") }
            }

            private func fail(_ how: String) {
                switch how {
                case "crash": fatalError("as asked")
                case "exit": exit(3)
                case "memory": while true { food.append([UInt8](repeating: 7, count: 1 << 20)) }
                case "hang": while true { sleep(1) }
                case "compute": while true {}
                default: break
                }
            }
        }
        """
    private static let ends = [
        "crash": "crashed", "exit": "gone", "memory": "memoryLimitExceeded", "hang": "slow", "compute": "slow",
    ]
    private static let widths = ["crash": "281", "exit": "282", "memory": "283", "hang": "284", "compute": "285"]

    private static func information() throws -> String {
        try String(contentsOfFile: Programs.root + "/Examples/SliderContentExtension/Info.plist", encoding: .utf8)
            .replacing("NSExtensionMainStoryboard", with: "NSExtensionPrincipalClass")
            .replacing("MainInterface", with: "$(PRODUCT_MODULE_NAME).NotificationService")
    }

    /// Returns the errors that are said of a view which fails in a way at a place.
    private func lines(_ how: String, at place: String, _ project: Project) async throws -> [String] {
        let (way, step) = (place == "load" ? "none" : how, place == "action" ? ["--tap", "Go"] : [])
        let payload = #"{"aps":{"alert":"a","category":"album"},"fail":{"at":"\#(place)","how":"\#(way)"}}"#
        let width = place == "load" ? Self.widths[how] ?? "" : "360"
        let result = try await CommandResult.run(
            Programs.extensionHost,
            ["view", project.bundle, "-", "--width", width] + step,
            input: payload
        )
        #expect(result.status == 1, "\(how) at \(place)")
        return result.errors.split(separator: "\n").map(String.init).filter { $0.contains(" error: ") }
    }

    @Test func `each failure at each place of a controller's life has its name, and the next view opens`() async throws
    {
        let files = ["View.swift": Self.source]
        try await Project.with(files, information: try Self.information()) { project in
            let built = try await project.build()
            try #require(built.status == 0, "\(built.errors)")
            let quick = ["crash", "exit", "memory"].flatMap { how in ["load", "receive", "action"].map { (how, $0) } }
            // Those that hang take their five seconds at the same time.
            let slow = ["hang", "compute"].flatMap { how in ["load", "receive"].map { (how, $0) } }
            try await withThrowingTaskGroup(of: (String, String, [String]).self) { group in
                for (how, place) in slow {
                    group.addTask { (how, place, try await lines(how, at: place, project)) }
                }
                for (how, place) in quick {
                    let said = try await lines(how, at: place, project)
                    #expect(
                        said == ["extension-host: error: the view ended as \(Self.ends[how] ?? "")"],
                        "\(how) at \(place)"
                    )
                }
                for try await (how, place, said) in group {
                    #expect(
                        said == ["extension-host: error: the view ended as \(Self.ends[how] ?? "")"],
                        "\(how) at \(place)"
                    )
                }
            }
            let whole = try await CommandResult.run(
                Programs.extensionHost,
                ["view", project.bundle, "-"],
                input: #"{"aps":{"alert":"a","category":"album"}}"#
            )
            #expect(whole.status == 0, "\(whole.errors)")
            #expect(whole.output == "  [1] Go\n")
        }
    }
}
