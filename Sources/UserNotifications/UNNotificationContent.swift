// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking
import NotificationPayload

// SAFETY: the only stored property is a mutex. The lock is there for the mutable subclass: extensions hand the same
// content over from `didReceive` and from the last call, on two threads.
/// The text, sound, files and other data of a notification.
///
/// The content never changes; `mutableCopy()` gives a ``UNMutableNotificationContent`` to change and hand back.
///
/// | key of the payload | property |
/// | --- | --- |
/// | `aps.alert`, a text | ``body`` |
/// | `aps.alert.title`, `.subtitle`, `.body` | ``title``, ``subtitle``, ``body`` |
/// | `aps.alert.launch-image` | ``launchImageName`` |
/// | `aps.alert.summary-arg`, `.summary-arg-count` | ``summaryArgument``, ``summaryArgumentCount`` |
/// | `aps.badge` | ``badge`` |
/// | `aps.sound`, a name or an object | ``sound`` |
/// | `aps.thread-id` | ``threadIdentifier`` |
/// | `aps.category` | ``categoryIdentifier`` |
/// | `aps.target-content-id` | ``targetContentIdentifier`` |
/// | `aps.interruption-level` | ``interruptionLevel`` |
/// | `aps.relevance-score` | ``relevanceScore`` |
/// | `aps.filter-criteria` | ``filterCriteria`` |
/// | the whole payload | ``userInfo`` |
///
/// A value of the wrong kind counts as absent. On the way back a key is written only where its property changed, so
/// that whatever has no property survives. Texts that the payload names by a key are resolved before an extension sees
/// them, as on Apple's platforms.
/// Source: Apple, "UNNotificationContent" and "Generating a remote notification".
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying, NSSecureCoding, @unchecked Sendable {
    private let guarded: Locked<ContentState>

    init(_ state: ContentState) {
        guarded = Locked(state)
    }

    /// An empty content.
    public override init() {
        guarded = Locked(ContentState())
    }

    var state: ContentState { guarded.withLock { $0 } }

    func change(_ body: (inout ContentState) -> Void) {
        guarded.withLock { body(&$0) }
    }

    // MARK: Text

    /// The first, emphasised line; "" if there is none.
    open var title: String { guarded.withLock { $0.fields.title } }
    /// The second line; "" if there is none.
    open var subtitle: String { guarded.withLock { $0.fields.subtitle } }
    /// The text; "" if there is none.
    open var body: String { guarded.withLock { $0.fields.body } }
    /// The name under which a summary mentions this notification; "" if there is none.
    ///
    /// Apple ignores it since iOS 15; here summaries are those of iOS 12 to 14.
    open var summaryArgument: String { guarded.withLock { $0.fields.summaryArgument } }
    /// The number of items that this notification counts for in a summary, at least 1.
    ///
    /// Apple ignores it since iOS 15; here summaries are those of iOS 12 to 14.
    open var summaryArgumentCount: Int { guarded.withLock { $0.fields.summaryArgumentCount } }

    // MARK: Presentation

    /// The app's new badge; nil leaves it as it is, 0 removes it.
    open var badge: NSNumber? { guarded.withLock { $0.fields.badge } }
    /// The sound to play; `nil` means none.
    open var sound: UNNotificationSound? { guarded.withLock { $0.fields.sound } }
    /// The image or storyboard shown while the app starts: stored without effect, as no app is started that way here.
    open var launchImageName: String { guarded.withLock { $0.fields.launchImageName } }
    /// The urgency of the notification; `active` where the payload does not say.
    open var interruptionLevel: UNNotificationInterruptionLevel { guarded.withLock { $0.fields.interruptionLevel } }
    /// From 0 to 1: which notification of an app a summary features.
    ///
    /// Here it is handed to the sinks and orders nothing.
    open var relevanceScore: Double { guarded.withLock { $0.fields.relevanceScore } }
    /// Images, sounds and films beside the text, in order; the first image is the thumbnail.
    open var attachments: [UNNotificationAttachment] { guarded.withLock { $0.attachments } }

    // MARK: Identity

    /// Notifications of one app and thread are shown together; "" if there is none.
    open var threadIdentifier: String { guarded.withLock { $0.fields.threadIdentifier } }
    /// Names the app's ``UNNotificationCategory`` with its actions; "" if there is none.
    open var categoryIdentifier: String { guarded.withLock { $0.fields.categoryIdentifier } }
    /// The window the app should bring forward: handed to the app, as there are no scenes here.
    open var targetContentIdentifier: String? { guarded.withLock { $0.fields.targetContentIdentifier } }
    /// The text that a Focus filter tests: handed to the sinks, as there is no Focus here.
    open var filterCriteria: String? { guarded.withLock { $0.fields.filterCriteria } }
    /// The whole payload, `aps` included.
    ///
    /// A sealed payload gets `encryption` from the host, which says from whom it came; what an extension writes there
    /// is thrown away.
    /// Shape: strings, `NSNumber`, `NSNull`, `[Any]` and `[String: Any]`.
    open var userInfo: [AnyHashable: Any] { guarded.withLock { $0.userInfo }.values }

    /// Takes title, subtitle and thread from a message between people.
    ///
    /// The sender's name becomes the title, the group's name the subtitle, and the conversation the thread of a content
    /// that has none; the body stays. Apple also shows the sender's picture and lets the message through a focus.
    /// Errors, both `UNError`: `contentProvidingObjectNotAllowed` for a provider that is no message intent,
    /// `contentProvidingInvalid` for a message without a sender.
    open func updating(from provider: any UNNotificationContentProviding) throws -> UNNotificationContent {
        guard let provider = provider as? any CommunicationProviding else {
            throw UNError(.contentProvidingObjectNotAllowed)
        }
        guard let communication = provider.communication else { throw UNError(.contentProvidingInvalid) }
        var state = state
        communication.update(&state.fields)
        return UNNotificationContent(state)
    }

    // MARK: NSObject, NSCopying, NSMutableCopying

    /// Returns the content itself, or an immutable copy of a mutable one.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Returns a `UNMutableNotificationContent`.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { UNMutableNotificationContent(state) }

    /// Compares what both say; a mutable content may equal an immutable one.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? UNNotificationContent else { return false }
        if other === self { return true }
        let (left, right) = (state, other.state)
        return left.fields == right.fields && left.attachments == right.attachments
            && left.userInfo.holdsTheSame(as: right.userInfo)
    }

    /// The same for equal objects.
    open override var hash: Int { state.fields.title.hashValue ^ state.fields.body.hashValue }

    // MARK: NSSecureCoding

    /// True: an archive of one holds nothing but property list types.
    public static var supportsSecureCoding: Bool { true }

    /// Reads an archive that `encode(with:)` wrote; nil for any other.
    public required init?(coder: NSCoder) {
        guard let payload = coder.payload(forKey: "payload") else { return nil }
        var state = ContentState(payload: Payload(payload), attachments: coder.attachments(forKey: "attachments"))
        if let userInfo = coder.payload(forKey: "userInfo") { state.userInfo = UserInfo(userInfo) }
        guarded = Locked(state)
    }

    /// Archives the content as a payload, and `userInfo` beside it where it is another.
    ///
    /// Values in `userInfo` that JSON cannot hold are left out.
    open func encode(with coder: NSCoder) {
        let state = state
        let payload = state.payload().payload.object
        coder.encodePayload(payload, forKey: "payload")
        let userInfo = state.userInfo.json.object
        if userInfo != payload { coder.encodePayload(userInfo, forKey: "userInfo") }
        if !state.attachments.isEmpty { coder.encode(state.attachments as NSArray, forKey: "attachments") }
    }
}

extension UNNotificationContent {
    /// The content itself if it cannot change.
    package var immutableCopy: UNNotificationContent {
        self is UNMutableNotificationContent ? UNNotificationContent(state) : self
    }
}
