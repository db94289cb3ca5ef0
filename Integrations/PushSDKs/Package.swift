// swift-tools-version: 6.0
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// `extension-host build … --packages Integrations` reads this and compiles what an extension links. SwiftPM alone
// does not: UserNotifications comes with the extension SDK. Products have the vendors' names, which projects link.
let package = Package(
    name: "PushSDKs",
    products: [
        .library(name: "FirebaseMessaging", targets: ["FirebaseMessaging"]),
        .library(name: "OneSignalExtension", targets: ["OneSignalExtension"]),
        .library(name: "CTNotificationService", targets: ["CTNotificationService"]),
        .library(name: "MessagingPushAPN", targets: ["CioMessagingPushAPN"]),
        .library(name: "MessagingPushFCM", targets: ["CioMessagingPushFCM"]),
    ],
    targets: [
        .target(name: "PushDelivery"),
        .target(name: "FirebaseMessaging", dependencies: ["PushDelivery"]),
        .target(name: "OneSignalExtension", dependencies: ["PushDelivery"]),
        .target(name: "CTNotificationService", dependencies: ["PushDelivery"]),
        .target(name: "CioMessagingPush", dependencies: ["PushDelivery"]),
        .target(name: "CioMessagingPushAPN", dependencies: ["CioMessagingPush"]),
        .target(name: "CioMessagingPushFCM", dependencies: ["CioMessagingPush"]),
    ]
)
