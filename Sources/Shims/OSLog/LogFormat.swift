// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of an `os_log` format.
enum LogFormat {
    static func text(_ format: String, _ arguments: [any CVarArg]) -> String {
        var text = ""
        var rest = Substring(format)
        var remaining = arguments[...]
        while let percent = rest.firstIndex(of: "%") {
            text += rest[..<percent]
            rest = rest[rest.index(after: percent)...]
            guard let conversion = Conversion(readingFrom: &rest) else {
                text += "%"
                continue
            }
            text += conversion.text(takingFrom: &remaining)
        }
        return text + rest
    }
}

/// One conversion of a format, from behind its percent sign.
private struct Conversion {
    /// The words in braces: `public`, `private`, `errno` and so on.
    private let words: [Substring]
    private let flags: Substring
    private let width: Substring
    private let precision: Substring?
    private let letter: Character

    /// Reads one conversion; returns `nil`, and consumes nothing, when the text does not begin with one.
    init?(readingFrom text: inout Substring) {
        var rest = text
        var words: [Substring] = []
        if rest.first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return nil }
            words = rest[rest.index(after: rest.startIndex)..<end].split { $0 == "," || $0 == " " }
            rest = rest[rest.index(after: end)...]
        }
        let flags = rest.prefix { "-+ #0'".contains($0) }
        rest = rest[flags.endIndex...]
        let width = rest.prefix { $0 == "*" || $0.isASCII && $0.isNumber }
        rest = rest[width.endIndex...]
        var precision: Substring?
        if rest.first == "." {
            rest.removeFirst()
            let digits = rest.prefix { $0 == "*" || $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            precision = digits
        }
        rest = rest.drop { "hlqLzjt".contains($0) }
        guard let letter = rest.popFirst() else { return nil }
        (self.words, self.flags, self.width, self.precision, self.letter) = (words, flags, width, precision, letter)
        text = rest
    }

    func text(takingFrom arguments: inout ArraySlice<any CVarArg>) -> String {
        if letter == "%" { return "%" }
        if letter == "m" { return OSLogInt32ExtendedFormat.darwinErrno.text(errno) }
        let width = Self.count(width, takingFrom: &arguments)
        let precision = precision.map { Self.count($0, takingFrom: &arguments) ?? 0 }
        guard let argument = arguments.popFirst() else { return "<decode: missing data>" }
        return privacy.apply(to: shown(argument, width: width, precision: precision), isScalar: isScalar)
    }

    /// A number in the format, or the next argument for `*`.
    private static func count(_ digits: Substring, takingFrom arguments: inout ArraySlice<any CVarArg>) -> Int? {
        let count = digits == "*" ? (arguments.popFirst() as? any BinaryInteger).map { Int(clamping: $0) } : Int(digits)
        return count.map { min(max(0, $0), 1024) }
    }

    private var isScalar: Bool { !"@sS".contains(letter) }

    private var privacy: OSLogPrivacy {
        let mask: OSLogPrivacy.Mask = words.contains("mask.hash") ? .hash : .none
        if words.contains("sensitive") { return .sensitive(mask: mask) }
        if words.contains("private") { return .private(mask: mask) }
        if words.contains("public") { return .public }
        return .auto(mask: mask)
    }

    private func shown(_ argument: any CVarArg, width: Int?, precision: Int?) -> String {
        let directive = "%\(flags)\(width.map(String.init) ?? "")\(precision.map { ".\($0)" } ?? "")"
        switch letter {
        case "@":
            return Self.description(of: argument)
        case "s", "S":
            guard let text = Self.text(of: argument) else { return mismatch }
            return Self.padded(precision.map { String(text.prefix($0)) } ?? text, width, flags)
        case "d", "i", "D", "u", "U", "x", "X", "o", "O":
            guard let number = Self.integer(argument) else { return mismatch }
            return named(number) ?? number.text(directive, letter)
        case "c", "C":
            guard let number = Self.integer(argument),
                let scalar = Unicode.Scalar(UInt32(truncatingIfNeeded: number.bits))
            else { return mismatch }
            return Self.padded(String(Character(scalar)), width, flags)
        case "f", "F", "e", "E", "g", "G", "a", "A":
            guard let number = Self.floating(argument) else { return mismatch }
            return String(format: "\(directive)\(letter)", number)
        case "p":
            guard let number = Self.address(argument) else { return mismatch }
            return "0x" + String(number, radix: 16)
        default:
            return mismatch
        }
    }

    private var mismatch: String { "<decode: mismatch for [%\(letter)]>" }

    /// A number whose meaning the braces tell.
    private func named(_ number: Integer) -> String? {
        if words.contains("bool") { return number.bits != 0 ? "true" : "false" }
        if words.contains("BOOL") { return number.bits != 0 ? "YES" : "NO" }
        if words.contains("errno") || words.contains("darwin.errno") {
            return OSLogInt32ExtendedFormat.darwinErrno.text(Int32(truncatingIfNeeded: number.bits))
        }
        if words.contains("darwin.signal") || words.contains("signal") {
            return OSLogInt32ExtendedFormat.darwinSignal.text(Int32(truncatingIfNeeded: number.bits))
        }
        return nil
    }

    // MARK: Arguments

    /// An integer of any type.
    struct Integer {
        let bits: UInt64
        let bitWidth: Int
        let isSigned: Bool

        init<Number: FixedWidthInteger>(_ number: Number) {
            bits = UInt64(truncatingIfNeeded: number)
            bitWidth = Number.bitWidth
            isSigned = Number.isSigned
        }

        func text(_ directive: String, _ letter: Character) -> String {
            if "diD".contains(letter) { return String(format: "\(directive)lld", Int64(bitPattern: bits)) }
            let mask = bitWidth < 64 ? (UInt64(1) << UInt64(bitWidth)) - 1 : UInt64.max
            return String(
                format: "\(directive)ll\(letter.lowercased() == "x" ? String(letter) : letter.lowercased())",
                bits & mask
            )
        }
    }

    private static func integer(_ argument: any CVarArg) -> Integer? {
        (argument as? any FixedWidthInteger).map { Integer($0) }
    }

    private static func floating(_ argument: any CVarArg) -> Double? {
        switch argument {
        case let number as Double: number
        case let number as Float: Double(number)
        case let number as CGFloat: Double(number)
        default: nil
        }
    }

    private static func address(_ argument: any CVarArg) -> UInt? {
        if let pointer = unsafe argument as? UnsafePointer<CChar> { return UInt(bitPattern: pointer) }
        if let pointer = unsafe argument as? UnsafeMutablePointer<CChar> { return UInt(bitPattern: pointer) }
        if let pointer = unsafe argument as? OpaquePointer { return UInt(bitPattern: pointer) }
        return nil
    }

    /// The text of a C string; Swift's own, which Apple's compiler refuses here, is as good.
    private static func text(of argument: any CVarArg) -> String? {
        if let pointer = unsafe argument as? UnsafePointer<CChar> { return unsafe String(cString: pointer) }
        if let pointer = unsafe argument as? UnsafeMutablePointer<CChar> { return unsafe String(cString: pointer) }
        return (argument as? String) ?? (argument as? NSString).map { $0 as String }
    }

    private static func description(of argument: any CVarArg) -> String {
        (argument as? NSObject)?.description ?? String(describing: argument)
    }

    private static func padded(_ text: String, _ width: Int?, _ flags: Substring) -> String {
        let alignment: OSLogStringAlignment =
            flags.contains("-") ? .left(columns: width ?? 0) : .right(columns: width ?? 0)
        return alignment.apply(to: text)
    }
}
