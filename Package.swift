// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let settings: Settings = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"), .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]
// Every call that hands a raw pointer to C says `unsafe`, so that the unsafe surface can be counted.
let strict = settings + [.strictMemorySafety()]
let c: [CSetting] = [
    .enableWarning("all"), .enableWarning("extra"), .enableWarning("conversion"), .treatAllWarnings(as: .error),
]

typealias Dependencies = [Target.Dependency]
typealias Settings = [SwiftSetting]

/// Products that many targets use.
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let crypto = Target.Dependency.product(name: "Crypto", package: "swift-crypto")
let cryptoExtras = Target.Dependency.product(name: "CryptoExtras", package: "swift-crypto")
let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let sqlite = Target.Dependency.product(name: "GRDBSQLite", package: "GRDB.swift")
let ssl = Target.Dependency.product(name: "NIOSSL", package: "swift-nio-ssl")
let http2 = Target.Dependency.product(name: "NIOHTTP2", package: "swift-nio-http2")
let client = Target.Dependency.product(name: "AsyncHTTPClient", package: "async-http-client")
let hpack = Target.Dependency.product(name: "NIOHPACK", package: "swift-nio-http2")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nio: Dependencies = [nioCore, nioHTTP1, nioPosix]
let nioTLS = Target.Dependency.product(name: "NIOTLS", package: "swift-nio")

/// The modules that most adapters of the host need.
let host: Dependencies = ["HostRuntime", "Locking", "NotificationPayload", log]

/// The modules that every way to a view needs.
let views: Dependencies = ["ExtensionWorker", "HostLog", "Locking", "SceneModel", "UserNotificationsUI"]

func library(_ name: String) -> Product { .library(name: name, targets: [name]) }
func executable(_ name: String) -> Product { .executable(name: name, targets: [name]) }

/// A target of a folder of its own name below Sources, or of `path`.
func module(_ name: String, _ uses: Dependencies = [], path: String? = nil, _ swift: Settings = settings) -> Target {
    .target(name: name, dependencies: uses, path: path, swiftSettings: swift)
}

/// The rules that must hold of a target of that name for every input.
func checks(_ name: String, _ dependencies: Dependencies, _ swiftSettings: Settings = settings) -> Target {
    module("\(name)Checks", dependencies, path: "Fuzz/Checks/\(name)", swiftSettings)
}

/// A program in Swift that tests or scripts/bench start; of Tests/Support, or of `path`.
func probe(_ name: String, _ dependencies: Dependencies = [], path: String? = nil, exclude: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: dependencies,
        path: path ?? "Tests/Support/\(name)",
        exclude: exclude,
        swiftSettings: settings
    )
}

/// The same in C.
func probeInC(_ name: String, _ dependencies: Dependencies = []) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/Support/\(name)", cSettings: c)
}

/// A module named after one of Apple's, and the libraries of Swift that it calls without a module's help.
func shim(_ name: String, _ dependencies: [Target.Dependency] = [], libraries: [String] = []) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/Shims/\(name)",
        swiftSettings: settings,
        linkerSettings: libraries.map { .linkedLibrary($0) }
    )
}

/// A way of the host to the outside, which no other adapter may import: scripts/check-arrows reads the names here.
func adapter(_ name: String, _ uses: Dependencies, _ swift: Settings = settings) -> Target { module(name, uses, swift) }

