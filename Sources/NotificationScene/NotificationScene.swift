// SPDX-License-Identifier: Apache-2.0

@_exported public import Observation
@_exported public import UserNotificationsUI

/// A view of an app's notifications in Swift, drawn by whoever shows them: a browser, or a terminal as text.
///
/// ```swift
/// import NotificationScene
///
/// struct Photo: NotificationScene {
///     @State private var opacity = 1.0
///
///     func body(_ content: UNNotificationContent, _ view: ViewContext) -> some SceneContent {
///         Column(spacing: 8, padding: 16) {
///             Text(content.title).font(.headline)
///             Image(symbol: "photo").frame(width: 200, height: 200).opacity(opacity)
///             Slider(value: $opacity).label("Opacity")
///             Button("Launch app") { view.performDefaultAction() }
///         }
///     }
/// }
/// ```
/// `NSExtensionPrincipalClass` of the content extension's Info.plist names the type. `extension-host build` makes a
/// bundle of it, `extension-host view` tries that, and a notification centre's page shows it. A process has one scene,
/// which is made for one notification. All of its code runs on the main thread, on which no call may block for long: if
/// ``didReceive(_:_:)`` has not answered after five seconds, the app gets the response.
@MainActor public protocol NotificationScene {
    /// The type that ``body(_:_:)`` returns, which the compiler finds out.
    associatedtype Body: SceneContent

    /// Describes the view of a notification as it is now.
    ///
    /// This is called again when a ``State`` or a property of an `@Observable` class that it has read changes on the
    /// main thread, when a newer version of the notification comes, and when the place of the view changes. It changes
    /// no state itself. Elements that are equal to those that are shown already are not sent.
    @SceneBuilder func body(_ content: UNNotificationContent, _ view: ViewContext) -> Body

    /// Sets the first title and buttons of the view, and begins what takes longer; called once, before the first
    /// drawing.
    ///
    /// The default does nothing.
    func didOpen(_ view: ViewContext)

    /// Decides on a person's response to the notification while the view is open, within five seconds.
    ///
    /// The default lets the view go and the app have the response.
    func didReceive(
        _ response: UNNotificationResponse,
        _ view: ViewContext
    ) async -> UNNotificationContentExtensionResponseOption
}

extension NotificationScene {
    /// Does nothing.
    public func didOpen(_ view: ViewContext) {}

    /// Lets the view go and the app have the response.
    public func didReceive(
        _ response: UNNotificationResponse,
        _ view: ViewContext
    ) async -> UNNotificationContentExtensionResponseOption { .dismissAndForwardAction }
}
