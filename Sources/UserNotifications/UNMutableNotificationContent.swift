// SPDX-License-Identifier: Apache-2.0

public import Foundation

// SAFETY: all state lies behind the mutex of the base class.
/// A content to change and hand back.
///
/// A new one is empty, and nothing is merged into it: an extension that hands back a content of its own drops the
/// title, the payload and the category of what came. ``UNNotificationContent`` says which key of a payload each
/// property is written to.
/// Each property may be read and set from any thread; reading, changing and setting one is not one step.
open class UNMutableNotificationContent: UNNotificationContent, @unchecked Sendable {
    /// An empty content.
    public override init() {
        super.init()
    }

    override init(_ state: ContentState) {
        super.init(state)
    }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    /// Returns an immutable copy.
    open override func copy(with zone: NSZone? = nil) -> Any { immutableCopy }

    /// The first, emphasised line; "" removes it.
    open override var title: String {
        get { super.title }
        set { change { $0.fields.title = newValue } }
    }

    /// The second line; "" removes it.
    open override var subtitle: String {
        get { super.subtitle }
        set { change { $0.fields.subtitle = newValue } }
    }

    /// The text; "" removes it.
    open override var body: String {
        get { super.body }
        set { change { $0.fields.body = newValue } }
    }

    /// The name under which a summary mentions this notification; "" removes it.
    open override var summaryArgument: String {
        get { super.summaryArgument }
        set { change { $0.fields.summaryArgument = newValue } }
    }

    /// The number of items that this notification counts for in a summary; a value below 1 counts as 1.
    open override var summaryArgumentCount: Int {
        get { super.summaryArgumentCount }
        set { change { $0.fields.summaryArgumentCount = max(1, newValue) } }
    }

    /// The app's new badge; nil leaves it as it is, 0 removes it.
    open override var badge: NSNumber? {
        get { super.badge }
        set { change { $0.fields.badge = newValue } }
    }

    /// The sound of the notification; nil for none.
    ///
    /// A critical sound is played as an ordinary one unless the app's policy in the host grants it.
    open override var sound: UNNotificationSound? {
        get { super.sound }
        set { change { $0.fields.sound = newValue } }
    }

    /// The image or storyboard shown while the app starts: stored without effect.
    open override var launchImageName: String {
        get { super.launchImageName }
        set { change { $0.fields.launchImageName = newValue } }
    }

    /// The urgency of the notification.
    ///
    /// `critical` counts as `active` unless the app's policy in the host grants it.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { super.interruptionLevel }
        set { change { $0.fields.interruptionLevel = newValue } }
    }

    /// From 0 to 1; what lies outside counts as the nearer end.
    open override var relevanceScore: Double {
        get { super.relevanceScore }
        set { change { $0.fields.relevanceScore = newValue } }
    }

    /// Notifications of one app and thread are shown together; "" removes it.
    open override var threadIdentifier: String {
        get { super.threadIdentifier }
        set { change { $0.fields.threadIdentifier = newValue } }
    }

    /// Names the app's category with its actions; "" removes it.
    open override var categoryIdentifier: String {
        get { super.categoryIdentifier }
        set { change { $0.fields.categoryIdentifier = newValue } }
    }

    /// The window the app should bring forward.
    open override var targetContentIdentifier: String? {
        get { super.targetContentIdentifier }
        set { change { $0.fields.targetContentIdentifier = newValue } }
    }

    /// The text that a Focus filter tests.
    open override var filterCriteria: String? {
        get { super.filterCriteria }
        set { change { $0.fields.filterCriteria = newValue } }
    }

    /// Images, sounds and films beside the text, in order.
    ///
    /// The host checks each file after the completion and takes it away. One that is not what its type says is left out
    /// and named in the host's log; at most 10 are delivered.
    open override var attachments: [UNNotificationAttachment] {
        get { super.attachments }
        set { change { $0.attachments = newValue } }
    }

    /// The whole payload, `aps` included.
    ///
    /// Values that JSON cannot hold are left out when the content is handed back.
    open override var userInfo: [AnyHashable: Any] {
        get { super.userInfo }
        set {
            // Swapped, so that what was there is released outside the lock.
            var userInfo = UserInfo(newValue)
            change { swap(&$0.userInfo, &userInfo) }
        }
    }
}