/// A program in Swift that is installed.
func program(_ name: String, _ dependencies: Dependencies, _ swiftSettings: Settings = settings) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: Dependencies, exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The suites of tests without anything of their own, each with what it imports.
let suites: KeyValuePairs<String, Dependencies> = [
    "NotificationPayloadTests": ["NotificationPayload"],
    "E2ECryptoTests": ["CSodium", "E2ECrypto", "E2ECryptoChecks", "NotificationPayload", crypto],
    "PayloadOpenerTests": [
        "CLinux", "E2ECrypto", "NotificationPayload", "WorkerProtocol", "filter-probe", "payload-opener",
    ],
    "HostLogTests": ["HostLog", "Locking"],
    "ShimTests": [
        "CommonCryptoFunctions", "Compression", "CryptoKit", "FoundationCompatibility", "HostLog", "Intents",
        "Keychain", "Locking", "MobileCoreServices", "OSLog", "Security", "UIKit", "UniformTypeIdentifiers",
        "UserNotifications", "WidgetKit", "WorkerFolders", "_Testing_UIKit",
    ],
    "KeychainTests": ["Keychain", "KeychainStore", "NotificationPayload", crypto],
    "WorkerProtocolTests": ["CenterProtocol", "Keychain", "NotificationPayload", "SceneModel", "WorkerProtocol"],
    "CenterProtocolTests": ["CenterProtocol", "NotificationPayload"],
    "SceneModelTests": ["CenterProtocol", "NotificationPayload", "SceneModel"],
    "UserNotificationCenterTests": ["CenterProtocol", "NotificationPayload", "Sampling", "UserNotificationCenter"],
    "ExtensionWorkerTests": [
        "CLinux", "CenterProtocol", "ExtensionWorker", "Keychain", "Locking", "MisbehavingExtension",
        "NotificationPayload", "SceneModel", "UserNotifications", "WorkerProtocol",
    ],
    "NotificationSceneTests": ["NotificationPayload", "NotificationScene", "SceneModel", "ViewSession"],
    "ContentExtensionWorkerTests": [
        "ContentExtensionWorker", "NotificationPayload", "SceneModel", "UIKit", "UserNotifications",
        "UserNotificationsUI", "ViewSession",
    ],
    "AVFoundationTests": ["AVFoundation", "AVKit", "Locking", "SceneModel", "TestClock", "UIKit"],
    "MapKitTests": ["Contacts", "CoreLocation", "MapKit", "SceneModel", "TestClock", "UIKit"],
    "LayoutSolverTests": ["LayoutSolver", "LayoutTrees"],
    "TextLayoutTests": ["TextLayout"],
    "UIKitTests": [
        "FoundationCompatibility", "HostLog", "LayoutSolver", "Locking", "SceneModel", "TestClock", "TextLayout",
        "UIKit", "_Testing_UIKit",
    ],
    "NotificationServiceTestingTests": [
        "ExtensionHost", "MisbehavingExtension", "NotificationServiceTesting", "UserNotifications",
    ],
    "ContentExtensionTestingTests": ["ContentExtensionTesting", "NotificationScene", "UIKit", "UserNotificationsUI"],
    "WorkerLauncherTests": [
        "CLauncherProtocol", "CLinux", "HostileExtension", "NotificationPayload", "WorkerProtocol",
        "hostile-probe", "launcher-probe", "poor-machine", "swift-probe", "worker-launcher",
    ],
    "HostRuntimeTests": ["HostRuntime", "Interposed", "Locking", "NotificationPayload", "Sampling", "TestClock", log],
    "HostConfinementTests": ["HostConfinement", "confinement-probe"],
    "WorkerSupervisorTests": [
        "CLauncherProtocol", "CLinux", "CenterProtocol", "HostRuntime", "Keychain", "KeychainStore", "Locking",
        "NotificationPayload", "SceneModel", "TestClock", "WorkerProtocol", "WorkerSupervisor",
        "worker-launcher", log,
    ],
    "IngressTests": [
        "HTTPServing", "HostRuntime", "Ingress", "IngressChecks", "Locking", "NotificationPayload", crypto, log,
        nioCore, nioPosix, nioHTTP1, http2, hpack, ssl,
    ],
    "NetworkProxyTests": ["HostRuntime", "Locking", "NetworkProxy", "TestClock", log],
    "GatewayTapTests": ["GatewayTap", "HostRuntime", "Locking", log, nioCore, nioEmbedded],
    "SinksTests": ["HostRuntime", "HostTesting", "Locking", "NotificationPayload", "Sinks", "TestClock", log],
    "AdminPortTests": ["AdminPort", "HostRuntime", "NotificationPayload", "TestClock", log],
    "PostgreSQLTests": ["DatabaseTesting", "PostgreSQL"],
    "FleetTests": host + [
        "DatabaseTesting", "Fleet", "FleetHistory", "PostgreSQL", "Sampling", "TestClock", "fleet-probe",
    ],
    "StoreTests": ["HostRuntime", "Locking", "NotificationPayload", "Store", "TestClock", "journal-probe", grdb, log],
    "CenterServingTests": [
        "CenterChecks", "CenterLink", "CenterProtocol", "CenterServing", "CenterSteps", "CenterStore",
        "CoreLocation", "HTTPServing", "HostRuntime", "Locking", "NotificationApp", "NotificationPayload",
        "PacketSockets", "SceneModel", "TestClock", "UserNotificationCenter", "UserNotifications", log, nioCore,
        nioEmbedded, nioHTTP1,
    ],
    "NotificationCenterTests": ["CenterAsking", "NotificationPayload", "notification-center"],
    "DesktopPresenterTests": ["DesktopPresenter", "NotificationPayload", "UserNotificationCenter"],
    "ExtensionBuildTests": ["ExtensionBuild", "ProjectFixtures"],
    "ExtensionHostTests": [
        "CLauncherProtocol", "CenterProtocol", "ExtensionBuild", "ExtensionHost", "HostConfinement", "HostRuntime",
        "Ingress", "Locking", "NetworkProxy", "NotificationPayload", "SceneModel", "TestClock", "WorkerProtocol",
        "WorkerSupervisor", arguments, crypto, log,
    ],
    "EndToEndTests": [
        "CLinux", "DatabaseTesting", "ExtensionBuild", "ExtensionHost", "FakeNotifications", "FetchingExtension",
        "HostTesting", "HostileExtension", "Ingress", "Locking", "MisbehavingExtension", "NotificationPayload",
        "PostgreSQL", "ProjectFixtures", "ReminderApp", "Sampling", "TestClock", "hostile-probe", "payload-opener",
        "poor-machine", "seal-payload", "worker-launcher", grdb,
    ],
]

