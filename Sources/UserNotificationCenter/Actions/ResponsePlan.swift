// SPDX-License-Identifier: Apache-2.0

/// The effect of an answer that was taken.
package struct ResponsePlan: Sendable, Equatable {
    package enum Launch: Sendable {
        /// The app comes to the person: it is started if it does not run.
        case foreground
        /// The app works unseen: it is started only by the system, and only if it is not connected.
        case background
    }

    /// The action as the app's delegate reads it.
    package let identifier: String
    /// `nil` means that the action asks for no text.
    package var text: String?
    /// True if the app gets a response; a plain dismissal is none of its business.
    package var isForApp: Bool
    package let launch: Launch
    /// True if the notification leaves the list and goes to the history.
    package var closes = true

    package init(
        identifier: String,
        text: String? = nil,
        isForApp: Bool = true,
        launch: Launch
    ) {
        self.identifier = identifier
        self.text = text
        self.isForApp = isForApp
        self.launch = launch
    }

    /// A click on the notification itself; on a stack it means the leading one.
    package static let `default` = ResponsePlan(identifier: ResponseRule.defaultIdentifier, launch: .foreground)
}

/// The answer of an open content extension, which gets a response before its app does.
///
/// Source: Apple, "UNNotificationContentExtensionResponseOption".
package enum ViewOption: Sendable, CaseIterable {
    case doNotDismiss, dismiss, dismissAndForwardAction
}

extension ResponsePlan {
    /// The plan after a view has answered; `nil` for the option means that no answer came in 5 s.
    ///
    /// Returns `nil` if the view keeps everything: the notification stays, and the app gets nothing.
    package func after(_ option: ViewOption?) -> ResponsePlan? {
        switch option {
        case .doNotDismiss:
            return nil
        case .dismiss:
            var plan = self
            plan.isForApp = false
            return plan
        case .dismissAndForwardAction, nil:
            return self
        }
    }
}

/// The way by which a response comes to its app: the first that there is.
///
/// The centre starts no process. Source: center.md §7, "Response".
package enum ResponseRoute: Sendable, CaseIterable {
    /// The app is connected and has a delegate.
    case app
    /// The system starts the app once the centre connects to its start socket.
    case startSocket
    /// A presenter with the scope `launch` starts the app.
    case presenter
    /// The page opens the app's address.
    case url
    /// The response waits until the app connects.
    case waits

    /// The ways that there are.
    package struct Ways: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }

        package static let app = Ways(rawValue: 1)
        package static let startSocket = Ways(rawValue: 2)
        package static let presenter = Ways(rawValue: 4)
        package static let url = Ways(rawValue: 8)
    }

    /// Chooses a way; an app that is to work unseen is neither launched by a presenter nor opened as a page.
    package init(_ launch: ResponsePlan.Launch, _ ways: Ways) {
        if ways.contains(.app) {
            self = .app
        } else if ways.contains(.startSocket) {
            self = .startSocket
        } else if launch == .background {
            self = .waits
        } else if ways.contains(.presenter) {
            self = .presenter
        } else {
            self = ways.contains(.url) ? .url : .waits
        }
    }
}
