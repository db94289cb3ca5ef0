// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog

/// Who began an interaction.
public enum INInteractionDirection: Int, Sendable {
    /// Not told.
    case unspecified = 0
    /// The user.
    case outgoing = 1
    /// Somebody else.
    case incoming = 2
}

/// How far an intent got.
public enum INIntentHandlingStatus: Int, Sendable {
    /// Not told.
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
    /// What was handled.
    public let intent: INIntent
    /// What came of it.
    public let intentResponse: INIntentResponse?
    /// Who began it.
    open var direction = INInteractionDirection.unspecified
    /// When it was.
    open var dateInterval: DateInterval?
    /// The app's identifier of it.
    open var identifier = UUID().uuidString
    /// The app's identifier of several of them.
    open var groupIdentifier: String?

    /// How far it got.
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
