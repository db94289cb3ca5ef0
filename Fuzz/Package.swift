// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// libFuzzer brings its own main.
let settings: [SwiftSetting] = [.unsafeFlags(["-parse-as-library"])]

/// A fuzzer over the checks of one module.
func fuzzer(_ name: String, _ checks: String) -> Target {
    .executableTarget(
        name: name,
        dependencies: [.product(name: checks, package: "nestbox")],
        swiftSettings: settings
    )
}

let package = Package(
    name: "nestbox-fuzz",
    dependencies: [.package(name: "nestbox", path: "..")],
    targets: [
        fuzzer("fuzz-attachment", "E2ECryptoChecks"),
        fuzzer("fuzz-open", "E2ECryptoChecks"),
        fuzzer("fuzz-envelope", "E2ECryptoChecks"),
        fuzzer("fuzz-content", "E2ECryptoChecks"),
        fuzzer("fuzz-key-file", "E2ECryptoChecks"),
        fuzzer("fuzz-provider-token", "IngressChecks"),
        fuzzer("fuzz-push-line", "IngressChecks"),
        fuzzer("fuzz-request-head", "IngressChecks"),
        fuzzer("fuzz-web-push", "IngressChecks"),
        fuzzer("fuzz-payload", "UserNotificationsChecks"),
        fuzzer("fuzz-calendar", "CenterChecks"),
        fuzzer("fuzz-app-socket", "CenterChecks"),
        fuzzer("fuzz-call", "CenterChecks"),
        fuzzer("fuzz-center-link", "CenterChecks"),
        fuzzer("fuzz-gpsd", "CenterChecks"),
        fuzzer("fuzz-range", "CenterChecks"),
        fuzzer("fuzz-categories", "CenterChecks"),
        fuzzer("fuzz-summary", "CenterChecks"),
        fuzzer("fuzz-center-store", "CenterChecks"),
        fuzzer("fuzz-stored-content", "CenterChecks"),
        fuzzer("fuzz-api", "CenterChecks"),
        fuzzer("fuzz-api-request", "CenterChecks"),
        fuzzer("fuzz-scene", "CenterChecks"),
        fuzzer("fuzz-settings", "CenterChecks"),
    ],
    swiftLanguageModes: [.v6]
)
