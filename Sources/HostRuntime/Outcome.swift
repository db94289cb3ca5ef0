// SPDX-License-Identifier: Apache-2.0

/// The final result of a push.
///
/// Every accepted push has exactly one.
package enum Outcome: Sendable, Equatable {
    /// The extension's content.
    case modified(late: Bool)
    /// Decrypted; the app has no extension, or the push does not ask for one.
    case opened
    /// Delivered as it was before the step that did not happen.
    case original(OriginalReason)
    /// The notification is not shown.
    case suppressed(SuppressionReason)
}

package enum OriginalReason: Sendable, Equatable {
    case notMutable
    /// The reader of the app's notifications has its alerts off.
    case alertsOff
    case noExtension
    case refused(OpenRefusal)
    case openerUnavailable
    case failed(ExtensionFailure)
    case emptyContent

    /// The reason as the delivery record spells it.
    package var name: String {
        switch self {
        case .notMutable: "notMutable"
        case .alertsOff: "alertsOff"
        case .noExtension: "noExtension"
        case .refused(let refusal): refusal.rawValue
        case .openerUnavailable: "openerUnavailable"
        case .failed(let failure): failure.name
        case .emptyContent: "emptyContent"
        }
    }
}

package enum SuppressionReason: String, Sendable, Equatable {
    /// Empty content from an extension registered with filtering.
    case filtered
    /// The push's own expiration passed before it was started.
    case expired
}

/// The reason for which the opener did not open a payload: the closed set of FORMAT.md, "Errors".
package enum OpenRefusal: String, Sendable, Equatable, CaseIterable {
    case malformedText, tooShort, tooLarge, unsupportedVersion, unknownFlags, unknownKey, unknownSender
    case formatNotAccepted, senderRequired, contextMissing
    case notOpened
    case expired, issuedInFuture, replayed, badContent
}

/// The failure because of which an extension's content is not delivered.
package enum ExtensionFailure: Sendable, Equatable {
    case timeWillExpireIgnored
    case budgetExceeded
    case crashed(signal: Int32)
    case memoryLimitExceeded
    case exitedEarly
    case protocolViolation
    case launchFailed
    /// No worker took the notification as long as it waited for one.
    case noWorker
    /// The extension serves as many other owners as it can.
    case otherOwner

    package var name: String {
        switch self {
        case .timeWillExpireIgnored: "timeWillExpireIgnored"
        case .budgetExceeded: "budgetExceeded"
        case .crashed: "crashed"
        case .memoryLimitExceeded: "memoryLimitExceeded"
        case .exitedEarly: "exitedEarly"
        case .protocolViolation: "protocolViolation"
        case .launchFailed: "launchFailed"
        case .noWorker: "noWorker"
        case .otherOwner: "otherOwner"
        }
    }
}
