// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A storyboard's texts: attributes, or elements where a text has more than one line.
enum TextValue {
    /// The text of an element's attribute, or of the element `<string>` with that key; nil without either.
    static func plain(_ element: InterfaceElement, key: String, _ script: InterfaceScript) -> String? {
        if let text = element[key] { return text }
        let child = element.child("string", key: key) ?? element.child("mutableString", key: key)
        return child.map { content($0, script) }
    }

    /// The text inside `<string>`, which may be encoded.
    static func content(_ string: InterfaceElement, _ script: InterfaceScript) -> String {
        _ = string.key
        guard string["base64-UTF8"] == "YES" else { return string.text }
        // Xcode leaves the padding out.
        let digits = string.text.filter { !$0.isWhitespace && $0 != "=" }
        let padded = digits + String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: padded), let text = String(validating: data, as: UTF8.self) else {
            script.warn(string, "the text is no base64 of UTF-8")
            return ""
        }
        return text
    }

    /// An expression for a text that may be in other languages: a look-up by the object's id where there is a table.
    static func swift(_ text: String, of element: InterfaceElement, entry: String, _ script: InterfaceScript) -> String
    {
        let literal = SwiftText.literal(text)
        guard let table = script.options.localizedTable, let id = element.id else { return literal }
        return "\(InterfaceLanguages.typeName).text(\(SwiftText.literal("\(id).\(entry)")), "
            + "table: \(SwiftText.literal(table)), value: \(literal))"
    }
}
