// SPDX-License-Identifier: Apache-2.0

/// The values of `$(NAME)` in an Info.plist or entitlements file.
struct BuildSettings {
    private(set) var values: [String: String]

    /// Derives the values from the product, and puts the person's `overrides` over them.
    init(product: String, module: String, identifier: String?, language: String, overrides: [String: String]) {
        values = [
            "PRODUCT_NAME": product, "TARGET_NAME": product, "EXECUTABLE_NAME": product,
            "PRODUCT_MODULE_NAME": module, "DEVELOPMENT_LANGUAGE": language,
            "MARKETING_VERSION": "1.0", "CURRENT_PROJECT_VERSION": "1", "PRODUCT_BUNDLE_PACKAGE_TYPE": "XPC!",
            "SWIFT_MODULE_NAME": module,
        ]
        values["PRODUCT_BUNDLE_IDENTIFIER"] = identifier
        values.merge(overrides) { $1 }
    }

    /// The settings of a target of a project of Xcode.
    init(_ values: [String: String]) {
        self.values = values
    }

    /// A name that Swift takes for a module.
    static func c99Identifier(_ text: String) -> String { SettingText.c99Identifier(text) }

    /// The text with its variables replaced; throws the name of the first that has no value.
    func expand(_ text: String) throws(UnknownSetting) -> String {
        try expand(text) { variable throws(UnknownSetting) in throw UnknownSetting(name: variable) }
    }

    /// The text with its variables replaced, and those without a value by what `missing` returns for them.
    func expand<Failure: Error>(
        _ text: String,
        missing: (String) throws(Failure) -> String
    ) throws(Failure) -> String {
        try SettingText.expand(text, value: { name throws(Failure) in values[name] }, missing: missing)
    }
}

/// A variable, or an operation on it, that nobody gave a value.
struct UnknownSetting: Error, Equatable {
    let name: String
}
