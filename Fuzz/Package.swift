// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// libFuzzer brings its own main.
let settings: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

let package = Package(
    name: "nestbox-fuzz",
    dependencies: [.package(name: "nestbox", path: "..")],
    targets: [
        .executableTarget(
            name: "fuzz-attachment",
            dependencies: [.product(name: "E2ECrypto", package: "nestbox")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "fuzz-open",
            dependencies: [.product(name: "E2ECrypto", package: "nestbox")],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "fuzz-payload",
            dependencies: [.product(name: "UserNotifications", package: "nestbox")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
