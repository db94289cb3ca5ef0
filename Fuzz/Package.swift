// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// libFuzzer brings its own main.
let settings: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

func crypto(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "E2ECrypto", package: "nestbox")],
        swiftSettings: settings
    )
}

func ingress(_ name: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: "Ingress", package: "nestbox")],
        swiftSettings: settings
    )
}

let package = Package(
    name: "nestbox-fuzz",
    dependencies: [.package(name: "nestbox", path: "..")],
    targets: [
        crypto("fuzz-attachment"),
        crypto("fuzz-open"),
        crypto("fuzz-envelope"),
        crypto("fuzz-content"),
        crypto("fuzz-key-file"),
        ingress("fuzz-provider-token"),
        ingress("fuzz-push-line"),
        ingress("fuzz-request-head"),
        ingress("fuzz-web-push"),
        .executableTarget(
            name: "fuzz-payload",
            dependencies: [.product(name: "UserNotifications", package: "nestbox")],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
