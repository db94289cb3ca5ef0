// SPDX-License-Identifier: Apache-2.0

/// The language mode and the arguments for Swift's compiler that a target's settings ask for.
struct TargetCompilation {
    /// Swift's language mode: 4, 4.2, 5 or 6.
    let languageMode: String
    private(set) var arguments: [String] = []
    /// The settings that mean nothing here, each with its place.
    private(set) var warnings: [String] = []

    init(_ target: ExtensionTarget) {
        let settings = target.settings
        let version = settings["SWIFT_VERSION"] ?? "5.0"
        languageMode = Self.languageMode(version) ?? "4"
        if Self.languageMode(version) == nil {
            warnings.append(
                "\(target.target.place): \(target.name) is in Swift \(version), which no compiler reads any more, and is built "
                    + "as Swift 4; set SWIFT_VERSION to 5.0 in Xcode, or say --setting SWIFT_VERSION=5"
            )
        }
        arguments = settings.list("SWIFT_ACTIVE_COMPILATION_CONDITIONS").filter(ModuleSources.isName).map { "-D\($0)" }
        let features = settings.all(prefixed: "SWIFT_UPCOMING_FEATURE_").filter { $0.value.uppercased() == "YES" }.keys
            .map(Self.camelCase)
        enable(features + (settings.isOn("SWIFT_APPROACHABLE_CONCURRENCY") ? Self.approachable : []))
        if settings["SWIFT_DEFAULT_ACTOR_ISOLATION"] == "MainActor" {
            arguments += ["-default-isolation", "MainActor"]
        }
        if let strictness = settings["SWIFT_STRICT_CONCURRENCY"],
            ["minimal", "targeted", "complete"].contains(strictness)
        {
            arguments.append("-strict-concurrency=\(strictness)")
        }
        for flag in takeFlags(settings.list("OTHER_SWIFT_FLAGS")) {
            warnings.append("\(target.target.place): \"\(flag)\" in OTHER_SWIFT_FLAGS of \(target.name) is left out")
        }
    }

    /// Adds upcoming features, but for those that the language mode has anyway: the compiler would warn of them.
    private mutating func enable(_ features: [String]) {
        let usual = languageMode == "6" ? Self.ofSwift6 : []
        for feature in Set(features).subtracting(usual).sorted() { arguments += ["-enable-upcoming-feature", feature] }
    }

    /// The upcoming features that Swift 6 has anyway.
    private static let ofSwift6: Set<String> = [
        "BareSlashRegexLiterals", "ConciseMagicFile", "DeprecateApplicationMain", "DisableOutwardActorInference",
        "DynamicActorIsolation", "ForwardTrailingClosures", "GlobalActorIsolatedTypesUsability", "GlobalConcurrency",
        "ImplicitOpenExistentials", "ImportObjcForwardDeclarations", "InferSendableFromCaptures",
        "IsolatedDefaultValues", "NonfrozenEnumExhaustivity", "RegionBasedIsolation", "StrictConcurrency",
    ]

    /// The features that SWIFT_APPROACHABLE_CONCURRENCY stands for.
    ///
    /// Source: Apple, "Build settings reference".
    private static let approachable = [
        "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferIsolatedConformances",
        "InferSendableFromCaptures", "NonisolatedNonsendingByDefault",
    ]

    /// The mode for a version; `nil` for one that no compiler reads any more.
    private static func languageMode(_ version: String) -> String? {
        switch Double(version.split(separator: ".").prefix(2).joined(separator: ".")) ?? 0 {
        case 6...: "6"
        case 5..<6: "5"
        case 4.2..<5: "4.2"
        case 4..<4.2: "4"
        default: nil
        }
    }

    /// Takes the flags that decide what is compiled, and returns the others.
    private mutating func takeFlags(_ flags: [String]) -> [String] {
        var passedOver: [String] = []
        var rest = flags[...]
        while let flag = rest.popFirst() {
            switch flag {
            case "-D": if let name = rest.popFirst(), ModuleSources.isName(name) { arguments.append("-D\(name)") }
            case "-enable-upcoming-feature", "-enable-experimental-feature":
                if let name = rest.popFirst(), ModuleSources.isName(name) { arguments += [flag, name] }
            case "-Xfrontend", "-Xcc", "-Xlinker", "-Xllvm":
                passedOver.append([flag, rest.popFirst()].compactMap(\.self).joined(separator: " "))
            default:
                if flag.hasPrefix("-D"), ModuleSources.isName(String(flag.dropFirst(2))) {
                    arguments.append(flag)
                } else {
                    passedOver.append(flag)
                }
            }
        }
        return passedOver
    }

    /// Returns a feature's name of the setting that turns it on: MEMBER_IMPORT_VISIBILITY gives MemberImportVisibility.
    private static func camelCase(_ name: String) -> String {
        name.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst().lowercased() }.joined()
    }
}
