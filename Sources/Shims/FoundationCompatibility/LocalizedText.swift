// SPDX-License-Identifier: Apache-2.0

public import Foundation

extension String {
    /// A key of the strings table with the values that stand in its text.
    ///
    /// `"\(count) files from \(name)"` is the key `%lld files from %@`, as on Apple's platforms.
    public struct LocalizationValue: ExpressibleByStringInterpolation, Equatable, Sendable {
        let key: String
        let arguments: [String]

        /// A key without values, which may come from anywhere.
        public init(_ value: String) {
            key = value
            arguments = []
        }

        /// A key without values.
        public init(stringLiteral value: String) {
            self.init(value)
        }

        /// A key with values.
        public init(stringInterpolation: StringInterpolation) {
            key = stringInterpolation.key
            arguments = stringInterpolation.arguments
        }

        /// The key and the values, put together.
        public struct StringInterpolation: StringInterpolationProtocol {
            private(set) var key = ""
            private(set) var arguments: [String] = []

            /// An empty key.
            public init(literalCapacity: Int, interpolationCount: Int) {}

            /// Adds text of the key.
            public mutating func appendLiteral(_ literal: String) {
                key += literal.replacingOccurrences(of: "%", with: "%%")
            }

            private mutating func append(_ argument: String, _ conversion: String) {
                key += conversion
                arguments.append(argument)
            }

            /// Adds text, `%@` in the key.
            public mutating func appendInterpolation(_ string: String) { append(string, "%@") }

            /// Adds an integer: `%lld` in the key, `%d` and the like for types of other sizes.
            public mutating func appendInterpolation<Number: FixedWidthInteger>(_ number: Number) {
                let size = Number.bitWidth == 64 ? "ll" : ""
                append(number.description, "%\(size)\(Number.isSigned ? "d" : "u")")
            }

            /// Adds a `Double`, `%lf` in the key.
            public mutating func appendInterpolation(_ number: Double) {
                append(Swift.String(format: "%f", number), "%lf")
            }

            /// Adds a `Float`, `%f` in the key.
            public mutating func appendInterpolation(_ number: Float) {
                append(Swift.String(format: "%f", number), "%f")
            }

            /// Adds the description of a value, `%@` in the key.
            public mutating func appendInterpolation<Value: CustomStringConvertible>(_ value: Value) {
                append(value.description, "%@")
            }
        }

        /// The text of a table with the values in it: `%@`, `%1$@` and the conversions of numbers take a value each.
        func text(in format: String) -> String {
            guard !arguments.isEmpty else { return key == format ? format : format }
            var text = ""
            var rest = Substring(format)
            var next = 0
            while let percent = rest.firstIndex(of: "%") {
                text += rest[..<percent]
                rest = rest[rest.index(after: percent)...]
                if rest.first == "%" {
                    text += "%"
                    rest.removeFirst()
                    continue
                }
                guard let (place, length) = Self.conversion(at: rest) else {
                    text += "%"
                    continue
                }
                rest = rest.dropFirst(length)
                let index = place.map { $0 - 1 } ?? next
                next = index + 1
                if arguments.indices.contains(index) { text += arguments[index] }
            }
            return text + rest
        }

        /// The explicit place of the value, from 1, and how many characters the conversion has.
        private static func conversion(at text: Substring) -> (place: Int?, length: Int)? {
            var rest = text
            var place: Int?
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits), number > 0, rest.dropFirst(digits.count).first == "$" {
                place = number
                rest = rest.dropFirst(digits.count + 1)
            }
            rest = rest.drop { "lhqz".contains($0) }
            guard let letter = rest.first, "@dDiuUxXoOfFeEgGs".contains(letter) else { return nil }
            return (place, text.count - rest.count + 1)
        }
    }

    /// The text of a key in the bundle's strings table, with its values in it; the key itself where there is none.
    ///
    /// Apple formats the values by the locale and chooses plural forms. Here a value stands as Swift writes it. The
    /// language is that of whom a view is shown to, and in a service extension the one that `extension-host build`
    /// chose.
    public init(
        localized keyAndValue: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self.init(localizedKey: keyAndValue.key, otherwise: keyAndValue, table, bundle)
    }

    /// The text of a key in the bundle's strings table; the default value where there is none.
    public init(
        localized key: StaticString,
        defaultValue: LocalizationValue,
        table: String? = nil,
        bundle: Bundle? = nil,
        locale: Locale? = nil,
        comment: StaticString? = nil
    ) {
        self.init(localizedKey: key.description, otherwise: defaultValue, table, bundle)
    }

    private init(localizedKey key: String, otherwise value: LocalizationValue, _ table: String?, _ bundle: Bundle?) {
        let fallback = value.key
        let format = PersonLanguage.text(key, value: fallback, table: table, in: bundle ?? .main)
        self = value.text(in: format)
    }
}
