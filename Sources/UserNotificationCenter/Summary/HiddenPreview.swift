// SPDX-License-Identifier: Apache-2.0

import CenterProtocol

/// The view of a notification or a stack whose previews are hidden: a text in the place of all bodies.
///
/// Source: Apple, "UNNotificationCategory.hiddenPreviewsBodyPlaceholder"; center.md §10, row 8.
package struct HiddenPreview: Sendable, Equatable {
    package let placeholder: String
    package let showsTitle: Bool
    package let showsSubtitle: Bool

    /// Takes the categories of all members, the oldest first; `nil` in it means a member without a category.
    ///
    /// `%u` counts all members. A stack of several categories has the default text, because the text of one of them
    /// would count the members of the others as its own. Title and subtitle are the leading one's.
    package init(memberCategories: [String?], categories: CategorySet, language: SummaryLanguage) {
        let names = memberCategories.map(CategorySet.name)
        let leading = (names.last ?? nil).flatMap { categories[$0] }
        let isOneCategory = names.allSatisfy { $0 == names.last }
        let format = isOneCategory ? SummaryFormat(leading?.hiddenPreviewsBodyPlaceholder) : nil
        let count = max(1, memberCategories.count)
        let text = format?.text(number: count, names: "") ?? language.hiddenNotifications(count)
        placeholder = text.cut(toBytes: StackSummary.byteCountLimit)
        showsTitle = leading?.options.contains(.hiddenPreviewsShowTitle) == true
        showsSubtitle = leading?.options.contains(.hiddenPreviewsShowSubtitle) == true
    }
}
