// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
private import NotificationPayload

/// The bounds of calls as PROTOCOL.md has them, in numbers of its own.
///
/// Source: PROTOCOL.md, "Calls" and "Names and bounds".
enum CallBounds {
    static func check(_ call: CenterCall) throws(BrokenPromise) {
        switch call {
        case .authorize, .settings, .categories, .register, .withdraw: break
        case .setCategories(let categories): try check(categories)
        case .add(let request): try check(request)
        case .pending(let after): try after.map { text throws(BrokenPromise) in try name(text) }
        case .delivered(let before): try expect(before ?? 1 > 0, "numbers begin with 1")
        case .removePending(.named(let names)), .removeDelivered(.named(let names)):
            try expect(names.count <= 1024, "a call names 1,024 identifiers at most")
            for text in names { try name(text) }
        case .removePending(.all), .removeDelivered(.all): break
        case .file(let file):
            try name(file.request)
            try expect((1...32).contains(file.file.utf8.count), "the word of a file has 1 to 32 bytes")
        case .badge(let count): try expect(count < 1 << 31, "a badge is a number that an icon shows")
        }
    }

    private static func name(_ text: String) throws(BrokenPromise) {
        try expect((1...256).contains(text.utf8.count), "an identifier has 1 to 256 bytes")
        try expect(!text.utf8.contains(0), "an identifier has no NUL")
    }

    private static func check(_ request: NotificationRequest) throws(BrokenPromise) {
        try name(request.identifier)
        try expect(request.payload.serialized.count <= 65_536, "a payload has 64 KiB at most")
        try expect(JSON.object(request.payload.object).isNested(atMost: 16), "a payload has 16 levels at most")
        try expect(request.attachments.count <= 10, "a request has ten attachments at most")
        for attachment in request.attachments {
            try name(attachment.identifier)
            if let clip = attachment.thumbnail?.clip {
                try expect(clip.count == 4 && clip.allSatisfy { (0...1).contains($0) }, "a clip lies in its picture")
            }
        }
        let indices = request.attachments.compactMap { attachment in
            if case .descriptor(let index) = attachment.source { index } else { Int?.none }
        }
        try expect(
            indices.isEmpty || indices.sorted() == Array(request.attachments.indices),
            "each descriptor belongs to one attachment"
        )
        try expect(request.descriptorCount == indices.count, "a request says how many descriptors it has")
        if request.failure == nil {
            try expect(request.trigger?.mayFire ?? true, "a trigger that never fires is an error")
        }
    }

    private static func check(_ categories: [NotificationCategory]) throws(BrokenPromise) {
        try expect(categories.count <= 64, "an app has 64 categories at most")
        try expect(Set(categories.map(\.identifier)).count == categories.count, "each category comes once")
        for category in categories {
            try name(category.identifier)
            try expect(category.actions.count <= 16, "a category has 16 actions at most")
            for action in category.actions { try name(action.identifier) }
            for intent in category.intentIdentifiers { try name(intent) }
        }
        let object: JSONObject = ["categories": NotificationCategory.list(categories)]
        try expect(
            object.serialized.count <= 65_536 + #"{"categories":}"#.utf8.count,
            "categories have 64 KiB at most"
        )
        try expect(NotificationCategory.list(of: object) == categories, "categories read the same once stored")
    }
}
