// SPDX-License-Identifier: Apache-2.0

import ExtensionBuild
import Foundation
import HostRuntime

/// One thing that `view` did or expected, and whether it was so.
struct ViewCase: Sendable {
    enum Verdict: Sendable, Equatable {
        case passed
        case failed(CommandError)
        /// A step before it was not possible.
        case skipped
    }

    let name: String
    let verdict: Verdict
    var duration = Duration.zero
    /// The lines that the extension logged or printed meanwhile.
    var lines: [ExtensionLog.Line] = []

    /// The reason for which it was not so.
    var failure: CommandError? {
        if case .failed(let error) = verdict { error } else { nil }
    }
}

/// The cases of one payload's view, in their order.
struct ViewOutcome: Sendable {
    /// The payload's path, as it was given.
    let name: String
    var cases: [ViewCase] = []

    var failures: [CommandError] { cases.compactMap(\.failure) }
}

/// Views as test suites and what was done with them as test cases, in the form that build servers read.
///
/// Source: the JUnit XML that Jenkins and its like accept; there is no standard of it.
struct ViewJUnit {
    let suite: String
    let outcomes: [ViewOutcome]

    var xml: String {
        let suites = outcomes.flatMap(testSuite)
        return ([#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"] + suites + ["</testsuites>", ""])
            .joined(separator: "\n")
    }

    private func testSuite(_ outcome: ViewOutcome) -> [String] {
        let name = outcomes.count > 1 ? "\(suite) \(outcome.name)" : suite
        let failed = outcome.failures.count
        let skipped = outcome.cases.count { $0.verdict == .skipped }
        let seconds = Self.seconds(outcome.cases.reduce(.zero) { $0 + $1.duration })
        let escaped = JUnitReport.escaped(name)
        return [
            #"<testsuite name="\#(escaped)" tests="\#(outcome.cases.count)" failures="\#(failed)" errors="0" "#
                + #"skipped="\#(skipped)" time="\#(seconds)">"#
        ] + outcome.cases.flatMap { testCase($0, of: escaped) } + ["</testsuite>"]
    }

    /// Seconds with three places, which no reader takes for another number.
    private static func seconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded() / 1000
    }

    private func testCase(_ one: ViewCase, of suite: String) -> [String] {
        let name = JUnitReport.escaped(one.name)
        var lines = [#"<testcase classname="\#(suite)" name="\#(name)" time="\#(Self.seconds(one.duration))">"#]
        switch one.verdict {
        case .passed: break
        case .skipped: lines.append("<skipped/>")
        case .failed(let error):
            let message = [error.message, error.hint].compactMap { $0 }.joined(separator: "; ")
            lines.append(#"<failure message="\#(JUnitReport.escaped(message))" type="view"/>"#)
        }
        if !one.lines.isEmpty {
            let text = one.lines.map { JUnitReport.escaped($0.text) }.joined(separator: "\n")
            lines.append("<system-out>\(text)</system-out>")
        }
        return lines + ["</testcase>"]
    }
}
