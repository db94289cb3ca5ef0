// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

let package = Package(
    name: "nestbox-benchmarks",
    dependencies: [
        .package(name: "nestbox", path: ".."),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
    ],
    targets: [
        .target(name: "CryptoReference", path: "crypto/reference", linkerSettings: [.linkedLibrary("sodium")]),
        .executableTarget(
            name: "crypto-bench",
            dependencies: [
                "CryptoReference",
                .product(name: "E2ECrypto", package: "nestbox"),
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            path: "crypto/driver",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "content-bench",
            dependencies: [
                .product(name: "ExtensionWorker", package: "nestbox"),
                .product(name: "UserNotifications", package: "nestbox"),
            ],
            path: "extension/content",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "path-bench",
            dependencies: [
                .product(name: "E2ECrypto", package: "nestbox"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                // Built with it, into one folder: what it starts.
                .product(name: "center-bench", package: "nestbox"),
                .product(name: "extension-host", package: "nestbox"),
                .product(name: "fleet-bench", package: "nestbox"),
                .product(name: "journal-bench", package: "nestbox"),
                .product(name: "layout-bench", package: "nestbox"),
                .product(name: "notification-center", package: "nestbox"),
                .product(name: "payload-opener", package: "nestbox"),
                .product(name: "worker-launcher", package: "nestbox"),
            ],
            path: "path/client",
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
