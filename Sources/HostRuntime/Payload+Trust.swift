// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension Payload {
    /// `encryption` tells the app what was authenticated; only the opener may say it.
    var withoutForgedEncryption: Payload {
        var payload = self
        payload["encryption"] = nil
        return payload
    }

    /// A worker's content, with what a worker has no say in put back: the opener's word on encryption, and critical
    /// alerts only where the app's policy grants them.
    func authorised(by given: Payload, allowsCriticalAlerts: Bool) -> Payload {
        var payload = self
        payload["encryption"] = given["encryption"]
        guard !allowsCriticalAlerts, var aps = payload.aps else { return payload }
        if aps["interruption-level"]?.string?.isWord("critical") == true { aps["interruption-level"] = "active" }
        if let sound = aps["sound"]?.object, sound["critical"] != nil {
            aps["sound"] = .string(sound["name"]?.string ?? "default")
        }
        payload["aps"] = .object(aps)
        return payload
    }
}
