// SPDX-License-Identifier: Apache-2.0

import NotificationPayload
import Testing

struct JSONReaderNumberTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("1", 1), ("-1", -1), ("10", 10), ("1234567890", 1_234_567_890),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9007199254740993", 9_007_199_254_740_993),
        ] as [(String, Int64)]
    )
    func `an integer of 64 bits is exact`(text: String, integer: Int64) throws {
        #expect(try parse(text).exact == JSON.integer(integer).exact)
    }

    @Test(
        arguments: [
            ("0.0", 0.0), ("-0.0", -0.0), ("0e0", 0.0), ("-0e-0", -0.0), ("1.0", 1.0), ("1.5", 1.5), ("-1.5", -1.5),
            ("1e3", 1000.0), ("1E3", 1000.0), ("1e+3", 1000.0), ("1e-3", 0.001), ("1.25E+2", 125.0),
            ("1e00003", 1000.0),
            ("9223372036854775808", 9_223_372_036_854_775_808.0),
            ("-9223372036854775809", -9_223_372_036_854_775_808.0),
            ("18446744073709551615", 18_446_744_073_709_551_615.0),
            ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
            ("-1.7976931348623157e308", -Double.greatestFiniteMagnitude),
            ("2.2250738585072014e-308", Double.leastNormalMagnitude),
            ("5e-324", Double.leastNonzeroMagnitude),
            // Too small to tell from zero is not out of range.
            ("1e-400", 0.0), ("-1e-400", -0.0), ("1e-99999999999999999999", 0.0), ("0e99999999999999999999", 0.0),
        ] as [(String, Double)]
    )
    func `every other number is the nearest Double`(text: String, double: Double) throws {
        #expect(try parse(text).exact == JSON.double(double).exact)
    }

    @Test(
        arguments: [
            ("1e309", 0), ("-1e309", 0), ("1e400", 0), ("[1,1e400]", 3), ("1.8e308", 0), ("1e99999999999999999999", 0),
            ("{\"a\":-1e400}", 5),
        ] as [(String, Int)]
    )
    func `a number beyond Double is out of range`(text: String, offset: Int) {
        #expect(throws: JSONError.numberOutOfRange(offset: offset)) { try parse(text) }
    }

    @Test(
        arguments: [
            ("00", JSONError.unexpectedByte(offset: 1)),
            ("01", .unexpectedByte(offset: 1)),
            ("-01", .unexpectedByte(offset: 2)),
            ("[007]", .unexpectedByte(offset: 2)),
            ("-", .unexpectedEnd),
            ("--1", .unexpectedByte(offset: 1)),
            ("+1", .unexpectedByte(offset: 0)),
            (".5", .unexpectedByte(offset: 0)),
            ("-.5", .unexpectedByte(offset: 1)),
            ("1.", .unexpectedEnd),
            ("1.e3", .unexpectedByte(offset: 2)),
            ("[1.]", .unexpectedByte(offset: 3)),
            ("1e", .unexpectedEnd),
            ("1e+", .unexpectedEnd),
            ("1e+-3", .unexpectedByte(offset: 3)),
            ("1e3.5", .unexpectedByte(offset: 3)),
            ("1.2.3", .unexpectedByte(offset: 3)),
            ("0x10", .unexpectedByte(offset: 1)),
            ("0.0x1p4", .unexpectedByte(offset: 3)),
            ("1_000", .unexpectedByte(offset: 1)),
            ("1,5", .unexpectedByte(offset: 1)),
            ("-Infinity", .unexpectedByte(offset: 1)),
            ("1f", .unexpectedByte(offset: 1)),
            ("\u{FF11}", .unexpectedByte(offset: 0)),
            ("1\u{FF11}", .unexpectedByte(offset: 1)),
        ] as [(String, JSONError)]
    )
    func `what is no number is refused where it differs`(text: String, error: JSONError) {
        #expect(throws: error) { try parse(text) }
    }

    @Test func `a number may be as long as its packet`() throws {
        let digits = String(repeating: "9", count: 60_000)
        #expect(throws: JSONError.numberOutOfRange(offset: 0)) { try parse(digits) }
        #expect(try parse("0." + digits).exact == "double(1.0)")
        #expect(try parse(digits + "e-60000").exact == "double(1.0)")
        #expect(try parse("1" + String(repeating: "0", count: 60_000) + "e-60000").exact == "double(1.0)")
        #expect(throws: JSONError.unexpectedByte(offset: 1)) { try parse(String(repeating: "0", count: 60_000)) }
    }
}
