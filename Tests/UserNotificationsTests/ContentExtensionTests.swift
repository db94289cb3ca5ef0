// SPDX-License-Identifier: Apache-2.0

import Testing
import UIKit
import UserNotificationsUI

/// UserNotifications is not imported: the module brings UserNotifications along.
final class BareContentExtension: NSObject, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
}

final class AnsweringContentExtension: NSObject, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.doNotDismiss)
    }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
}

@MainActor struct ContentExtensionTests {
    @Test func `what a content extension leaves out has a default`() async {
        let request = UNNotificationRequest(identifier: "i", content: UNNotificationContent(), trigger: nil)
        let notification = UNNotification(request: request, date: Date(timeIntervalSince1970: 0))
        let response = UNNotificationResponse(notification: notification, actionIdentifier: "a")
        let bare = BareContentExtension()
        let option = await withCheckedContinuation { done in
            bare.didReceive(response) { done.resume(returning: $0) }
        }
        #expect(option == .dismissAndForwardAction)
        #expect(bare.mediaPlayPauseButtonType == .none)
        #expect(bare.mediaPlayPauseButtonFrame == .zero)
        #expect(bare.mediaPlayPauseButtonTintColor == UIColor(white: 0, alpha: 1))
        bare.mediaPlay()
        bare.mediaPause()
        let answering: any UNNotificationContentExtension = AnsweringContentExtension()
        let answer = await withCheckedContinuation { done in
            answering.didReceive(response) { done.resume(returning: $0) }
        }
        #expect(answer == .doNotDismiss)
        #expect(answering.mediaPlayPauseButtonType == .overlay)
    }

    @Test func `content extension values are Apple's`() {
        let options: [UNNotificationContentExtensionResponseOption] = [
            .doNotDismiss, .dismiss, .dismissAndForwardAction,
        ]
        #expect(options.map(\.rawValue) == [0, 1, 2])
        let types: [UNNotificationContentExtensionMediaPlayPauseButtonType] = [.none, .default, .overlay]
        #expect(types.map(\.rawValue) == [0, 1, 2])
    }
}
