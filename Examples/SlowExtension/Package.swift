// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let package = Package(
    name: "SlowExtension",
    dependencies: [.package(name: "nestbox", path: "../..")],
    targets: [
        .executableTarget(
            name: "SlowExtension",
            dependencies: [
                .product(name: "ExtensionWorker", package: "nestbox"),
                .product(name: "UserNotifications", package: "nestbox"),
            ]
        )
    ]
)
