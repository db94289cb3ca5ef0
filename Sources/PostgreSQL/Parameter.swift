// SPDX-License-Identifier: Apache-2.0

/// A value of a statement, in PostgreSQL's binary format.
///
/// Arrays have one dimension and no nulls but in `texts`. Source: PostgreSQL 15, the send functions of its types.
package enum Parameter: Sendable, Equatable {
    case boolean(Bool)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case double(Double)
    case text(String)
    case bytes([UInt8])
    case booleans([Bool])
    case int16s([Int16])
    case int32s([Int32])
    case int64s([Int64])
    case texts([String?])
    case byteArrays([[UInt8]])
    case null

    package static func optional(_ value: Int64?) -> Parameter { value.map(Parameter.int64) ?? .null }

    package static func optional(_ value: String?) -> Parameter { value.map(Parameter.text) ?? .null }

    /// The value as the server reads it; nil is null.
    var encoded: [UInt8]? {
        switch self {
        case .boolean(let value): [value ? 1 : 0]
        case .int16(let value): bigEndian(value)
        case .int32(let value): bigEndian(value)
        case .int64(let value): bigEndian(value)
        case .double(let value): bigEndian(value.bitPattern)
        case .text(let value): Array(value.utf8)
        case .bytes(let value): value
        case .booleans(let values): array(of: .boolean, values.count) { [values[$0] ? 1 : 0] }
        case .int16s(let values): array(of: .int16, values.count) { bigEndian(values[$0]) }
        case .int32s(let values): array(of: .int32, values.count) { bigEndian(values[$0]) }
        case .int64s(let values): array(of: .int64, values.count) { bigEndian(values[$0]) }
        case .texts(let values): array(of: .text, values.count) { values[$0].map { Array($0.utf8) } }
        case .byteArrays(let values): array(of: .bytes, values.count) { values[$0] }
        case .null: nil
        }
    }

    /// Object identifiers of types, the same in every server.
    private enum Element: Int32 {
        case boolean = 16
        case bytes = 17
        case int64 = 20
        case int16 = 21
        case int32 = 23
        case text = 25
    }

    private func array(of element: Element, _ count: Int, _ value: (Int) -> [UInt8]?) -> [UInt8] {
        let hasNulls = if case .texts(let values) = self { values.contains(nil) } else { false }
        var bytes: [UInt8] = []
        // Dimensions, whether there are nulls, type, length, lower bound; an empty array has no dimension.
        bytes += bigEndian(Int32(count == 0 ? 0 : 1)) + bigEndian(Int32(hasNulls ? 1 : 0))
        bytes += bigEndian(element.rawValue)
        guard count > 0 else { return bytes }
        bytes += bigEndian(Int32(count)) + bigEndian(Int32(1))
        for index in 0..<count {
            guard let value = value(index) else {
                bytes += bigEndian(Int32(-1))
                continue
            }
            bytes += bigEndian(Int32(value.count))
            bytes += value
        }
        return bytes
    }
}

private func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    stride(from: value.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
}
