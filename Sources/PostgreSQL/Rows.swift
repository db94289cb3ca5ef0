// SPDX-License-Identifier: Apache-2.0

private import CPostgreSQL

/// The rows of an answer, in PostgreSQL's binary format.
///
/// Each value is asked for by its place, and as what it is: a value of another length is `malformed`.
// SAFETY: the result is this value's alone, and is freed with it.
@safe package struct Rows: ~Copyable {
    private let result: OpaquePointer
    package let count: Int
    private let columns: Int

    init(_ result: OpaquePointer) {
        unsafe self.result = result
        count = unsafe Int(postgres_row_count(result))
        columns = unsafe Int(postgres_column_count(result))
    }

    deinit { unsafe postgres_clear(result) }

    package func isNull(_ row: Int, _ column: Int) throws(DatabaseError) -> Bool {
        try check(row, column)
        return unsafe postgres_is_null(result, Int32(row), Int32(column)) != 0
    }

    package func boolean(_ row: Int, _ column: Int) throws(DatabaseError) -> Bool {
        try withValue(row, column) { bytes throws(DatabaseError) in
            try Self.integer(bytes, as: UInt8.self) != 0
        }
    }

    package func int16(_ row: Int, _ column: Int) throws(DatabaseError) -> Int16 {
        try withValue(row, column) { bytes throws(DatabaseError) in try Self.integer(bytes, as: Int16.self) }
    }

    package func int32(_ row: Int, _ column: Int) throws(DatabaseError) -> Int32 {
        try withValue(row, column) { bytes throws(DatabaseError) in try Self.integer(bytes, as: Int32.self) }
    }

    package func int64(_ row: Int, _ column: Int) throws(DatabaseError) -> Int64 {
        try withValue(row, column) { bytes throws(DatabaseError) in try Self.integer(bytes, as: Int64.self) }
    }

    package func double(_ row: Int, _ column: Int) throws(DatabaseError) -> Double {
        Double(bitPattern: UInt64(bitPattern: try int64(row, column)))
    }

    /// The number, or nil for null.
    package func optionalInt64(_ row: Int, _ column: Int) throws(DatabaseError) -> Int64? {
        try isNull(row, column) ? nil : int64(row, column)
    }

    package func bytes(_ row: Int, _ column: Int) throws(DatabaseError) -> [UInt8] {
        try withValue(row, column) { bytes in unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
    }

    package func text(_ row: Int, _ column: Int) throws(DatabaseError) -> String {
        guard let text = String(validating: try bytes(row, column), as: UTF8.self) else {
            throw .malformed("column \(column) is not UTF-8")
        }
        return text
    }

    package func optionalText(_ row: Int, _ column: Int) throws(DatabaseError) -> String? {
        try isNull(row, column) ? nil : text(row, column)
    }

    private func check(_ row: Int, _ column: Int) throws(DatabaseError) {
        guard row >= 0, row < count, column >= 0, column < columns else {
            throw .malformed("row \(row), column \(column) of \(count) rows with \(columns) columns")
        }
    }

    private func withValue<Value>(
        _ row: Int,
        _ column: Int,
        _ body: (RawSpan) throws(DatabaseError) -> Value
    ) throws(DatabaseError) -> Value {
        guard try !isNull(row, column), let start = unsafe postgres_value(result, Int32(row), Int32(column)) else {
            throw .malformed("column \(column) is null")
        }
        let length = unsafe Int(postgres_length(result, Int32(row), Int32(column)))
        let buffer = unsafe UnsafeRawBufferPointer(start: start, count: length)
        return try body(unsafe RawSpan(_unsafeBytes: buffer))
    }

    private static func integer<Value: FixedWidthInteger>(
        _ bytes: RawSpan,
        as type: Value.Type
    ) throws(DatabaseError) -> Value {
        guard bytes.byteCount == Value.bitWidth / 8 else {
            throw .malformed("a number of \(bytes.byteCount) bytes in place of \(Value.bitWidth / 8)")
        }
        return unsafe bytes.withUnsafeBytes { unsafe Value(bigEndian: $0.loadUnaligned(as: Value.self)) }
    }
}
