// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import UIKit
import UserNotifications
import UserNotificationsUI

/// A class that names the protocol and has the required member alone.
private class Base: UIViewController, UNNotificationContentExtension {
    func didReceive(_ notification: UNNotification) {}
}

/// A subclass that has the others, with the lines that `extension-host build` writes for it.
private final class Full: Base {
    var played: [String] = []

    func didReceive(
        _ response: UNNotificationResponse,
        completionHandler completion: @escaping (UNNotificationContentExtensionResponseOption) -> Void
    ) {
        completion(.doNotDismiss)
    }

    var mediaPlayPauseButtonType: UNNotificationContentExtensionMediaPlayPauseButtonType { .overlay }
    var mediaPlayPauseButtonFrame: CGRect { CGRect(x: 1, y: 2, width: 3, height: 4) }
    var mediaPlayPauseButtonTintColor: UIColor { .red }
    func mediaPlay() { played.append("play") }
    func mediaPause() { played.append("pause") }
}

extension Full: ContentExtensionMembers.Response, ContentExtensionMembers.ButtonType {}
extension Full: ContentExtensionMembers.ButtonFrame, ContentExtensionMembers.ButtonTintColor {}
extension Full: ContentExtensionMembers.Play, ContentExtensionMembers.Pause {}

private final class Waiting: Base {
    func didReceive(_ response: UNNotificationResponse) async -> UNNotificationContentExtensionResponseOption {
        .dismiss
    }
}

extension Waiting: ContentExtensionMembers.AsyncResponse {}

@MainActor @Suite struct SubclassTests {
    private let response = UNNotificationResponse(
        notification: UNNotification(
            request: UNNotificationRequest(identifier: "1", content: UNNotificationContent(), trigger: nil),
            date: Date(timeIntervalSince1970: 0)
        ),
        actionIdentifier: "like"
    )

    /// The decision of a controller as its host asks for it.
    private func decision(
        of content: any UNNotificationContentExtension
    ) async -> UNNotificationContentExtensionResponseOption {
        await withCheckedContinuation { continuation in
            content.didReceive(response) { continuation.resume(returning: $0) }
        }
    }

    @Test("members of a subclass are found behind the class that names the protocol")
    func found() async {
        let content: any UNNotificationContentExtension = Full()
        #expect(await decision(of: content) == .doNotDismiss)
        #expect(content.mediaPlayPauseButtonType == .overlay)
        #expect(content.mediaPlayPauseButtonFrame == CGRect(x: 1, y: 2, width: 3, height: 4))
        #expect(content.mediaPlayPauseButtonTintColor == .red)
        content.mediaPlay()
        content.mediaPause()
        #expect((content as? Full)?.played == ["play", "pause"])
    }

    @Test("the async form of a subclass decides")
    func foundAsync() async {
        #expect(await decision(of: Waiting()) == .dismiss)
    }

    @Test("a class without them has the defaults")
    func defaults() async {
        let content: any UNNotificationContentExtension = Base()
        #expect(await decision(of: content) == .dismissAndForwardAction)
        #expect(content.mediaPlayPauseButtonType == .none)
        #expect(content.mediaPlayPauseButtonFrame == .zero)
        content.mediaPlay()
        content.mediaPause()
    }
}