let package = Package(
    name: "nestbox",
    products: [
        library("E2ECrypto"), library("ExtensionWorker"), library("NotificationApp"), library("UserNotifications"),
        library("UserNotificationsUI"), library("NotificationScene"), library("NotificationServiceTesting"),
        library("ContentExtensionTesting"),
        // For the package Fuzz/ alone.
        library("CenterChecks"), library("E2ECryptoChecks"), library("IngressChecks"),
        library("UserNotificationsChecks"),
        // What `extension-host build` links: what an extension may import.
        .library(
            name: "ExtensionSDK",
            type: .static,
            targets: [
                "AVFoundation", "AVKit", "AudioToolbox", "Compression", "Contacts", "ContentExtensionWorker",
                "CoreLocation", "CoreMotion", "ExtensionWorker", "FoundationCompatibility", "Intents", "MapKit",
                "MobileCoreServices", "NotificationScene", "OSLog", "Security", "UIKit", "UniformTypeIdentifiers",
                "UserNotifications", "UserNotificationsUI", "WidgetKit",
            ]
        ),
        // The same for extensions that use cryptography, apart from the others because BoringSSL takes minutes. The two
        // have no target in common, so that an extension can link both.
        .library(name: "ExtensionSDKCrypto", type: .static, targets: ["CommonCryptoFunctions", "CryptoKit"]),
        .executable(name: "extension-host", targets: ["ExtensionHost"]), executable("center-bench"),
        executable("fleet-bench"), executable("journal-bench"), executable("layout-bench"),
        executable("notification-center"), executable("notification-desktop"), executable("payload-opener"),
        executable("seal-payload"), executable("worker-launcher"),
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
        module("E2ECrypto", ["CLinux", "CSodium", "NotificationPayload", crypto, cryptoExtras], strict),
        program("seal-payload", ["CLinux", "E2ECrypto", "NotificationPayload", arguments]),
        program(
            "payload-opener",
            ["CLinux", "CWipingHeap", "E2ECrypto", "NotificationPayload", "WorkerProtocol"],
            strict
        ),
        // What a notification is and how a worker hears of it.
        // It has a reader that borrows its bytes: `Span` in a stored property.
        module("NotificationPayload", [], settings + [.enableExperimentalFeature("Lifetimes")]),
        module("Locking", [], strict),
        // What a program counts, in the text format of Prometheus.
        module("Metrics", ["Locking"]),
        // What the modules named after Apple's say to whoever runs the host.
        module("HostLog", ["Locking"]),
        module(
            "UserNotifications",
            ["CenterProtocol", "CoreLocation", "HostLog", "Locking", "NotificationPayload", "PacketSockets"]
        ),
        // What Apple has in UIKit of an app's notifications.
        module("NotificationApp", ["CenterProtocol", "UserNotifications"]),
        module("UserNotificationsUI", ["FoundationCompatibility", "UIKit", "UserNotifications"]),
        // What the worker asks of its app's keychain, and the host answers.
        module("Keychain", ["HostLog", "Locking", "NotificationPayload"]),
        module("WorkerProtocol", ["CenterProtocol", "Keychain", "NotificationPayload", "SceneModel"], strict),
        // What the host and apps say to the notification centre, and it to them.
        module("CenterProtocol", ["NotificationPayload"], strict),
        // The rules of the notification centre: what is shown, grouped and answered, without I/O.
        module("UserNotificationCenter", ["CenterProtocol", "NotificationPayload"]),
        // What an app's own view of its notifications says of itself, and what is done with it.
        module("SceneModel", ["CenterProtocol", "NotificationPayload"], strict),
        // What the worker knows of its place, for them as well.
        module("WorkerFolders", ["Locking"]),
        module(
            "ExtensionWorker",
            [
                "CLinux", "CenterProtocol", "HostLog", "Keychain", "Locking", "NotificationPayload", "PacketSockets",
                "SceneModel", "UserNotifications", "WorkerFolders", "WorkerProtocol",
            ]
        ),
        // The life of a view in its process, and the two ways to a content extension: a description, and controllers.
        module("ViewSession", views + ["CenterProtocol", "FoundationCompatibility", "NotificationPayload"]),
        module("NotificationScene", views + ["ViewSession"]),
        module("ContentExtensionWorker", views + ["FoundationCompatibility", "UIKit", "ViewSession"]),
        // What UIKit places and breaks, as pure rules.
        module("LayoutSolver", [], strict),
        module("TextLayout", [], strict),
        // For the tests of an extension's own package.
        module(
            "NotificationServiceTesting",
            [
                "CenterProtocol", "ExtensionWorker", "Locking", "NotificationPayload", "SceneModel",
                "UserNotifications", "_Testing_UIKit",
            ]
        ),
        module(
            "ContentExtensionTesting",
            views + [
                "CenterProtocol", "ContentExtensionWorker", "NotificationPayload", "NotificationScene",
                "NotificationServiceTesting", "UIKit", "UserNotifications", "ViewSession",
            ]
        ),
        // A file that imports Testing and UIKit needs it.
        shim("_Testing_UIKit"),
        // Modules of Apple's that extensions import, as far as they make sense here: Sources/Shims/README.md.
        .target(name: "CUnfairLock", path: "Sources/Shims/CUnfairLock", cSettings: c),
        shim("OSLog", ["CUnfairLock", "HostLog"]),
        shim("FoundationCompatibility", ["HostLog", "Locking", "WorkerFolders"], libraries: ["_FoundationICU"]),
        shim("AudioToolbox", ["HostLog"]),
        shim("UniformTypeIdentifiers"),
        shim("MobileCoreServices", ["FoundationCompatibility", "UniformTypeIdentifiers"]),
        shim("Intents", ["HostLog", "Locking", "UserNotifications"]),
        shim("Compression", ["HostLog"]),
        shim("CommonCryptoFunctions", [crypto, cryptoExtras]),
        shim("CoreLocation", ["Locking"]),
        shim("Contacts", ["CoreLocation"]),
        shim("Security", ["FoundationCompatibility", "Keychain", "NotificationPayload"]),
        shim(
            "UIKit",
            [
                "FoundationCompatibility", "HostLog", "LayoutSolver", "Locking", "NotificationPayload", "SceneModel",
                "TextLayout",
            ]
        ),
        shim("AVFoundation", ["HostLog", "Locking", "SceneModel", "UIKit"]),
        shim("AVKit", ["AVFoundation", "HostLog", "SceneModel", "UIKit"]),
        shim("CoreMotion"),
        shim("MapKit", ["Contacts", "CoreLocation", "FoundationCompatibility", "HostLog", "Locking", "UIKit"]),
        shim("WidgetKit", ["HostLog"]),
        shim("CryptoKit", [crypto]),
        // The host and its adapters: arrows point at HostRuntime.
        module("HostRuntime", ["Locking", "Metrics", "NotificationPayload", crypto, log]),
        // What this process may do once it runs; a target of its own, so that a small program can try it.
        module("HostConfinement", ["CLinux"], strict),
        adapter(
            "WorkerSupervisor",
            [
                "CLauncherProtocol", "CLinux", "CenterProtocol", "HostRuntime", "Keychain", "Locking",
                "NotificationPayload", "SceneModel", "WorkerProtocol", log,
            ],
            strict
        ),
        adapter("Ingress", host + ["HTTPServing", crypto, nioTLS, http2, hpack, ssl] + nio),
        // Bytes both ways between two channels, for the proxy of extensions and for that of gateways.
        module("SocketRelay", [nioCore]),
        adapter("NetworkProxy", ["HostRuntime", "Locking", "SocketRelay", log, nioTLS, ssl] + nio),
        adapter("GatewayTap", ["HostRuntime", "SocketRelay", log, nioCore, nioPosix]),
        adapter("KeychainStore", ["Keychain", "Locking", "NotificationPayload", crypto]),
        adapter("Sinks", host + ["CLinux", client, crypto, ssl] + nio),
        // A database file of ours and what is asked of it before SQLite writes to it: the host's and the centre's.
        module("DatabaseFile", [grdb, sqlite]),
        // What outlives the host: accepted pushes, records on their way, device tokens.
        adapter("Store", host + ["DatabaseFile", crypto, grdb, sqlite]),
        // The database that the hosts of a fleet share: PostgreSQL's client library, loaded when it is wanted.
        .target(name: "CPostgreSQL", cSettings: c),
        module("PostgreSQL", ["CPostgreSQL"], strict),
        adapter("Fleet", host + ["PostgreSQL", crypto]),
        adapter("CenterStore", ["DatabaseFile", "Locking", "NotificationPayload", crypto, grdb, sqlite]),
        // For scripts/bench, and here because they use what is package alone.
        probe(
            "center-bench",
            ["CenterProtocol", "CenterStore", "NotificationPayload", "PacketSockets", "UserNotificationCenter"],
            path: "Benchmarks/center/driver"
        ),
        probe("fleet-bench", ["DatabaseTesting", "Fleet", "Locking", "PostgreSQL"], path: "Benchmarks/fleet/driver"),
        probe("journal-bench", ["HostRuntime", "NotificationPayload", "Store"], path: "Benchmarks/journal/driver"),
        probe("layout-bench", ["LayoutSolver", "LayoutTrees"], path: "Benchmarks/layout/driver"),
        module("LayoutTrees", ["LayoutSolver"], path: "Tests/Support/LayoutTrees"),
        // What our servers take for a request of HTTP/1.1, certificates that are renewed, places of connections.
        module("HTTPServing", ["Locking", nioCore, nioHTTP1, ssl]),
        module("TerminationSignals", ["Locking"]),
        // The link to the notification centre: the host's end, and sockets of packets for both ends.
        module("PacketSockets", ["CLinux"], strict),
        adapter("CenterLink", host + ["CenterProtocol", "PacketSockets"]),
        // The centre: who hands over records, and who reads them.
        module(
            "CenterServing",
            [
                "CLinux", "CPage", "CenterProtocol", "CenterStore", "DatabaseFile", "HTTPServing", "Locking", "Metrics",
                "NotificationPayload", "PacketSockets", "SceneModel", "UserNotificationCenter", "UserNotifications",
                crypto, log,
            ] + nio
        ),
        program(
            "notification-center",
            [
                "CLinux", "CenterAsking", "CenterProtocol", "CenterServing", "CenterStore", "DatabaseFile",
                "HostConfinement", "HTTPServing", "Locking", "NotificationPayload", "PacketSockets",
                "TerminationSignals", "UserNotificationCenter", arguments, client, log, nioCore, nioHTTP1, nioPosix,
            ]
        ),
        // What asks a running centre over its API: for its commands, and for the desktop agent.
        module(
            "CenterAsking",
            ["CenterProtocol", "NotificationPayload", "UserNotificationCenter", client, nioCore, nioHTTP1]
        ),
        // The desktop agent: the session bus, the rules of popups without I/O, and the program between bus and centre.
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd", providers: [.apt(["libsystemd-dev"])]),
        module("DesktopBus", ["CSystemd", "Locking"]),
        module("DesktopPresenter", ["CenterProtocol", "NotificationPayload", "UserNotificationCenter"]),
        program(
            "notification-desktop",
            [
                "CLinux", "CenterAsking", "DesktopBus", "DesktopPresenter", "Locking", "NotificationPayload",
                "TerminationSignals", "UserNotificationCenter", arguments, nioHTTP1,
            ]
        ),
        // What the operator asks the running host.
        adapter("AdminPort", host + ["CLinux", "HTTPServing", crypto] + nio),
        // From sources to a bundle, and the readers of a bundle's files: no server and no database behind it.
        module("ExtensionBuild", ["CLinux", "HostRuntime", "NotificationPayload", arguments, crypto]),
        program(
            "ExtensionHost",
            [
                "AdminPort", "CLauncherProtocol", "CLinux", "CenterLink", "CenterProtocol", "ExtensionBuild",
                "Fleet", "GatewayTap", "HostConfinement", "HostRuntime", "Ingress", "KeychainStore", "Locking",
                "NetworkProxy", "NotificationPayload", "PacketSockets", "PostgreSQL", "SceneModel", "Sinks", "Store",
                "TerminationSignals", "WorkerFolders", "WorkerProtocol", "WorkerSupervisor", arguments, crypto, log,
                .product(name: "Yams", package: "Yams"),
            ]
        ),
        // Code of none: `swift build --target InstalledPrograms` builds what is installed in one call.
        module(
            "InstalledPrograms",
            [
                "ExtensionHost", "notification-center", "notification-desktop", "payload-opener", "seal-payload",
                "worker-launcher",
            ]
        ),
        // C: what Swift cannot call, and the one program that makes sandboxed processes.
        .target(name: "CLinux", cSettings: c),
        // The files of the centre's page, in the program itself.
        .target(name: "CPage", exclude: ["Files"], cSettings: c, linkerSettings: [.linkedLibrary("z")]),
        // For the opener alone: linked, it wipes what the process frees.
        .target(name: "CWipingHeap", cSettings: c),
        .target(name: "CLauncherProtocol", dependencies: ["CLinux"], cSettings: c),
        .executableTarget(
            name: "worker-launcher",
            dependencies: ["CLauncherProtocol", "CLinux"],
            cSettings: c,
            linkerSettings: [.linkedLibrary("seccomp")]
        ),
        // What must hold for every input: for the fuzzers of Fuzz/ and for tests, in no program that is installed.
        checks(
            "Center",
            [
                "CenterProtocol", "CenterServing", "CenterSteps", "CenterStore", "Locking", "NotificationPayload",
                "SceneModel", "UserNotificationCenter", "UserNotifications", log, nioCore, nioHTTP1,
            ]
        ),
        checks("E2ECrypto", ["CSodium", "E2ECrypto", "NotificationPayload"], strict),
        checks("Ingress", ["HostRuntime", "Ingress", "NotificationPayload", crypto]),
        checks("UserNotifications", ["NotificationPayload", "UserNotifications"]),
        // Programs that tests start and mistreat.
        probe("FetchingExtension", ["ExtensionWorker", "UserNotifications"]),
        probe("ReminderApp", ["NotificationApp", "UserNotifications"], path: "Examples/ReminderApp"),
        probe("MisbehavingExtension", ["ExtensionWorker", "Security", "UserNotifications"], exclude: ["Info.plist"]),
        probeInC("launcher-probe"),
        .target(name: "CHostileAttempts", path: "Tests/Support/CHostileAttempts", cSettings: c),
        probeInC("hostile-probe", ["CHostileAttempts", "CLinux"]),
        probeInC("filter-probe", ["CLinux"]), probeInC("poor-machine"), probe("confinement-probe", ["HostConfinement"]),
        probe("HostileExtension", ["CHostileAttempts", "CSodium", "ExtensionWorker", "UserNotifications"]),
        probe("journal-probe", ["HostRuntime", "NotificationPayload", "Store"]),
        probe("swift-probe"), probe("text-probe", ["TextLayout"]), probe("fleet-probe", host + ["Fleet"]),
        module("FleetHistory", path: "Tests/Support/FleetHistory"), probe("fleet-checker", ["FleetHistory"]),
        probe("FakeNotifications", ["DesktopBus", "Locking", "NotificationPayload"]),
        module("TestClock", ["Locking"], path: "Tests/Support/TestClock"),
        .target(name: "Interposed", path: "Tests/Support/Interposed", cSettings: c),
        module("Continuations", ["Interposed"], path: "Tests/Support/Continuations"),
        module("Sampling", ["Continuations"], path: "Tests/Support/Sampling"),
        module("DatabaseTesting", ["PostgreSQL"], path: "Tests/Support/DatabaseTesting"),
        // Projects of Xcode that tests write.
        module("ProjectFixtures", path: "Tests/Support/ProjectFixtures"),
        // The real programs, run as their users run them.
        module("HostTesting", ["NotificationPayload"], path: "Tests/Support/HostTesting"),
        // The library as another package sees it: examples of its articles, compiled and run.
        .target(
            name: "LibrarySnippets",
            dependencies: ["CryptoKit", "E2ECrypto", crypto],
            path: "Tests/LibraryTests/Snippets",
            packageAccess: false,
            swiftSettings: [.treatAllWarnings(as: .error)]
        ),
        tests("LibraryTests", ["E2ECrypto", "LibrarySnippets", "NotificationPayload", crypto], exclude: ["Snippets"]),
        tests("SealPayloadTests", ["seal-payload"], exclude: ["Scripts"]),
        tests(
            "UserNotificationsTests",
            [
                "CenterProtocol", "CoreLocation", "Locking", "NotificationPayload", "PacketSockets", "UIKit",
                "UserNotifications", "UserNotificationsChecks", "UserNotificationsUI", "_Testing_UIKit",
            ],
            exclude: ["Swift5Mode"]
        ),
        .testTarget(
            name: "UserNotificationsSwift5Tests",
            dependencies: ["NotificationPayload", "UserNotifications"],
            path: "Tests/UserNotificationsTests/Swift5Mode",
            swiftSettings: [.swiftLanguageMode(.v5), .treatAllWarnings(as: .error)]
        ),
        module("CenterSteps", ["CenterStore", "NotificationPayload"], path: "Tests/CenterStoreTests/Steps"),
        probe("center-probe", ["CenterSteps", "CenterStore", "DatabaseFile"], path: "Tests/CenterStoreTests/Probe"),
        tests(
            "CenterStoreTests",
            [
                "CenterChecks", "CenterSteps", "CenterStore", "DatabaseFile", "NotificationPayload", "Sampling",
                "center-probe", grdb,
            ],
            exclude: ["Probe", "Steps"]
        ),
        // Sources of extensions, as projects for phones have them: built and run by the real programs.
        tests(
            "CompatibilityTests",
            ["ExtensionHost", "HostTesting", "NotificationPayload", "Sampling", "worker-launcher"],
            exclude: ["Extensions", "Media", "Template"]
        ),
    ] + suites.map { tests($0, $1) },
    swiftLanguageModes: [.v6]
)
