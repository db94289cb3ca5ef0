// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import _FoundationICU

/// Texts from the tables of languages (CLDR) that come with Foundation, by the functions of ICU.
///
/// Foundation on Linux has these tables for its dates and numbers, and no class that reads them for lists, units and
/// distances in time.
enum LanguageTables {
    /// The length of a word as it is written.
    enum Width: String {
        case full = "unit-width-full-name"
        case short = "unit-width-short"
        case narrow = "unit-width-narrow"
    }

    /// Returns what a function of ICU writes, or `nil` when it refuses.
    static func text(
        _ write: (UnsafeMutablePointer<UInt16>?, Int32, inout UErrorCode) -> Int32
    ) -> String? {
        var capacity = 256
        for _ in 0..<2 {
            var status = U_ZERO_ERROR
            var length: Int32 = 0
            let units = unsafe [UInt16](unsafeUninitializedCapacity: capacity) { buffer, count in
                length = unsafe write(buffer.baseAddress, Int32(capacity), &status)
                count = status.rawValue <= 0 ? min(max(0, Int(length)), capacity) : 0
            }
            if status.rawValue <= 0 { return String(decoding: units, as: UTF16.self) }
            guard status == U_BUFFER_OVERFLOW_ERROR, length > 0 else { return nil }
            capacity = Int(length) + 1
        }
        return nil
    }

    /// Returns items joined as a list: "a, b, and c", or with units, "1 hr, 5 min".
    static func list(_ items: [String], _ locale: Locale, ofUnits width: Width? = nil) -> String? {
        guard items.count > 1 else { return items.first ?? "" }
        var status = U_ZERO_ERROR
        let kind = width == nil ? ULISTFMT_TYPE_AND : ULISTFMT_TYPE_UNITS
        let size =
            switch width {
            case nil, .full: ULISTFMT_WIDTH_WIDE
            case .short: ULISTFMT_WIDTH_SHORT
            case .narrow: ULISTFMT_WIDTH_NARROW
            }
        guard let format = unsafe swift_ulistfmt_openForType(locale.identifier, kind, size, &status) else { return nil }
        defer { unsafe swift_ulistfmt_close(format) }
        let texts = items.map { Array($0.utf16) }
        let lengths = texts.map { Int32($0.count) }
        let joined = texts.flatMap { $0 }
        return unsafe joined.withUnsafeBufferPointer { all in
            var place = 0
            var starts: [UnsafePointer<UInt16>?] = unsafe []
            for text in texts {
                unsafe starts.append(all.baseAddress.map { unsafe $0 + place })
                place += text.count
            }
            return unsafe text { buffer, capacity, status in
                unsafe swift_ulistfmt_format(format, starts, lengths, Int32(items.count), buffer, capacity, &status)
            }
        }
    }

    /// Returns a number with a unit of CLDR, such as "length-kilometer", in the words for that number; `nil` for an
    /// unknown unit.
    ///
    /// The number is what the caller has written of it. Some languages have a word for one or two of a unit, without a
    /// number.
    static func unit(
        _ identifier: String,
        _ number: Double,
        written: String,
        _ width: Width,
        _ locale: Locale
    ) -> String? {
        let skeleton = Array("measure-unit/\(identifier) \(width.rawValue) precision-unlimited sign-never".utf16)
        var status = U_ZERO_ERROR
        let format = unsafe swift_unumf_openForSkeletonAndLocale(
            skeleton,
            Int32(skeleton.count),
            locale.identifier,
            &status
        )
        defer { unsafe swift_unumf_close(format) }
        let result = unsafe swift_unumf_openResult(&status)
        defer { unsafe swift_unumf_closeResult(result) }
        unsafe swift_unumf_formatDouble(format, number, result, &status)
        guard status.rawValue <= 0 else { return nil }
        let all = unsafe text { unsafe swift_unumf_resultToString(result, $0, $1, &$2) }
        let places = unsafe swift_ufieldpositer_open(&status)
        defer { unsafe swift_ufieldpositer_close(places) }
        unsafe swift_unumf_resultGetAllFieldPositions(result, places, &status)
        guard status.rawValue <= 0, let all else { return nil }
        let units = Array(all.utf16)
        var first = units.count
        var last = 0
        var begin: Int32 = 0
        var end: Int32 = 0
        while case let field = unsafe swift_ufieldpositer_next(places, &begin, &end), field >= 0 {
            guard field != Int32(UNUM_MEASURE_UNIT_FIELD.rawValue) else { continue }
            first = min(first, Int(begin))
            last = max(last, Int(end))
        }
        guard first < last, last <= units.count else { return all }
        return String(decoding: units[..<first], as: UTF16.self) + written
            + String(decoding: units[last...], as: UTF16.self)
    }

    /// Returns a number in words, such as "forty-one".
    static func spelledOut(_ number: Int, _ locale: Locale) -> String? {
        var status = U_ZERO_ERROR
        let format = unsafe swift_unum_open(UNUM_SPELLOUT, nil, 0, locale.identifier, nil, &status)
        guard let format = unsafe format else { return nil }
        defer { unsafe swift_unum_close(format) }
        return unsafe text { unsafe swift_unum_formatInt64(format, Int64(number), $0, $1, nil, &$2) }
    }
}
