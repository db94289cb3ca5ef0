// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: immutable after `init`.
/// A kind of notification: which actions it offers, and how it looks where previews are hidden.
///
/// A notification names it by ``UNNotificationContent/categoryIdentifier``; a name that the app did not register shows
/// no actions. Two categories of one identifier are equal, so a set keeps the first of them.
/// Source: Apple, "Declaring your actionable notification types".
open class UNNotificationCategory: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
    private let name: String
    private let offered: [UNNotificationAction]
    private let intents: [String]
    private let placeholder: String
    private let summary: String
    private let behavior: UNNotificationCategoryOptions

    /// A category with the default texts for hidden previews and summaries.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: nil,
            categorySummaryFormat: nil,
            options: options
        )
    }

    /// A category with a text of its own for hidden previews.
    ///
    /// `%u` in it is the number of notifications it stands for, all of them.
    public convenience init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String,
        options: UNNotificationCategoryOptions = []
    ) {
        self.init(
            identifier: identifier,
            actions: actions,
            intentIdentifiers: intentIdentifiers,
            hiddenPreviewsBodyPlaceholder: hiddenPreviewsBodyPlaceholder,
            categorySummaryFormat: nil,
            options: options
        )
    }

    /// A category with texts of its own for hidden previews and for summaries; nil takes the default.
    ///
    /// The summary of a group may hold `%u`, the number of notifications behind the leading one, and `%@`, what their
    /// `summaryArgument`s name. Apple ignores it since iOS 15; here it works as in iOS 12 to 14.
    /// Intent identifiers are stored without effect: there is no Siri.
    public init(
        identifier: String,
        actions: [UNNotificationAction],
        intentIdentifiers: [String],
        hiddenPreviewsBodyPlaceholder: String?,
        categorySummaryFormat: String?,
        options: UNNotificationCategoryOptions = []
    ) {
        name = identifier
        offered = actions
        intents = intentIdentifiers
        placeholder = hiddenPreviewsBodyPlaceholder ?? ""
        summary = categorySummaryFormat ?? ""
        behavior = options
    }

    /// Unique within the app.
    open var identifier: String { name }
    /// The buttons, the most important first.
    open var actions: [UNNotificationAction] { offered }
    /// Stored without effect.
    open var intentIdentifiers: [String] { intents }
    /// The options for the category's notifications.
    open var options: UNNotificationCategoryOptions { behavior }
    /// Stands in place of the body where previews are hidden; "" for the default text.
    open var hiddenPreviewsBodyPlaceholder: String { placeholder }
    /// Sums up the notifications behind the leading one of a group; "" for the default text.
    open var categorySummaryFormat: String { summary }

    // MARK: NSObject, NSCopying, NSSecureCoding

    /// Returns the category itself: it never changes.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Compares identifiers and nothing else.
    open override func isEqual(_ object: Any?) -> Bool { (object as? UNNotificationCategory)?.name == name }

    /// The same for equal objects.
    open override var hash: Int { name.hashValue }

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let identifier = coder.text(forKey: "identifier"), let actions = coder.actions(forKey: "actions"),
            let intentIdentifiers = coder.texts(forKey: "intentIdentifiers")
        else { return nil }
        name = identifier
        offered = actions
        intents = intentIdentifiers
        placeholder = coder.text(forKey: "hiddenPreviewsBodyPlaceholder") ?? ""
        summary = coder.text(forKey: "categorySummaryFormat") ?? ""
        behavior = UNNotificationCategoryOptions(rawValue: coder.bits(forKey: "options"))
    }

    /// Archives all of it, the actions included.
    open func encode(with coder: NSCoder) {
        coder.encode(name as NSString, forKey: "identifier")
        coder.encode(offered as NSArray, forKey: "actions")
        coder.encode(intents as NSArray, forKey: "intentIdentifiers")
        coder.encode(placeholder as NSString, forKey: "hiddenPreviewsBodyPlaceholder")
        coder.encode(summary as NSString, forKey: "categorySummaryFormat")
        coder.encodeBits(behavior.rawValue, forKey: "options")
    }
}
