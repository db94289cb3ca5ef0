// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// The traits of an app's content extension, as its Info.plist states them.
///
/// Source: Apple, "UNNotificationExtensionCategory" and the keys beside it; PROTOCOL.md, "Link".
package struct ContentExtension: Sendable, Equatable {
    /// Height over width.
    package static let ratios = 0.0...2.0

    /// The categories of the notifications that it shows, at least one.
    package var categories: [String]
    /// The height of the view over its width before the extension says another.
    package var initialSizeRatio: Double
    package var hidesDefaultContent: Bool
    package var overridesTitle: Bool
    package var takesInteraction: Bool

    package init(
        categories: [String],
        initialSizeRatio: Double = 1,
        hidesDefaultContent: Bool = false,
        overridesTitle: Bool = false,
        takesInteraction: Bool = false
    ) {
        self.categories = categories
        self.initialSizeRatio = initialSizeRatio
        self.hidesDefaultContent = hidesDefaultContent
        self.overridesTitle = overridesTitle
        self.takesInteraction = takesInteraction
    }

    /// Tells whether the extension shows notifications of that category.
    package func shows(_ category: String?) -> Bool {
        category.map { name in categories.contains { $0.isWord(name) } } ?? false
    }

    var json: JSONObject {
        JSONObject([("categories", .array(categories.map(JSON.string)))] + traits.members.map { ($0.key, $0.value) })
    }

    /// The members that tell how its views are shown.
    package var traits: JSONObject {
        [
            "initialSizeRatio": .double(initialSizeRatio), "hidesDefaultContent": .bool(hidesDefaultContent),
            "overridesTitle": .bool(overridesTitle), "takesInteraction": .bool(takesInteraction),
        ]
    }

    init(_ members: inout Members) throws(MemberFault) {
        let categories = try members.optionalTexts(
            "categories",
            CenterNames.identifierByteCounts,
            atMost: NotificationCategory.limit
        )
        guard let categories, !categories.isEmpty else { throw .missing(members.path(of: "categories")) }
        self.init(
            categories: categories,
            initialSizeRatio: try members.number("initialSizeRatio", Self.ratios),
            hidesDefaultContent: try members.flag("hidesDefaultContent"),
            overridesTitle: try members.flag("overridesTitle"),
            takesInteraction: try members.flag("takesInteraction")
        )
    }
}
