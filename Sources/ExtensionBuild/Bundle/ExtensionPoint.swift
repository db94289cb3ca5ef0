// SPDX-License-Identifier: Apache-2.0

/// The kind of an extension, as `NSExtensionPointIdentifier` of its Info.plist names it.
package enum ExtensionPoint: String, Sendable, CaseIterable {
    /// Changes a notification before it is delivered.
    case service = "com.apple.usernotifications.service"
    /// Shows a notification in a view of its own.
    case content = "com.apple.usernotifications.content-extension"
}

/// The program that a build makes for each kind.
extension ExtensionPoint {
    struct Program {
        /// The modules that serve such an extension.
        let modules: [String]
        /// The type in those modules whose `serve` takes one of the extension's own.
        let server: String
        /// The name that Xcode's template, or ours, has for the extension's type.
        let usualType: String
        /// The rule for the type, for a person whose type is something else.
        let typeRule: String
    }

    var program: Program {
        switch self {
        case .service:
            Program(
                modules: ["ExtensionWorker"],
                server: "NotificationServiceWorker",
                usualType: "NotificationService",
                typeRule:
                    "a class of the sources, not private, with an init(), and derived from UNNotificationServiceExtension"
            )
        case .content:
            Program(
                modules: ["ContentExtensionWorker", "NotificationScene", "ViewSession"],
                server: "ViewProgram",
                usualType: "NotificationViewController",
                typeRule:
                    "a type of the sources, not private, with an init(): a UIViewController that conforms to "
                    + "UNNotificationContentExtension, or a type that conforms to NotificationScene"
            )
        }
    }
}
