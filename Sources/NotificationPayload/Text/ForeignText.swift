// SPDX-License-Identifier: Apache-2.0

/// Text of senders, apps and other programs, as a terminal may get it.
package enum ForeignText {
    /// The text with everything that could move, colour or hide what a terminal shows spelt out as `\u{…}`: senders
    /// and apps choose what a notification says.
    package static func visible(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                text += "\\u{" + String(scalar.value, radix: 16) + "}"
            default:
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
