// SPDX-License-Identifier: Apache-2.0

/// The steps of an input on its way to a payload, with the finding of each, for the person who holds the keys.
///
/// An explanation is made of public facts and, once the payload is authentic, of its dates. It never says more of a
/// secret than the error does.
package struct Explanation: Sendable, Equatable {
    package enum Verdict: String, Sendable {
        case fine = "ok"
        case wrong
        /// Nobody can tell without the right secret.
        case unsure
    }

    /// One thing that was looked at.
    package struct Step: Sendable, Equatable {
        /// The words before the finding, such as "key id".
        package let name: String
        package let found: String
        /// nil where everything would do.
        package let wanted: String?
        package let verdict: Verdict
    }

    package private(set) var steps: [Step] = []
    /// The reason for which the input does not open, one clause; `nil` means that the input opens.
    package var cause: String?
    /// The advice on what to do next, if there is any; an input that opens has one if its key is retired.
    package var next: String?

    package init() {}

    package mutating func add(
        _ name: String,
        _ found: String,
        wanted: String? = nil,
        _ verdict: Verdict = .fine
    ) {
        steps.append(Step(name: name, found: found, wanted: wanted, verdict: verdict))
    }

    /// Ends the explanation with what is wrong.
    package mutating func conclude(_ cause: String, _ next: String?) {
        add("result", cause, .wrong)
        self.cause = cause
        self.next = next
    }
}

/// A span in its two largest units: "2 hours 5 minutes"; its sign is the caller's to say.
func spanInWords(_ milliseconds: Int64) -> String {
    let seconds = milliseconds.magnitude / 1000
    let units: [(String, UInt64)] = [
        ("year", 31_536_000), ("day", 86_400), ("hour", 3600), ("minute", 60), ("second", 1),
    ]
    guard let first = units.firstIndex(where: { seconds >= $0.1 }) else { return "less than a second" }
    var rest = seconds
    let words = units[first..<min(first + 2, units.count)].compactMap { name, length -> String? in
        let count = rest / length
        rest %= length
        return count == 0 ? nil : "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    return words.joined(separator: " ")
}
