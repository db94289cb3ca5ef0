// SPDX-License-Identifier: Apache-2.0

/// The values of `$(NAME)` in an Info.plist or entitlements file, as Xcode expands them.
///
/// `${NAME}` is the same; `:rfc1034identifier`, `:c99extidentifier` and `:default=TEXT` may follow the name.
/// Source: Apple, "Build settings reference".
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

    /// A name that Swift takes for a module.
    static func c99Identifier(_ text: String) -> String {
        let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
        return name.first?.isNumber == true ? "_" + name : name
    }

    private static func rfc1034Identifier(_ text: String) -> String {
        String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "-" })
    }

    /// The text with its variables replaced; throws the name of the first that has no value.
    func expand(_ text: String) throws(UnknownSetting) -> String {
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += String(rest[..<dollar])
            let body = rest[rest.index(after: dollar)...]
            guard let open = body.first, let closing: Character = open == "(" ? ")" : open == "{" ? "}" : nil,
                let end = body.firstIndex(of: closing)
            else {
                result.append("$")
                rest = body
                continue
            }
            result += try value(of: body.dropFirst().prefix(upTo: end))
            rest = body[body.index(after: end)...]
        }
        return result + String(rest)
    }

    private func value(of variable: Substring) throws(UnknownSetting) -> String {
        let parts = variable.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts[0])
        var value = values[name]
        for operation in parts.dropFirst() {
            switch operation {
            case "rfc1034identifier": value = value.map(Self.rfc1034Identifier)
            case "c99extidentifier", "identifier": value = value.map(Self.c99Identifier)
            case "lower": value = value?.lowercased()
            case "upper": value = value?.uppercased()
            default:
                guard operation.hasPrefix("default=") else { throw UnknownSetting(name: String(variable)) }
                if value == nil || value == "" { value = String(operation.dropFirst("default=".count)) }
            }
        }
        guard let value else { throw UnknownSetting(name: name) }
        return value
    }
}

/// A variable, or an operation on it, that nobody gave a value.
struct UnknownSetting: Error, Equatable {
    let name: String
}
