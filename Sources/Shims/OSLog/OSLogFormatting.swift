// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The number of columns that an interpolated value takes, and the side on which it stands.
public struct OSLogStringAlignment: Sendable {
    private enum Side: Sendable {
        case none, left, right
    }

    private let side: Side
    private let columnCount: Int

    /// Takes as many columns as the value has characters.
    public static var none: OSLogStringAlignment { OSLogStringAlignment(side: .none, columnCount: 0) }

    /// At least so many columns, the value first.
    public static func left(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .left, columnCount: columns())
    }

    /// At least so many columns, the value last.
    public static func right(columns: @autoclosure () -> Int) -> OSLogStringAlignment {
        OSLogStringAlignment(side: .right, columnCount: columns())
    }

    func apply(to text: String) -> String {
        // A message is cut long before this many characters.
        let missing = min(columnCount, 1024) - text.count
        guard side != .none, missing > 0 else { return text }
        let space = String(repeating: " ", count: missing)
        return side == .left ? text + space : space + text
    }
}

/// The notation of an interpolated integer.
public struct OSLogIntegerFormatting: Sendable {
    let radix: Int
    let explicitPositiveSign: Bool
    let includePrefix: Bool
    let uppercase: Bool
    let minDigits: Int

    private init(radix: Int, sign: Bool = false, prefix: Bool = false, uppercase: Bool = false, minDigits: Int = 0) {
        self.radix = radix
        explicitPositiveSign = sign
        includePrefix = prefix
        self.uppercase = uppercase
        self.minDigits = min(max(0, minDigits), 1024)
    }

    /// Decimal digits.
    public static var decimal: OSLogIntegerFormatting { .init(radix: 10) }
    /// Hexadecimal digits, negative numbers in two's complement.
    public static var hex: OSLogIntegerFormatting { .init(radix: 16) }
    /// Octal digits, negative numbers in two's complement.
    public static var octal: OSLogIntegerFormatting { .init(radix: 8) }

    /// Decimal digits, with `+` for positive numbers, and zeros in front up to `minDigits`.
    public static func decimal(explicitPositiveSign: Bool = false, minDigits: Int = 0) -> OSLogIntegerFormatting {
        .init(radix: 10, sign: explicitPositiveSign, minDigits: minDigits)
    }

    /// Hexadecimal digits, with `0x` before them where asked for, and zeros in front up to `minDigits`.
    public static func hex(
        explicitPositiveSign: Bool = false,
        includePrefix: Bool = false,
        uppercase: Bool = false,
        minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 16,
            sign: explicitPositiveSign,
            prefix: includePrefix,
            uppercase: uppercase,
            minDigits: minDigits
        )
    }

    /// Octal digits, with `0` before them where asked for, and zeros in front up to `minDigits`.
    public static func octal(
        explicitPositiveSign: Bool = false,
        includePrefix: Bool = false,
        uppercase: Bool = false,
        minDigits: Int = 0
    ) -> OSLogIntegerFormatting {
        .init(
            radix: 8,
            sign: explicitPositiveSign,
            prefix: includePrefix,
            uppercase: uppercase,
            minDigits: minDigits
        )
    }

    func text<Number: FixedWidthInteger>(_ number: Number) -> String {
        let isNegative = radix == 10 && number < 0
        var digits: String
        if radix == 10 {
            digits = String(number.magnitude)
        } else {
            let all = UInt64(truncatingIfNeeded: number)
            let mask = Number.bitWidth < 64 ? (UInt64(1) << UInt64(Number.bitWidth)) - 1 : UInt64.max
            digits = String(all & mask, radix: radix, uppercase: uppercase)
        }
        digits = String(repeating: "0", count: max(0, minDigits - digits.count)) + digits
        if includePrefix { digits = (radix == 16 ? (uppercase ? "0X" : "0x") : "0") + digits }
        if isNegative { return "-" + digits }
        return explicitPositiveSign ? "+" + digits : digits
    }
}

/// The notation of an interpolated floating-point number.
public struct OSLogFloatFormatting: Sendable {
    private let conversion: Character
    private let precision: Int?
    private let explicitPositiveSign: Bool

    private init(_ conversion: Character, uppercase: Bool = false, precision: Int? = nil, sign: Bool = false) {
        self.conversion = uppercase ? Character(conversion.uppercased()) : conversion
        self.precision = precision.map { min(max(0, $0), 1024) }
        explicitPositiveSign = sign
    }

    /// Digits, a point, six digits.
    public static var fixed: OSLogFloatFormatting { .init("f") }
    /// Hexadecimal digits with an exponent of two.
    public static var hex: OSLogFloatFormatting { .init("a") }
    /// One digit, a point, six digits, an exponent of ten.
    public static var exponential: OSLogFloatFormatting { .init("e") }
    /// Fixed or exponential, whichever is shorter.
    public static var hybrid: OSLogFloatFormatting { .init("g") }

    /// Digits, a point, `precision` digits.
    public static func fixed(
        precision: @autoclosure () -> Int,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("f", uppercase: uppercase, precision: precision(), sign: explicitPositiveSign)
    }

    /// Digits, a point, six digits.
    public static func fixed(
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("f", uppercase: uppercase, sign: explicitPositiveSign)
    }

    /// Hexadecimal digits with an exponent of two.
    public static func hex(explicitPositiveSign: Bool = false, uppercase: Bool = false) -> OSLogFloatFormatting {
        .init("a", uppercase: uppercase, sign: explicitPositiveSign)
    }

    /// One digit, a point, `precision` digits, an exponent of ten.
    public static func exponential(
        precision: @autoclosure () -> Int,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("e", uppercase: uppercase, precision: precision(), sign: explicitPositiveSign)
    }

    /// One digit, a point, six digits, an exponent of ten.
    public static func exponential(
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("e", uppercase: uppercase, sign: explicitPositiveSign)
    }

    /// Fixed or exponential with `precision` digits in all, whichever is shorter.
    public static func hybrid(
        precision: @autoclosure () -> Int,
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("g", uppercase: uppercase, precision: precision(), sign: explicitPositiveSign)
    }

    /// Fixed or exponential, whichever is shorter.
    public static func hybrid(
        explicitPositiveSign: Bool = false,
        uppercase: Bool = false
    ) -> OSLogFloatFormatting {
        .init("g", uppercase: uppercase, sign: explicitPositiveSign)
    }

    func text(_ number: Double) -> String {
        let sign = explicitPositiveSign ? "+" : ""
        let digits = precision.map { ".\($0)" } ?? ""
        return String(format: "%\(sign)\(digits)\(conversion)", number)
    }
}

/// The words for an interpolated boolean.
public enum OSLogBoolFormat: Sendable {
    /// `true` or `false`.
    case truth
    /// `yes` or `no`.
    case answer
}

/// The meaning of an interpolated `Int32`.
public enum OSLogInt32ExtendedFormat: Sendable {
    /// A value of `errno`: its number and its text.
    case darwinErrno
    /// The number of a signal and its name.
    case darwinSignal
}

/// The meaning of an interpolated `Int`.
public enum OSLogIntExtendedFormat: Sendable {
    /// A number of bytes, in the unit that suits it; each unit is 1,000 of the next smaller one.
    case byteCount
    /// Seconds since 1970, as date and time in UTC.
    case secondsSince1970
}
