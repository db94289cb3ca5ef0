// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The message of a log call, with what is private in it already replaced.
///
/// A message is made from a string literal alone, as on Apple's platforms: `logger.info("\(count) files")`.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    /// The message so far.
    public typealias StringInterpolation = OSLogInterpolation

    let text: String

    /// A message with values.
    public init(stringInterpolation: OSLogInterpolation) {
        text = stringInterpolation.text
    }

    /// A message without values.
    public init(stringLiteral value: String) {
        text = value
    }
}

/// The literals and values of a log message, put together.
///
/// Numbers and booleans appear, text and objects only with `privacy: .public`. Apple evaluates a value when the log is
/// read or never, here it is evaluated at once, unless it is private.
public struct OSLogInterpolation: StringInterpolationProtocol {
    private(set) var text = ""

    /// An empty message.
    public init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity + 16 * interpolationCount)
    }

    /// Adds text of the source, which is public.
    public mutating func appendLiteral(_ literal: String) {
        text += literal
    }

    private mutating func append(
        _ value: @autoclosure () -> String,
        isScalar: Bool,
        align: OSLogStringAlignment,
        privacy: OSLogPrivacy
    ) {
        text += align.apply(to: privacy.apply(to: value(), isScalar: isScalar))
    }

    // MARK: Scalars, public unless said otherwise

    /// Adds an integer.
    public mutating func appendInterpolation<Number: FixedWidthInteger>(
        _ number: @autoclosure () -> Number,
        format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(number()), isScalar: true, align: align, privacy: privacy)
    }

    /// Adds a `Double`.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Double,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(number()), isScalar: true, align: align, privacy: privacy)
    }

    /// Adds a `Float`.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Float,
        format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(Double(number())), isScalar: true, align: align, privacy: privacy)
    }

    /// Adds a boolean.
    public mutating func appendInterpolation(
        _ boolean: @autoclosure () -> Bool,
        format: OSLogBoolFormat = .truth,
        privacy: OSLogPrivacy = .auto
    ) {
        let isTrue = boolean()
        let word =
            switch format {
            case .truth: isTrue ? "true" : "false"
            case .answer: isTrue ? "yes" : "no"
            }
        append(word, isScalar: true, align: .none, privacy: privacy)
    }

    /// Adds an error number or a signal, with its name.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int32,
        format: OSLogInt32ExtendedFormat,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(number()), isScalar: true, align: .none, privacy: privacy)
    }

    /// Adds a number of bytes or a time.
    public mutating func appendInterpolation(
        _ number: @autoclosure () -> Int,
        format: OSLogIntExtendedFormat,
        privacy: OSLogPrivacy = .auto
    ) {
        append(format.text(number()), isScalar: true, align: .none, privacy: privacy)
    }

    /// Adds an address.
    public mutating func appendInterpolation(
        _ pointer: @autoclosure () -> UnsafeRawPointer?,
        privacy: OSLogPrivacy = .auto
    ) {
        let address = UInt(bitPattern: pointer())
        append("0x" + String(address, radix: 16), isScalar: true, align: .none, privacy: privacy)
    }

    // MARK: Text and objects, private unless said otherwise

    /// Adds text.
    public mutating func appendInterpolation(
        _ string: @autoclosure () -> String,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(string(), isScalar: false, align: align, privacy: privacy)
    }

    /// Adds the description of a value.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value: CustomStringConvertible>(
        _ value: @autoclosure () -> Value,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(value().description, isScalar: false, align: align, privacy: privacy)
    }

    /// Adds the description of an object.
    public mutating func appendInterpolation(
        _ object: @autoclosure () -> NSObject,
        privacy: OSLogPrivacy = .auto
    ) {
        append(object().description, isScalar: false, align: .none, privacy: privacy)
    }

    /// Adds an error, as `String(describing:)` tells it.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ error: @autoclosure () -> any Error,
        privacy: OSLogPrivacy = .auto
    ) {
        append(String(describing: error()), isScalar: false, align: .none, privacy: privacy)
    }

    /// Adds the name of a type.
    public mutating func appendInterpolation(
        _ type: @autoclosure () -> Any.Type,
        align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(String(describing: type()), isScalar: false, align: align, privacy: privacy)
    }
}

extension OSLogInt32ExtendedFormat {
    func text(_ number: Int32) -> String {
        switch self {
        case .darwinErrno: "[\(number): \(Self.name(number, strerror))]"
        case .darwinSignal: "[\(number): \(Self.name(number, strsignal))]"
        }
    }

    private static func name(_ number: Int32, _ name: (Int32) -> UnsafeMutablePointer<CChar>?) -> String {
        unsafe name(number).map { unsafe String(cString: $0) } ?? "unknown"
    }
}

extension OSLogIntExtendedFormat {
    func text(_ number: Int) -> String {
        switch self {
        case .byteCount: ByteCountFormatter.string(fromByteCount: Int64(number), countStyle: .file)
        case .secondsSince1970: Date(timeIntervalSince1970: TimeInterval(number)).description
        }
    }
}
