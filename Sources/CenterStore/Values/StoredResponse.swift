// SPDX-License-Identifier: Apache-2.0

/// The answer of a person to a notification, on its way to the app.
package struct StoredResponse: Sendable, Equatable {
    package let id: Int64
    package let installation: InstallationKey
    /// The number of the notification that was answered.
    package let number: Int64
    package let action: String
    /// The text that was typed; `nil` for an action without a field.
    package let text: String?
    package let state: ResponseState
    /// Attempts that failed.
    package let tries: Int
    package let stored: WallTime
    /// The date of the notification; `nil` means that no history is kept.
    package let delivered: WallTime?
    /// The notification as it was shown; `nil` means that it is damaged.
    package let content: NotificationContent?
}

/// The place of a response between the person and the app.
///
/// The raw values are stored.
package enum ResponseState: Int64, Sendable, CaseIterable {
    case stored = 0
    case sent = 1
}

/// An event in the life of a response.
package enum ResponseStep: Sendable, CaseIterable {
    /// The app has it now.
    case sent
    /// The app's connection was lost, or 30 s went by without a completion.
    case returned
    case completed
}

/// The outcome of a step.
package enum ResponseVerdict: Sendable, Equatable {
    case kept(ResponseState, tries: Int)
    /// The app is done with it; the row is gone.
    case completed
    /// Given up after three attempts; the row is gone.
    case expired
    /// The step does not fit the state, and changes nothing.
    case ignored
}

extension ResponseState {
    /// Attempts after which a response is given up.
    static let triesAtMost = 3

    /// Decides on a step.
    ///
    /// A completion counts in every state, because it may cross a timeout.
    func verdict(on step: ResponseStep, tries: Int) -> ResponseVerdict {
        switch (self, step) {
        case (_, .completed): .completed
        case (.stored, .sent): .kept(.sent, tries: tries)
        case (.sent, .returned): tries + 1 < Self.triesAtMost ? .kept(.stored, tries: tries + 1) : .expired
        case (.stored, .returned), (.sent, .sent): .ignored
        }
    }
}

/// A response that its app never completed.
package struct ExpiredResponse: Sendable, Equatable {
    package let id: Int64
    package let installation: InstallationKey
    package let number: Int64
}
