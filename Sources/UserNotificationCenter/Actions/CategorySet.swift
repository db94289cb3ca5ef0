// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import NotificationPayload

/// The categories of one app, each identifier once.
///
/// Source: center.md §4, `setCategories`: at most 64 categories with 16 actions each, in 64 KiB.
package struct CategorySet: Sendable, Equatable {
    private let places: [String: Int]
    /// In the order in which the app gave them.
    package let categories: [NotificationCategory]

    /// No categories.
    package init() {
        categories = []
        places = [:]
    }

    package init(_ categories: [NotificationCategory]) throws(CategoryFault) {
        guard categories.count <= NotificationCategory.limit else { throw .tooManyCategories(categories.count) }
        var places: [String: Int] = [:]
        for (place, category) in categories.enumerated() {
            try Self.check(category, at: place)
            let former = places.updateValue(place, forKey: category.identifier)
            guard former == nil else { throw .repeated(category: place) }
        }
        var bytes: [UInt8] = []
        NotificationCategory.list(categories).write(to: &bytes)
        guard bytes.count <= NotificationCategory.byteCountLimit else { throw .tooLong(byteCount: bytes.count) }
        self.categories = categories
        self.places = places
    }

    /// The category of an identifier; `nil` means that the app has not registered it.
    package subscript(identifier: String) -> NotificationCategory? {
        Self.name(identifier).flatMap { places[$0] }.map { categories[$0] }
    }

    /// The text as the name of a category; `nil` means that it names none, being empty or longer than a name may be.
    ///
    /// Longer texts stay out before any comparison: to compare foreign texts takes time that grows as the square of a
    /// run of combining marks.
    static func name(_ text: String?) -> String? {
        text.flatMap { CenterNames.identifierByteCounts.contains($0.utf8.count) ? $0 : nil }
    }

    private static func check(_ category: NotificationCategory, at place: Int) throws(CategoryFault) {
        let byteCount = category.identifier.utf8.count
        guard CenterNames.identifierByteCounts.contains(byteCount) else {
            throw .badIdentifier(category: place, byteCount: byteCount)
        }
        guard category.actions.count <= CategoryAction.limit else {
            throw .tooManyActions(category: place, category.actions.count)
        }
        for (index, action) in category.actions.enumerated() {
            let byteCount = action.identifier.utf8.count
            guard CenterNames.identifierByteCounts.contains(byteCount) else {
                throw .badActionIdentifier(category: place, action: index, byteCount: byteCount)
            }
        }
        guard category.intentIdentifiers.count <= NotificationCategory.intentLimit else {
            throw .tooManyIntents(category: place, category.intentIdentifiers.count)
        }
    }
}

/// The reason for which categories are refused; places count from 0, and nothing of an app's text is in a fault.
package enum CategoryFault: Error, Equatable {
    case tooManyCategories(Int)
    case badIdentifier(category: Int, byteCount: Int)
    case repeated(category: Int)
    case tooManyActions(category: Int, Int)
    case badActionIdentifier(category: Int, action: Int, byteCount: Int)
    case tooManyIntents(category: Int, Int)
    case tooLong(byteCount: Int)
}
