// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The attributes that a content extension's Info.plist has to have, checked as the host will read them.
///
/// Source: Apple, "UNNotificationExtensionCategory" and "UNNotificationExtensionInitialContentSizeRatio".
enum ContentExtensionKeys {
    static let category = "UNNotificationExtensionCategory"
    static let ratio = "UNNotificationExtensionInitialContentSizeRatio"

    /// The categories that one extension may list, and the bytes of each: those of a notification centre.
    static let categoryLimit = 64
    static let categoryByteCounts = 1...256
    /// The greatest height of a view over its width that a host takes.
    static let greatestRatio = 2.0

    /// Refuses attributes without a category or without a first height; `attributes` is `NSExtensionAttributes`.
    static func check(_ attributes: [String: Any], _ plist: PropertyListFile) throws(CommandError) {
        guard let value = attributes[category] else {
            throw CommandError(
                "\(place(in: plist)): \(category) is missing: no notification would be shown by the extension",
                hint: "name the category in NSExtensionAttributes: <key>\(category)</key> <string>CATEGORY</string>, "
                    + "or an <array> of several"
            )
        }
        guard let names = categories(value), !names.isEmpty else {
            throw CommandError(
                "\(plist.place(of: category)): \(category) is neither a text nor a list of texts with one at least",
                hint: "write the category's identifier as <string>, or several in an <array>"
            )
        }
        guard names.count <= categoryLimit, names.allSatisfy({ categoryByteCounts.contains($0.utf8.count) }) else {
            throw CommandError(
                "\(plist.place(of: category)): \(category) has \(names.count) identifiers, "
                    + "1 to \(categoryLimit) of 1 to \(categoryByteCounts.upperBound) bytes each are possible",
                hint: "write identifiers as the app's UNNotificationCategory has them"
            )
        }
        guard let value = attributes[ratio] else {
            throw CommandError(
                "\(place(in: plist)): \(ratio) is missing: nothing says how high the view is at first",
                hint: "write the height over the width in NSExtensionAttributes: <key>\(ratio)</key> <real>1</real>"
            )
        }
        // A truth value is a number to Foundation.
        let number = type(of: value) == Bool.self ? nil : (value as? NSNumber)?.doubleValue
        guard let number, number >= 0, number <= greatestRatio else {
            throw CommandError(
                "\(plist.place(of: ratio)): \(ratio) is no number of 0 to 2",
                hint: "write the view's height over its width as <real>, such as 1 for a square"
            )
        }
    }

    /// The identifiers that a value lists; nil for a value of another kind.
    static func categories(_ value: Any?) -> [String]? {
        (value as? String).map { [$0] } ?? value as? [String]
    }

    /// The line of the attributes, or of the dictionary in which they are missing.
    private static func place(in plist: PropertyListFile) -> String {
        plist.place(of: plist.line(of: "NSExtensionAttributes") > 1 ? "NSExtensionAttributes" : "NSExtension")
    }
}
