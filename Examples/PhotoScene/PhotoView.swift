// SPDX-License-Identifier: Apache-2.0

import NotificationScene

/// A picture whose opacity a slider sets, with buttons that launch the app, close the view and remove the notification.
struct PhotoView: NotificationScene {
    @State private var opacity = 1.0
    @State private var isLiked = false

    func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
        Column(spacing: 8, padding: 16) {
            Text(content.title).font(.headline)
            if !content.body.isEmpty { Text(content.body).color(.secondary) }
            Row {
                Spacer()
                Image("photo").frame(width: 200, height: 200).opacity(opacity).label("Picture")
                Spacer()
            }
            Slider(value: $opacity).label("Opacity")
            Row {
                Button("Launch app") { view.performDefaultAction() }
                Button("Dismiss") { view.dismiss() }
                Button("Remove") { remove(view) }
            }
            if isLiked { Text("You like it.").color(.green) }
        }
    }

    func didReceive(
        _ response: UNNotificationResponse,
        _ view: ViewContext
    ) async -> UNNotificationContentExtensionResponseOption {
        guard response.actionIdentifier == "like" else { return .dismissAndForwardAction }
        isLiked = true
        return .doNotDismiss
    }

    private func remove(_ view: ViewContext) {
        let identifier = view.notification.request.identifier
        UNUserNotificationCenter.current().removeDeliveredNotifications(withIdentifiers: [identifier])
        view.dismiss()
    }
}
