// SPDX-License-Identifier: Apache-2.0

/// One thing that is counted, under one set of labels.
package protocol Metric: AnyObject, Sendable {
    /// The name of the kind in Prometheus.
    static var typeName: String { get }

    func write(to text: inout MetricsText, as name: MetricName, unit: MetricUnit)
}

/// The unit of a metric's numbers.
package enum MetricUnit: Sendable {
    /// Pushes, bytes, rows.
    case one
    /// Held in nanoseconds, told in seconds.
    case seconds

    func text(_ amount: Int) -> String {
        switch self {
        case .one: "\(amount)"
        case .seconds: Self.seconds(amount)
        }
    }

    /// Decimal, without an exponent and without digits that say nothing.
    private static func seconds(_ nanoseconds: Int) -> String {
        let (whole, rest) = nanoseconds.magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
        let sign = nanoseconds < 0 ? "-" : ""
        guard rest > 0 else { return "\(sign)\(whole)" }
        let digits = String(repeating: "0", count: 9 - "\(rest)".count) + "\(rest)"
        let end = digits.lastIndex { $0 != "0" } ?? digits.startIndex
        return "\(sign)\(whole).\(digits[...end])"
    }
}

/// The value of a label: from a closed set or from the configuration.
///
/// A text that came from outside, a token, an id or a topic, is none: there is no way to make one by accident.
package struct LabelValue: Sendable, Hashable, Comparable, ExpressibleByStringLiteral {
    let text: String

    package init(stringLiteral text: StaticString) {
        self.text = text.description
    }

    /// A case of a closed set.
    package init(_ choice: some RawRepresentable<String>) {
        text = choice.rawValue
    }

    /// A status code.
    package init(_ number: Int) {
        text = "\(number)"
    }

    /// A name that the operator chose: of a sink, or of an app.
    package init(configured text: String) {
        self.text = text
    }

    /// The name of an outcome or of a reason.
    package init(known text: String) {
        self.text = text
    }

    package static func < (left: LabelValue, right: LabelValue) -> Bool { left.text < right.text }
}

extension Duration {
    /// Rounded down; at most 292 years.
    package var nanoseconds: Int {
        let (seconds, attoseconds) = components
        return Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    }
}
