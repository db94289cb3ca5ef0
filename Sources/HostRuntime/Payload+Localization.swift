// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension Payload {
    /// The payload with title, subtitle and body as the app's tables say them, where it names them by key.
    ///
    /// Keys and arguments stay beside the texts. A key that no table has leaves the text beside it, and where there is
    /// none stands for itself. Arguments are texts and numbers; any other value is one that is missing.
    /// Source: Apple, "Generating a remote notification", `title-loc-key` and the like.
    func localized(by texts: LocalizedTexts) -> Payload {
        guard var aps, var alert = aps["alert"]?.object else { return self }
        var isChanged = false
        for place in Self.localizedPlaces {
            guard let key = alert[place.key]?.string, !key.isEmpty else { continue }
            let arguments = alert[place.arguments]?.array?.map(Self.localizationArgument) ?? []
            let text = texts.text(key, arguments: arguments)
            if text == nil, alert[place.text]?.string?.isEmpty == false { continue }
            alert[place.text] = .string(text ?? key)
            isChanged = true
        }
        guard isChanged else { return self }
        aps["alert"] = .object(alert)
        var payload = self
        payload["aps"] = .object(aps)
        return payload
    }

    private static let localizedPlaces = [
        (text: "title", key: "title-loc-key", arguments: "title-loc-args"),
        (text: "subtitle", key: "subtitle-loc-key", arguments: "subtitle-loc-args"),
        (text: "body", key: "loc-key", arguments: "loc-args"),
    ]

    private static func localizationArgument(_ value: JSON) -> String {
        switch value {
        case .string(let text): text
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .null, .bool, .array, .object: ""
        }
    }
}
