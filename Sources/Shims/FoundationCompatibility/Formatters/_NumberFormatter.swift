// SPDX-License-Identifier: Apache-2.0

public import Foundation
import Locking

/// A number formatter that has exactly as many digits behind the point as it was told.
///
/// The formatter of Foundation on Linux takes no greatest count beside a least one: "1,236.568" for one to two digits,
/// and "$5.00" for a currency with none, since each currency has a least count of its own. A build gives the sources of
/// an extension this class by the name of that one. Source: Apple, "maximumFractionDigits".
///
/// SAFETY: its own state is behind a lock; the rest is Foundation's, which says that it is Sendable.
open class _NumberFormatter: NumberFormatter, @unchecked Sendable {
    /// True if the counts were set, and no pattern since.
    private let hasCounts = Locked(false)

    /// The greatest count of digits behind the point; a least count above it becomes the same.
    open override var maximumFractionDigits: Int {
        didSet {
            hasCounts.withLock { $0 = true }
            if minimumFractionDigits > maximumFractionDigits { minimumFractionDigits = maximumFractionDigits }
        }
    }

    /// The least count of digits behind the point; a greatest count below it becomes the same.
    open override var minimumFractionDigits: Int {
        didSet {
            hasCounts.withLock { $0 = true }
            if maximumFractionDigits < minimumFractionDigits { maximumFractionDigits = minimumFractionDigits }
        }
    }

    /// The pattern of numbers, which says the counts.
    open override var format: String { didSet { hasCounts.withLock { $0 = false } } }
    /// The pattern of numbers that are not below zero, which says the counts.
    // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
    open override var positiveFormat: String! { didSet { hasCounts.withLock { $0 = false } } }

    /// Returns a copy that has as many digits.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copied = super.copy(with: zone)
        return (copied as? NumberFormatter).flatMap { counted($0) } ?? copied
    }

    /// Writes a number.
    open override func string(from number: NSNumber) -> String? {
        guard let plain = super.copy(with: nil) as? NumberFormatter, let counted = counted(plain) else {
            return super.string(from: number)
        }
        return counted.string(from: number)
    }

    /// Returns the formatter with a pattern of the counts; `nil` if it needs none.
    private func counted(_ formatter: NumberFormatter) -> NumberFormatter? {
        let styles: [Style] = [
            .none, .decimal, .percent, .currency, .currencyISOCode, .currencyPlural, .currencyAccounting,
        ]
        guard hasCounts.withLock(\.self), !usesSignificantDigits, styles.contains(numberStyle) else { return nil }
        let patterns = formatter.format.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard let positive = patterns.first, let negative = patterns.last else { return nil }
        formatter.positiveFormat = pattern(positive)
        if negative != positive { formatter.negativeFormat = pattern(negative) }
        return formatter
    }

    /// Returns a pattern, such as `#,##0.00 ¤`, with the counts of digits behind its point.
    private func pattern(_ pattern: String) -> String {
        let count = (least: max(0, minimumFractionDigits), greatest: min(max(0, maximumFractionDigits), 100))
        let least = min(count.least, count.greatest)
        let digits = String(repeating: "0", count: least) + String(repeating: "#", count: count.greatest - least)
        guard let last = pattern.lastIndex(where: { "0#".contains($0) }) else { return pattern }
        let end = pattern.index(after: last)
        let point = pattern[..<end].lastIndex(of: ".") ?? end
        return pattern[..<point] + (digits.isEmpty ? "" : ".\(digits)") + pattern[end...]
    }
}
