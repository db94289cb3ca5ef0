// SPDX-License-Identifier: Apache-2.0

/// The kind of an extension, as `NSExtensionPointIdentifier` of its Info.plist names it.
package enum ExtensionPoint: String, Sendable, CaseIterable {
    /// Changes a notification before it is delivered.
    case service = "com.apple.usernotifications.service"
    /// Shows a notification in a view of its own.
    case content = "com.apple.usernotifications.content-extension"
}

/// The beginning of the program that a build makes for each kind.
extension ExtensionPoint {
    /// The module that serves such an extension.
    var servingModule: String {
        switch self {
        case .service: "ExtensionWorker"
        case .content: "NotificationScene"
        }
    }

    /// The type in that module whose `serve` takes one of the extension's own.
    var server: String {
        switch self {
        case .service: "NotificationServiceWorker"
        case .content: "NotificationSceneWorker"
        }
    }

    /// The name that Xcode's template, or ours, has for the extension's type.
    var usualType: String {
        switch self {
        case .service: "NotificationService"
        case .content: "NotificationView"
        }
    }

    /// The rule for the type, for a person whose type is something else.
    var typeRule: String {
        switch self {
        case .service:
            "a class of the sources, not private, with an init(), and derived from UNNotificationServiceExtension"
        case .content:
            "a type of the sources, not private, with an init(), that conforms to NotificationScene: there is no "
                + "UIViewController here"
        }
    }
}
