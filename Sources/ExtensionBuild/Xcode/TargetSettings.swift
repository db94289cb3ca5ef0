// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The build settings of a target in one configuration, with all variables replaced.
struct TargetSettings {
    private let values: [String: String]
    /// The mistakes of configuration files, each with its place.
    let warnings: [String]

    /// The settings of a target.
    ///
    /// `configuration` is that of the name, or the one that the project takes by default, which is mostly `Release`.
    init(
        of target: ProjectObject,
        in project: ProjectFile,
        _ tree: ProjectTree,
        configuration: String?,
        overrides: [String: String]
    ) throws(CommandError) {
        let outer = try Self.configuration(of: project.root, named: configuration, what: project.path)
        let inner = try Self.configuration(of: target, named: outer.name, what: "the target \(target.name)")
        let conditions = SettingConditions(configuration: outer.name)
        var warnings: [String] = []
        var levels = [Self.ofXcode(target, project, configuration: outer.name)]
        for configuration in [outer, inner] {
            if let base = configuration.object("baseConfigurationReference"), let place = tree.place(of: base) {
                if FileManager.default.fileExists(atPath: place.path) {
                    let file = try ConfigurationFile(at: place)
                    warnings += file.warnings
                    levels.append(conditions.level(file.assignments))
                } else {
                    warnings.append(
                        "\(base.place): \"\(place.path)\" does not exist, and its settings are missing"
                            + (base.name.hasPrefix("Pods-") ? "; \"pod install\" makes it" : "")
                    )
                }
            }
            levels.append(conditions.level(Self.assignments(of: configuration)))
        }
        levels.append(overrides)
        values = try SettingLevels(levels).values()
        self.warnings = warnings
    }

    /// The value of a setting; `nil` for one that nobody has set, and for an empty one.
    subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// True for `YES` and for the other words that mean it.
    func isOn(_ name: String) -> Bool { ["YES", "TRUE", "1"].contains(values[name]?.uppercased()) }

    /// The words of a setting that is a list.
    func list(_ name: String) -> [String] { values[name].map(Self.words) ?? [] }

    /// All settings.
    var all: [String: String] { values }

    /// The settings whose names begin so, by the rest of their names.
    func all(prefixed prefix: String) -> [String: String] {
        var found: [String: String] = [:]
        for (name, value) in values where name.hasPrefix(prefix) { found[String(name.dropFirst(prefix.count))] = value }
        return found
    }

    private static func configuration(
        of object: ProjectObject,
        named name: String?,
        what: String
    ) throws(CommandError) -> ProjectObject {
        let list = object.object("buildConfigurationList")
        let all = list?.objects("buildConfigurations") ?? []
        let wanted = name ?? list?.text("defaultConfigurationName") ?? "Release"
        if let found = all.first(where: { $0.name == wanted }) ?? (name == nil ? all.last : nil) { return found }
        throw CommandError(
            "\(what) has no configuration \"\(wanted)\"",
            hint: all.isEmpty
                ? "open the project in Xcode and save it again"
                : "name one with --configuration: " + all.map(\.name).joined(separator: ", ")
        )
    }

    private static func assignments(of configuration: ProjectObject) -> [(name: String, value: String)] {
        configuration.dictionary("buildSettings").sorted { $0.key < $1.key }.compactMap { name, value in
            switch value {
            case let text as String: (name, text)
            case let list as [Any]:
                (name, list.compactMap { $0 as? String }.map(quoted).joined(separator: " "))
            default: nil
            }
        }
    }

    private static func quoted(_ word: String) -> String {
        word.contains(" ") && !word.contains("\"") ? "\"\(word)\"" : word
    }

    /// Words between blanks; what stands in quotes is one.
    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for sign in text {
            if sign == quote {
                quote = nil
            } else if quote == nil, sign == "\"" || sign == "'" {
                quote = sign
                word = word ?? ""
            } else if quote == nil, sign.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(sign)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// The settings that Xcode has for every target, as far as lists, plists and paths use them.
    private static func ofXcode(
        _ target: ProjectObject,
        _ project: ProjectFile,
        configuration: String
    ) -> [String: String] {
        let root = project.sourceRoot.path
        return [
            "TARGET_NAME": target.name, "TARGETNAME": target.name, "PROJECT_NAME": project.name,
            "PROJECT": project.name,
            "PRODUCT_NAME": "$(TARGET_NAME)", "PRODUCT_MODULE_NAME": "$(PRODUCT_NAME:c99extidentifier)",
            "SWIFT_MODULE_NAME": "$(PRODUCT_MODULE_NAME)", "EXECUTABLE_NAME": "$(PRODUCT_NAME)",
            "FULL_PRODUCT_NAME": "$(PRODUCT_NAME).appex", "WRAPPER_NAME": "$(PRODUCT_NAME).appex",
            "WRAPPER_EXTENSION": "appex", "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!",
            "PACKAGE_TYPE": "com.apple.package-type.wrapper.app-extension",
            "SRCROOT": root, "SOURCE_ROOT": root, "PROJECT_DIR": root, "PROJECT_FILE_PATH": project.path,
            "CONFIGURATION": configuration, "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1",
            "SDKROOT": "iphoneos", "PLATFORM_NAME": "iphoneos", "EFFECTIVE_PLATFORM_NAME": "-iphoneos",
            "ARCHS": "arm64",
            "AppIdentifierPrefix": "$(DEVELOPMENT_TEAM).", "TeamIdentifierPrefix": "$(DEVELOPMENT_TEAM).",
            "CURRENT_ARCH": "arm64", "SUPPORTED_PLATFORMS": "iphoneos iphonesimulator", "ENABLE_BITCODE": "NO",
            "DEVELOPMENT_LANGUAGE": project.root.text("developmentRegion") ?? "en",
        ]
    }
}
