// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

extension UNNotificationContent {
    /// Reads a payload: each property from its key, the whole of it as `userInfo`.
    ///
    /// Never fails: a value of the wrong kind counts as absent and stays in `userInfo`.
    /// Source: docs/decisions.md, "One content schema"; Apple, "Generating a remote notification".
    package convenience init(payload: Payload, attachments: [UNNotificationAttachment] = []) {
        self.init(ContentState(payload: payload, attachments: attachments))
    }

    /// The content as a payload, and the paths in `userInfo` of what JSON cannot hold.
    ///
    /// The payload starts from `userInfo`; a property is written only where it differs from what the key there stands
    /// for. So an untouched content gives the payload it was made from, and unknown keys and odd values survive.
    /// Attachments are not part of a payload.
    package func payload() -> (payload: Payload, droppedPaths: [String]) {
        state.payload()
    }
}

extension ContentState {
    package init(payload: Payload, attachments: [UNNotificationAttachment] = []) {
        fields = ContentFields(aps: payload.aps)
        userInfo = UserInfo(payload.object)
        self.attachments = attachments
    }

    package func payload() -> (payload: Payload, droppedPaths: [String]) {
        var (object, droppedPaths) = userInfo.json
        let before = ContentFields(aps: object["aps"]?.object)
        let after = fields.representable
        if after != before {
            var aps = object["aps"]?.object ?? [:]
            after.write(to: &aps, before: before)
            object["aps"] = aps.isEmpty && object["aps"] == nil ? nil : .object(aps)
        }
        return (Payload(object), droppedPaths)
    }
}

extension ContentFields {
    init(aps: JSONObject?) {
        guard let aps else { return }
        readAlert(aps["alert"])
        badge = aps["badge"]?.integer.flatMap { $0 >= 0 ? NSNumber(value: $0) : nil }
        sound = UNNotificationSound.Kind(payload: aps["sound"]).map(UNNotificationSound.init(kind:))
        threadIdentifier = aps["thread-id"]?.string ?? ""
        categoryIdentifier = aps["category"]?.string ?? ""
        targetContentIdentifier = aps["target-content-id"]?.string
        interruptionLevel = UNNotificationInterruptionLevel(payloadName: aps["interruption-level"]?.string)
        relevanceScore = Self.score(aps["relevance-score"]?.double ?? 0)
        filterCriteria = aps["filter-criteria"]?.string
    }

    func write(to aps: inout JSONObject, before: ContentFields) {
        writeAlert(to: &aps, before: before)
        if badge != before.badge { aps["badge"] = badge.map { .integer($0.int64Value) } }
        if sound != before.sound { aps["sound"] = sound?.kind.payloadValue }
        if threadIdentifier != before.threadIdentifier { aps["thread-id"] = threadIdentifier.jsonUnlessEmpty }
        if categoryIdentifier != before.categoryIdentifier { aps["category"] = categoryIdentifier.jsonUnlessEmpty }
        if targetContentIdentifier != before.targetContentIdentifier {
            aps["target-content-id"] = targetContentIdentifier.map(JSON.string)
        }
        if interruptionLevel != before.interruptionLevel {
            aps["interruption-level"] = .string(interruptionLevel.payloadName)
        }
        if relevanceScore != before.relevanceScore {
            aps["relevance-score"] = relevanceScore == 0 ? nil : .double(relevanceScore)
        }
        if filterCriteria != before.filterCriteria { aps["filter-criteria"] = filterCriteria.map(JSON.string) }
    }

    /// The fields as a payload can say them: scores in range, no badge below zero, no U+0000, which a reader refuses.
    var representable: ContentFields {
        var fields = self
        fields.relevanceScore = Self.score(relevanceScore)
        fields.badge = badge.flatMap { $0.int64Value >= 0 ? NSNumber(value: $0.int64Value) : nil }
        for text in [\ContentFields.title, \.subtitle, \.body, \.launchImageName, \.summaryArgument]
            + [\.threadIdentifier, \.categoryIdentifier]
        {
            fields[keyPath: text].removeNULs()
        }
        fields.targetContentIdentifier?.removeNULs()
        fields.filterCriteria?.removeNULs()
        return fields
    }

    private static func score(_ score: Double) -> Double {
        score.isNaN ? 0 : min(max(score, 0), 1)
    }
}

extension String {
    /// The text's value, or `nil` for "", which removes a key.
    var jsonUnlessEmpty: JSON? { isEmpty ? nil : .string(self) }

    mutating func removeNULs() {
        if utf8.contains(0) { unicodeScalars.removeAll { $0.value == 0 } }
    }
}
