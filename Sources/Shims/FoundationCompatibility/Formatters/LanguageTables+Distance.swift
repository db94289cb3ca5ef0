// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import _FoundationICU

extension LanguageTables {
    /// The way in which a distance in time is written.
    struct DistanceStyle {
        let width: Width
        /// True for "yesterday" in place of "1 day ago".
        let isNamed: Bool
        /// True for numbers in words.
        let isSpelledOut: Bool
        let context: Formatter.Context
    }

    /// Returns a distance in time from now, such as "in 2 days"; `nil` for a unit that languages have no words for.
    static func distance(
        _ value: Int,
        _ unit: Calendar.Component,
        _ style: DistanceStyle,
        _ locale: Locale
    ) -> String? {
        guard let unit = code(of: unit) else { return nil }
        var status = U_ZERO_ERROR
        let identifier = locale.identifier
        var numbers: UnsafeMutablePointer<UNumberFormat?>?
        if style.isSpelledOut { unsafe numbers = swift_unum_open(UNUM_SPELLOUT, nil, 0, identifier, nil, &status) }
        let width =
            switch style.width {
            case .full: UDAT_STYLE_LONG
            case .short: UDAT_STYLE_SHORT
            case .narrow: UDAT_STYLE_NARROW
            }
        // The formatter closes the one for its numbers, also when it refuses.
        let format = unsafe swift_ureldatefmt_open(identifier, numbers, width, context(style.context), &status)
        guard let format = unsafe format else { return nil }
        defer { unsafe swift_ureldatefmt_close(format) }
        let offset = Double(value)
        return unsafe text { buffer, capacity, status in
            style.isNamed
                ? unsafe swift_ureldatefmt_format(format, offset, unit, buffer, capacity, &status)
                : unsafe swift_ureldatefmt_formatNumeric(format, offset, unit, buffer, capacity, &status)
        }
    }

    private static func code(of unit: Calendar.Component) -> URelativeDateTimeUnit? {
        switch unit {
        case .year: UDAT_REL_UNIT_YEAR
        case .quarter: UDAT_REL_UNIT_QUARTER
        case .month: UDAT_REL_UNIT_MONTH
        case .weekOfMonth, .weekOfYear: UDAT_REL_UNIT_WEEK
        case .day: UDAT_REL_UNIT_DAY
        case .hour: UDAT_REL_UNIT_HOUR
        case .minute: UDAT_REL_UNIT_MINUTE
        case .second: UDAT_REL_UNIT_SECOND
        default: nil
        }
    }

    private static func context(_ context: Formatter.Context) -> UDisplayContext {
        switch context {
        case .beginningOfSentence: UDISPCTX_CAPITALIZATION_FOR_BEGINNING_OF_SENTENCE
        case .listItem: UDISPCTX_CAPITALIZATION_FOR_UI_LIST_OR_MENU
        case .standalone: UDISPCTX_CAPITALIZATION_FOR_STANDALONE
        default: UDISPCTX_CAPITALIZATION_NONE
        }
    }
}
