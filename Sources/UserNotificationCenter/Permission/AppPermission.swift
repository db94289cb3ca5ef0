// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol

/// The permission of one app of one owner to notify: a value that decides and does nothing.
///
///     switch permission.apply(.authorize(options, isGrantedByOperator: false)) {
///     case .ask(let options): …       // a question to the owner's presenters; the caller waits
///
/// `apply` is the one place that leads from a phase to the next. A question stays open until it is answered, over
/// restarts too; there is at most one, and whoever asks meanwhile waits for its answer.
/// Source: center.md §7, "Authorization".
package struct AppPermission: Sendable, Equatable {
    package enum Phase: String, CaseIterable, Sendable {
        case notDetermined, provisional, authorized, denied
        /// The question is open, and nothing of the app is shown.
        case asking
        /// The question is open, and the app notifies provisionally.
        case askingWhileProvisional
    }

    package internal(set) var phase = Phase.notDetermined
    /// The options for which the app asked; what it never asked for is not supported.
    package internal(set) var asked: AuthorizationOptions = []
    /// True once the app has asked, for nothing perhaps; what its owner allows from then on is what it asked for.
    package internal(set) var hasAsked = false
    package var settings = InstallationSettings()

    package init() {}

    package var status: AuthorizationStatus {
        switch phase {
        case .notDetermined, .asking: .notDetermined
        case .provisional, .askingWhileProvisional: .provisional
        case .authorized: .authorized
        case .denied: .denied
        }
    }

    /// The options that the open question is about; `nil` means that no question is open.
    package var question: AuthorizationOptions? {
        switch phase {
        case .asking, .askingWhileProvisional: asked
        case .notDetermined, .provisional, .authorized, .denied: nil
        }
    }

    /// The answer to an extension that asks for permission: the stored decision, never a question.
    package var isGranted: Bool { status == .authorized || status == .provisional }

    /// False if the app's service extension is not to be started, because its owner has decided to read nothing of it.
    ///
    /// An app that nobody has decided about has its extension: what that returns may go to other readers than this
    /// centre.
    package var runsServiceExtension: Bool {
        switch status {
        case .notDetermined: true
        case .denied: false
        case .authorized, .provisional: settings.alert
        }
    }
}

extension AppPermission {
    /// Something that happens to a permission.
    package enum Event: Sendable, Equatable {
        /// The app asks; `isGrantedByOperator` says that the operator's configuration has decided for the owner.
        case authorize(AuthorizationOptions, isGrantedByOperator: Bool)
        /// The owner answers a question, or decides without one.
        case decide(Decision)
        /// The owner turns the app on or off in its settings.
        case allow(Bool)
    }

    /// The owner's answer.
    package enum Decision: Sendable, Equatable {
        /// Everything that was asked for, but for what the owner unticked.
        case allow(without: AuthorizationOptions)
        case deny
        /// The first provisional notification's "keep".
        case keep
        /// The first provisional notification's "turn off".
        case turnOff
    }

    /// The step that follows an event.
    package enum Action: Sendable, Equatable {
        /// The app that asked gets its answer at once.
        case answer(Bool)
        /// The question is shown, or shown anew with more options; the app that asked waits.
        case ask(AuthorizationOptions)
        /// The app that asked waits with the others: the question is shown already.
        case wait
        /// The question is closed, and everybody who waits gets this answer, whoever asked just now included.
        case conclude(Bool)
        /// The permission changed, and nobody waits for it.
        case changed
        /// The permission is as the owner wants it.
        case unchanged
        /// The decision comes too late: somebody else has decided.
        case tooLate
    }
}
