// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import ExtensionBuild
import Foundation

/// The attributes of a content extension in its Info.plist.
///
/// Source: Apple, "UNNotificationExtensionCategory" and the keys beside it.
struct ContentAttributes: Equatable {
    /// The categories whose notifications the extension shows, at least one.
    let categories: [String]
    /// The height of the view over its width before the extension says another.
    let initialSizeRatio: Double
    let hidesDefaultContent: Bool
    let overridesTitle: Bool
    let takesInteraction: Bool

    /// `values` is `NSExtensionAttributes`; `file` is named in errors.
    init(_ values: [String: Any], file: String) throws(CommandError) {
        categories = try Self.categories(values["UNNotificationExtensionCategory"], file: file)
        let ratio = (values["UNNotificationExtensionInitialContentSizeRatio"] as? NSNumber)?.doubleValue
        guard let ratio, ratio.isFinite, (0...2).contains(ratio) else {
            throw CommandError(
                "\(file): UNNotificationExtensionInitialContentSizeRatio is missing or no number of 0 to 2",
                hint: "write the height of the view over its width, such as 1"
            )
        }
        initialSizeRatio = ratio
        hidesDefaultContent = values["UNNotificationExtensionDefaultContentHidden"] as? Bool ?? false
        overridesTitle = values["UNNotificationExtensionOverridesDefaultTitle"] as? Bool ?? false
        takesInteraction = values["UNNotificationExtensionUserInteractionEnabled"] as? Bool ?? false
    }

    /// The attributes as a notification centre hears them.
    var described: ContentExtension {
        ContentExtension(
            categories: categories,
            initialSizeRatio: initialSizeRatio,
            hidesDefaultContent: hidesDefaultContent,
            overridesTitle: overridesTitle,
            takesInteraction: takesInteraction
        )
    }

    private static func categories(_ value: Any?, file: String) throws(CommandError) -> [String] {
        let categories = (value as? String).map { [$0] } ?? value as? [String] ?? []
        guard (1...NotificationCategory.limit).contains(categories.count),
            categories.allSatisfy({ CenterNames.identifierByteCounts.contains($0.utf8.count) })
        else {
            throw CommandError(
                "\(file): UNNotificationExtensionCategory is missing, or no text and no list of texts",
                hint: "write the identifier of the category whose notifications the extension shows"
            )
        }
        return categories
    }
}
