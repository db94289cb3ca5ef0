// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
// Every call that hands a raw pointer to C says `unsafe`, so that the unsafe surface can be counted.
let strict = settings + [.strictMemorySafety()]
let c: [CSetting] = [
    .enableWarning("all"), .enableWarning("extra"), .enableWarning("conversion"), .treatAllWarnings(as: .error),
]

/// Products that many targets use.
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")

func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

/// A module named after one of Apple's.
func shim(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/Shims/\(name)", swiftSettings: settings)
}

/// A way of the host to the outside, which no other adapter may import: scripts/check-arrows reads the names here.
func adapter(name: String, dependencies: [Target.Dependency], swiftSettings: [SwiftSetting]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "nestbox",
    products: [
        .library(name: "E2ECrypto", targets: ["E2ECrypto"]),
        .library(name: "ExtensionWorker", targets: ["ExtensionWorker"]),
        .library(name: "UserNotifications", targets: ["UserNotifications"]),
        .library(name: "UserNotificationsUI", targets: ["UserNotificationsUI"]),
        // What `extension-host build` links: what an extension may import.
        .library(
            name: "ExtensionSDK",
            type: .static,
            targets: [
                "Compression", "CoreLocation", "ExtensionWorker", "FoundationCompatibility", "Intents",
                "MobileCoreServices", "OSLog", "Security", "UIKit", "UniformTypeIdentifiers", "UserNotifications",
                "UserNotificationsUI", "WidgetKit",
            ]
        ),
        // The same for extensions that use cryptography, apart from the others because BoringSSL takes minutes. The two
        // have no target in common, so that an extension can link both.
        .library(name: "ExtensionSDKCrypto", type: .static, targets: ["CommonCryptoFunctions", "CryptoKit"]),
        .library(name: "NotificationServiceTesting", targets: ["NotificationServiceTesting"]),
        .executable(name: "extension-host", targets: ["ExtensionHost"]),
        // For the package Fuzz/ alone.
        .library(name: "E2ECryptoChecks", targets: ["E2ECryptoChecks"]),
        .library(name: "IngressChecks", targets: ["IngressChecks"]),
        .library(name: "UserNotificationsChecks", targets: ["UserNotificationsChecks"]),
        // For scripts/bench.
        .executable(name: "journal-bench", targets: ["journal-bench"]),
        .executable(name: "payload-opener", targets: ["payload-opener"]),
        .executable(name: "seal-payload", targets: ["seal-payload"]),
        .executable(name: "worker-launcher", targets: ["worker-launcher"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        // The sealed payload: the only targets that may see a key.
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        .target(
            name: "E2ECrypto",
            dependencies: [
                "CLinux", "CSodium", "NotificationPayload", crypto,
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "seal-payload",
            dependencies: [
                "CLinux", "E2ECrypto", "NotificationPayload",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "payload-opener",
            dependencies: ["CLinux", "CWipingHeap", "E2ECrypto", "NotificationPayload", "WorkerProtocol"],
            swiftSettings: strict
        ),

        // What a notification is and how a worker hears of it.
        .target(
            name: "NotificationPayload",
            // A reader that borrows its bytes: `Span` in a stored property.
            swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]
        ),
        .target(name: "Locking", swiftSettings: strict),
        // What the modules named after Apple's say to whoever runs the host.
        .target(name: "HostLog", dependencies: ["Locking"], swiftSettings: settings),
        .target(
            name: "UserNotifications",
            dependencies: ["CoreLocation", "HostLog", "Locking", "NotificationPayload"],
            swiftSettings: settings
        ),
        .target(
            name: "UserNotificationsUI",
            dependencies: ["HostLog", "Locking", "UIKit", "UserNotifications"],
            swiftSettings: settings
        ),
        // What the worker asks of its app's keychain, and the host answers.
        .target(
            name: "Keychain",
            dependencies: ["HostLog", "Locking", "NotificationPayload"],
            swiftSettings: settings
        ),
        .target(name: "WorkerProtocol", dependencies: ["Keychain", "NotificationPayload"], swiftSettings: strict),
        // What the worker knows of its place, for them as well.
        .target(name: "WorkerFolders", dependencies: ["Locking"], swiftSettings: settings),
        .target(
            name: "ExtensionWorker",
            dependencies: [
                "CLinux", "HostLog", "Keychain", "Locking", "NotificationPayload", "UserNotifications", "WorkerFolders",
                "WorkerProtocol",
            ],
            swiftSettings: settings
        ),

        // For the tests of an extension's own package.
        .target(
            name: "NotificationServiceTesting",
            dependencies: ["ExtensionWorker", "Locking", "NotificationPayload", "UserNotifications", "_Testing_UIKit"],
            swiftSettings: settings
        ),
        // A file that imports Testing and UIKit needs it.
        shim("_Testing_UIKit"),

        // Modules of Apple's that extensions import, as far as they make sense here: Sources/Shims/README.md.
        .target(name: "CUnfairLock", path: "Sources/Shims/CUnfairLock", cSettings: c),
        shim("OSLog", ["CUnfairLock", "HostLog"]),
        shim("FoundationCompatibility", ["HostLog", "Locking", "WorkerFolders"]),
        shim("UniformTypeIdentifiers"),
        shim("MobileCoreServices", ["FoundationCompatibility", "UniformTypeIdentifiers"]),
        shim("Intents", ["HostLog", "Locking", "UserNotifications"]),
        shim("Compression", ["HostLog"]),
        shim(
            "CommonCryptoFunctions",
            [crypto, .product(name: "CryptoExtras", package: "swift-crypto")]
        ),
        shim("CoreLocation", ["Locking"]),
        shim("Security", ["FoundationCompatibility", "Keychain", "NotificationPayload"]),
        shim("UIKit", ["HostLog"]),
        shim("WidgetKit", ["HostLog"]),
        shim("CryptoKit", [crypto]),

        // The host and its adapters: arrows point at HostRuntime.
        .target(
            name: "HostRuntime",
            dependencies: ["Locking", "NotificationPayload", log],
            swiftSettings: settings
        ),
        // What this process may do once it runs; a target of its own, so that a small program can try it.
        .target(name: "HostConfinement", dependencies: ["CLinux"], swiftSettings: strict),
        adapter(
            name: "WorkerSupervisor",
            dependencies: [
                "CLauncherProtocol", "CLinux", "HostRuntime", "Keychain", "Locking", "NotificationPayload",
                "WorkerProtocol", log,
            ],
            swiftSettings: strict
        ),
        adapter(
            name: "Ingress",
            dependencies: [
                "HostRuntime", "Locking", "NotificationPayload", crypto, log, nio("NIOCore"), nio("NIOPosix"),
                nio("NIOHTTP1"), nio("NIOTLS"), .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        adapter(
            name: "NetworkProxy",
            dependencies: [
                "HostRuntime", "Locking", log, nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"), nio("NIOTLS"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        adapter(
            name: "KeychainStore",
            dependencies: ["Keychain", "Locking", "NotificationPayload", crypto],
            swiftSettings: settings
        ),
        adapter(
            name: "Sinks",
            dependencies: [
                "CLinux", "HostRuntime", "Locking", "NotificationPayload",
                .product(name: "AsyncHTTPClient", package: "async-http-client"), crypto, log, nio("NIOCore"),
                nio("NIOHTTP1"), nio("NIOPosix"), .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings
        ),
        // What outlives the host: accepted pushes, records on their way, device tokens.
        adapter(
            name: "Store",
            dependencies: [
                "HostRuntime", "Locking", "NotificationPayload", crypto, .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"), log,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "journal-bench",
            dependencies: ["HostRuntime", "NotificationPayload", "Store"],
            path: "Benchmarks/journal/driver",
            swiftSettings: settings
        ),
        // What the operator asks the running host.
        adapter(
            name: "AdminPort",
            dependencies: [
                "CLinux", "HostRuntime", "Locking", "NotificationPayload", crypto, log, nio("NIOCore"), nio("NIOHTTP1"),
                nio("NIOPosix"),
            ],
            swiftSettings: settings
        ),
        // From sources to a bundle, and the readers of a bundle's files: no server and no database behind it.
        .target(
            name: "ExtensionBuild",
            dependencies: [
                "CLinux", "HostRuntime", "NotificationPayload",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), crypto,
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ExtensionHost",
            dependencies: [
                "AdminPort", "CLauncherProtocol", "CLinux", "ExtensionBuild", "HostConfinement", "HostRuntime",
                "Ingress", "KeychainStore", "Locking", "NetworkProxy", "NotificationPayload", "Sinks", "Store",
                "WorkerFolders",
                "WorkerProtocol", "WorkerSupervisor",
                .product(name: "ArgumentParser", package: "swift-argument-parser"), crypto, log,
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings
        ),

        // Code of none: `swift build --target InstalledPrograms` builds what is installed in one call.
        .target(
            name: "InstalledPrograms",
            dependencies: ["ExtensionHost", "payload-opener", "seal-payload", "worker-launcher"],
            swiftSettings: settings
        ),

        // C: what Swift cannot call, and the one program that makes sandboxed processes.
        .target(name: "CLinux", cSettings: c),
        // For the opener alone: linked, it wipes what the process frees.
        .target(name: "CWipingHeap", cSettings: c),
        .target(name: "CLauncherProtocol", dependencies: ["CLinux"], cSettings: c),
        .executableTarget(
            name: "worker-launcher",
            dependencies: ["CLauncherProtocol", "CLinux"],
            cSettings: c,
            linkerSettings: [.linkedLibrary("seccomp")]
        ),

        // What must hold for every input there is: asked by the fuzzers of Fuzz/ and by tests, and in no program that
        // is installed. One for each set of dependencies.
        .target(
            name: "E2ECryptoChecks",
            dependencies: ["CSodium", "E2ECrypto", "NotificationPayload"],
            path: "Fuzz/Checks/E2ECrypto",
            swiftSettings: strict
        ),
        .target(
            name: "IngressChecks",
            dependencies: ["HostRuntime", "Ingress", "NotificationPayload", crypto],
            path: "Fuzz/Checks/Ingress",
            swiftSettings: settings
        ),
        .target(
            name: "UserNotificationsChecks",
            dependencies: ["NotificationPayload", "UserNotifications"],
            path: "Fuzz/Checks/UserNotifications",
            swiftSettings: settings
        ),

        // Programs that tests start and mistreat.
        .executableTarget(
            name: "FetchingExtension",
            dependencies: ["ExtensionWorker", "UserNotifications"],
            path: "Tests/Support/FetchingExtension",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "MisbehavingExtension",
            dependencies: ["ExtensionWorker", "UserNotifications"],
            path: "Tests/Support/MisbehavingExtension",
            exclude: ["Info.plist"],
            swiftSettings: settings
        ),
        .executableTarget(name: "launcher-probe", path: "Tests/Support/launcher-probe", cSettings: c),
        .target(name: "CHostileAttempts", path: "Tests/Support/CHostileAttempts", cSettings: c),
        .executableTarget(
            name: "hostile-probe",
            dependencies: ["CHostileAttempts", "CLinux"],
            path: "Tests/Support/hostile-probe",
            cSettings: c
        ),
        .executableTarget(
            name: "filter-probe",
            dependencies: ["CLinux"],
            path: "Tests/Support/filter-probe",
            cSettings: c
        ),
        .executableTarget(
            name: "HostileExtension",
            dependencies: ["CHostileAttempts", "CSodium", "ExtensionWorker", "UserNotifications"],
            path: "Tests/Support/HostileExtension",
            swiftSettings: settings
        ),
        .executableTarget(name: "poor-machine", path: "Tests/Support/poor-machine", cSettings: c),
        .executableTarget(
            name: "confinement-probe",
            dependencies: ["HostConfinement"],
            path: "Tests/Support/confinement-probe",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "journal-probe",
            dependencies: ["HostRuntime", "NotificationPayload", "Store"],
            path: "Tests/Support/journal-probe",
            swiftSettings: settings
        ),
        .executableTarget(name: "swift-probe", path: "Tests/Support/swift-probe", swiftSettings: settings),
        .target(name: "TestClock", dependencies: ["Locking"], path: "Tests/Support/TestClock", swiftSettings: settings),
        .target(name: "Sampling", path: "Tests/Support/Sampling", swiftSettings: settings),

        // The real programs, run as their users run them.
        .target(
            name: "HostTesting",
            dependencies: ["NotificationPayload"],
            path: "Tests/Support/HostTesting",
            swiftSettings: settings
        ),
        tests("NotificationPayloadTests", ["NotificationPayload"]),
        tests("E2ECryptoTests", ["CSodium", "E2ECrypto", "E2ECryptoChecks", "NotificationPayload", crypto]),
        // The library as another package sees it: examples of its articles, compiled and run.
        .target(
            name: "LibrarySnippets",
            dependencies: ["CryptoKit", "E2ECrypto", crypto],
            path: "Tests/LibraryTests/Snippets",
            packageAccess: false,
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        .testTarget(
            name: "LibraryTests",
            dependencies: ["E2ECrypto", "LibrarySnippets", "NotificationPayload", crypto],
            exclude: ["Snippets"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SealPayloadTests",
            dependencies: ["seal-payload"],
            exclude: ["Scripts"],
            swiftSettings: settings
        ),
        tests(
            "PayloadOpenerTests",
            ["CLinux", "E2ECrypto", "NotificationPayload", "WorkerProtocol", "filter-probe", "payload-opener"]
        ),
        tests("HostLogTests", ["HostLog", "Locking"]),
        .testTarget(
            name: "UserNotificationsTests",
            dependencies: [
                "CoreLocation", "NotificationPayload", "UIKit", "UserNotifications", "UserNotificationsChecks",
                "UserNotificationsUI", "_Testing_UIKit",
            ],
            exclude: ["Swift5Mode"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "UserNotificationsSwift5Tests",
            dependencies: ["NotificationPayload", "UserNotifications"],
            path: "Tests/UserNotificationsTests/Swift5Mode",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        tests(
            "ShimTests",
            [
                "CommonCryptoFunctions", "Compression", "CryptoKit", "FoundationCompatibility", "HostLog", "Intents",
                "Keychain", "Locking", "MobileCoreServices", "OSLog", "Security", "UIKit", "UniformTypeIdentifiers",
                "UserNotifications", "WidgetKit", "WorkerFolders", "_Testing_UIKit",
            ]
        ),
        tests("KeychainTests", ["Keychain", "KeychainStore", "NotificationPayload"]),
        tests("WorkerProtocolTests", ["Keychain", "NotificationPayload", "WorkerProtocol"]),
        tests(
            "ExtensionWorkerTests",
            [
                "CLinux", "ExtensionWorker", "Keychain", "Locking", "MisbehavingExtension", "NotificationPayload",
                "UserNotifications", "WorkerProtocol",
            ]
        ),
        tests(
            "NotificationServiceTestingTests",
            ["ExtensionHost", "MisbehavingExtension", "NotificationServiceTesting", "UserNotifications"]
        ),
        tests(
            "WorkerLauncherTests",
            [
                "CLauncherProtocol", "CLinux", "HostileExtension", "NotificationPayload", "WorkerProtocol",
                "hostile-probe", "launcher-probe", "poor-machine", "swift-probe", "worker-launcher",
            ]
        ),
        tests("HostRuntimeTests", ["HostRuntime", "Locking", "NotificationPayload", "Sampling", "TestClock", log]),
        tests("HostConfinementTests", ["HostConfinement", "confinement-probe"]),
        tests(
            "WorkerSupervisorTests",
            [
                "CLauncherProtocol", "CLinux", "HostRuntime", "Keychain", "Locking", "NotificationPayload", "TestClock",
                "WorkerProtocol", "WorkerSupervisor", "worker-launcher", log,
            ]
        ),
        tests(
            "IngressTests",
            [
                "HostRuntime", "Ingress", "IngressChecks", "Locking", "NotificationPayload", crypto, log,
                nio("NIOCore"), nio("NIOPosix"), nio("NIOHTTP1"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ]
        ),
        tests("NetworkProxyTests", ["HostRuntime", "Locking", "NetworkProxy", "TestClock", log]),
        tests(
            "SinksTests",
            ["HostRuntime", "HostTesting", "Locking", "NotificationPayload", "Sinks", "TestClock", log]
        ),
        tests("AdminPortTests", ["AdminPort", "HostRuntime", "NotificationPayload", "TestClock", log]),
        tests(
            "StoreTests",
            [
                "HostRuntime", "Locking", "NotificationPayload", "Store", "TestClock", "journal-probe",
                .product(name: "GRDB", package: "GRDB.swift"), log,
            ]
        ),
        tests("ExtensionBuildTests", ["ExtensionBuild"]),
        tests(
            "ExtensionHostTests",
            [
                "CLauncherProtocol", "ExtensionBuild", "ExtensionHost", "HostRuntime", "Ingress", "Locking",
                "NetworkProxy",
                "NotificationPayload", "TestClock", crypto, log,
            ]
        ),
        tests(
            "EndToEndTests",
            [
                "CLinux", "ExtensionBuild", "ExtensionHost", "FetchingExtension", "HostTesting", "HostileExtension",
                "Ingress", "Locking", "MisbehavingExtension", "NotificationPayload", "Sampling", "hostile-probe",
                "payload-opener", "poor-machine", "seal-payload", "worker-launcher",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        // Sources of extensions, as projects for phones have them: built and run by the real programs.
        .testTarget(
            name: "CompatibilityTests",
            dependencies: ["ExtensionHost", "HostTesting", "NotificationPayload", "Sampling", "worker-launcher"],
            exclude: ["Extensions", "Media", "Template"],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)
