// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// The party that began an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// No party is given.
    case unspecified = 0
    /// The user.
    case outgoing = 1
    /// Somebody else.
    case incoming = 2
}

/// The stage that the handling of an intent has reached.
public enum INIntentHandlingStatus: Int, Sendable {
    /// No stage is given.
    case unspecified = 0
    /// The intent may be handled.
    case ready = 1
    /// The intent is being handled.
    case inProgress = 2
    /// The intent was handled.
    case success = 3
    /// The intent could not be handled.
    case failure = 4
    /// The intent waits for the app.
    case deferredToApplication = 5
    /// The user has to confirm it in the app.
    case userConfirmationRequired = 6
}

/// An intent that was handled, for Siri to learn from.
///
/// There is no Siri here: a donation succeeds and is stored nowhere, and the log says so once.
open class INInteraction: NSObject {
    /// The intent that was handled.
    public let intent: INIntent
    /// The result of handling the intent.
    public let intentResponse: INIntentResponse?
    /// The party that began the interaction.
    open var direction = INInteractionDirection.unspecified
    /// The time of the interaction.
    open var dateInterval: DateInterval?
    /// The app's identifier of the interaction.
    open var identifier = UUID().uuidString
    /// The app's identifier of a group of interactions.
    open var groupIdentifier: String?

    /// The stage that the handling of the intent has reached: always `unspecified`.
    open var intentHandlingStatus: INIntentHandlingStatus { .unspecified }

    /// An intent and what came of it.
    public init(intent: INIntent, response: INIntentResponse?) {
        self.intent = intent
        intentResponse = response
    }

    /// Succeeds: the completion is called with nil, before this returns.
    open func donate(completion: (((any Error)?) -> Void)? = nil) {
        HostLog.warnOnce("an interaction was donated: nobody learns from it here")
        completion?(nil)
    }

    /// Succeeds.
    open func donate() async throws {
        HostLog.warnOnce("an interaction was donated: nobody learns from it here")
    }

    /// Succeeds: nothing was stored.
    open class func deleteAll(completion: (((any Error)?) -> Void)? = nil) { completion?(nil) }

    /// Succeeds: nothing was stored.
    open class func delete(with identifiers: [String], completion: (((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }

    /// Succeeds: nothing was stored.
    open class func delete(with groupIdentifier: String, completion: (((any Error)?) -> Void)? = nil) {
        completion?(nil)
    }
}
