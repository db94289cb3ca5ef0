// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

extension ContentFields {
    mutating func readAlert(_ alert: JSON?) {
        switch alert {
        case .string(let text)?:
            body = text
        case .object(let alert)?:
            title = alert["title"]?.string ?? ""
            subtitle = alert["subtitle"]?.string ?? ""
            body = alert["body"]?.string ?? ""
            launchImageName = alert["launch-image"]?.string ?? ""
            summaryArgument = alert["summary-arg"]?.string ?? ""
            summaryArgumentCount = max(1, alert["summary-arg-count"]?.integer.map(Int.init(clamping:)) ?? 1)
        default:
            break
        }
    }

    func writeAlert(to aps: inout JSONObject, before: ContentFields) {
        guard !hasAlert(of: before) else { return }
        var alert: JSONObject = [:]
        switch aps["alert"] {
        case .object(let object)?:
            alert = object
        case .string(let text)?:
            var bodyOnly = ContentFields()
            bodyOnly.body = body
            if hasAlert(of: bodyOnly) {
                aps["alert"] = body.jsonUnlessEmpty
                return
            }
            alert["body"] = .string(text)
        default:
            break
        }
        write(title, before.title, "title", localization: ["title-loc-key", "title-loc-args"], to: &alert)
        write(
            subtitle,
            before.subtitle,
            "subtitle",
            localization: ["subtitle-loc-key", "subtitle-loc-args"],
            to: &alert
        )
        write(body, before.body, "body", localization: ["loc-key", "loc-args"], to: &alert)
        write(launchImageName, before.launchImageName, "launch-image", to: &alert)
        write(summaryArgument, before.summaryArgument, "summary-arg", to: &alert)
        if summaryArgumentCount != before.summaryArgumentCount {
            alert["summary-arg-count"] = summaryArgumentCount == 1 ? nil : .integer(Int64(summaryArgumentCount))
        }
        aps["alert"] = alert.isEmpty ? nil : .object(alert)
    }

    /// A text that was set is no longer the one its localization keys stand for, so they go.
    private func write(
        _ text: String,
        _ before: String,
        _ key: String,
        localization: [String] = [],
        to alert: inout JSONObject
    ) {
        guard text != before else { return }
        alert[key] = text.jsonUnlessEmpty
        for key in localization {
            alert[key] = nil
        }
    }

    private func hasAlert(of other: ContentFields) -> Bool {
        title == other.title && subtitle == other.subtitle && body == other.body
            && launchImageName == other.launchImageName && summaryArgument == other.summaryArgument
            && summaryArgumentCount == other.summaryArgumentCount
    }
}
