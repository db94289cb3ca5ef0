// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The request that confirms a delivery to OneSignal.
///
/// Source: OneSignal/OneSignal-iOS-SDK, OneSignalExtensionRequests.m at 55283e9, OneSignalRequest.m at 01c57fc,
/// OneSignalReceiveReceiptsController.m at 0aae83d.
struct DeliveryReport {
    let request: URLRequest

    /// Makes the report; `nil` if there is nothing to report, or nobody to report it for, which the log says once.
    init?(of payload: OneSignalPayload, _ settings: SharedSettings) {
        guard let identifier = payload.identifier else { return nil }
        guard let app = settings.appIdentifier, let subscription = settings.subscriptionIdentifier else {
            OneSignalExtension.log.once(
                "deliveries are not confirmed: the app group has no GT_APP_ID and OSUD_PUSH_SUBSCRIPTION_ID"
            )
            return nil
        }
        guard settings.wantsReports else {
            OneSignalExtension.log.once(
                "deliveries are not confirmed: the app group has no OS_ENABLE_RECEIVE_RECEIPTS that is true"
            )
            return nil
        }
        let body: [String: Any] = ["app_id": app, "player_id": subscription, "device_type": 0]
        guard let url = URL(string: "https://api.onesignal.com/notifications/\(identifier)/report_received"),
            let data = try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys])
        else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = "PUT"
        request.httpBody = data
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/vnd.onesignal.v1+json", forHTTPHeaderField: "Accept")
        self.request = request
    }
}
