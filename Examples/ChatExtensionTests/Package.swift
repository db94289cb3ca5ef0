// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "ChatExtensionTests",
    dependencies: [.package(name: "nestbox", path: "../..")],
    targets: [
        // The extension's file as the iOS project has it; a link in place of a copy.
        .target(
            name: "ChatExtension",
            dependencies: [.product(name: "UserNotifications", package: "nestbox")],
            // As Xcode makes extension targets.
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .testTarget(
            name: "ChatExtensionTests",
            dependencies: ["ChatExtension", .product(name: "NotificationServiceTesting", package: "nestbox")]
        ),
    ]
)
