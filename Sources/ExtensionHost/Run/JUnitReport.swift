// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// Test suites with their test cases, in the form that build servers read.
///
/// Source: the JUnit XML that Jenkins and its like accept; there is no standard of it.
struct JUnitReport {
    enum Verdict: Sendable, Equatable {
        case passed
        /// The reason in words, and the kind of the failure in one word.
        case failed(String, type: String)
        /// A step before it was not possible.
        case skipped
        /// An end that is not known.
        case unknown(String)
    }

    struct Case: Sendable {
        let name: String
        let verdict: Verdict
        var duration = Duration.zero
        /// The lines that the extension logged or printed meanwhile.
        var lines: [String] = []
    }

    struct Suite: Sendable {
        let name: String
        let cases: [Case]
    }

    let suites: [Suite]

    /// The report of a command that has not come to its end: it stands in the file until then.
    static func unfinished(_ command: String) -> JUnitReport {
        let reason = "\(Terminal.program) \(command) has not come to its end"
        return JUnitReport(suites: [Suite(name: command, cases: [Case(name: command, verdict: .unknown(reason))])])
    }

    var xml: String {
        ([#"<?xml version="1.0" encoding="UTF-8"?>"#, "<testsuites>"] + suites.flatMap(Self.lines)
            + ["</testsuites>", ""])
            .joined(separator: "\n")
    }

    private static func lines(of suite: Suite) -> [String] {
        let name = escaped(suite.name)
        let seconds = seconds(suite.cases.reduce(.zero) { $0 + $1.duration })
        func count(_ isCounted: (Verdict) -> Bool) -> Int { suite.cases.count { isCounted($0.verdict) } }
        let failures = count { if case .failed = $0 { true } else { false } }
        let errors = count { if case .unknown = $0 { true } else { false } }
        return [
            #"<testsuite name="\#(name)" tests="\#(suite.cases.count)" failures="\#(failures)" errors="\#(errors)" "#
                + #"skipped="\#(count { $0 == .skipped })" time="\#(seconds)">"#
        ] + suite.cases.flatMap { lines(of: $0, in: name) } + ["</testsuite>"]
    }

    private static func lines(of one: Case, in suite: String) -> [String] {
        let seconds = seconds(one.duration)
        var lines = [#"<testcase classname="\#(suite)" name="\#(escaped(one.name))" time="\#(seconds)">"#]
        switch one.verdict {
        case .passed: break
        case .skipped: lines.append("<skipped/>")
        case .failed(let message, let type):
            lines.append(#"<failure message="\#(escaped(message))" type="\#(escaped(type))"/>"#)
        case .unknown(let message): lines.append(#"<error message="\#(escaped(message))" type="unfinished"/>"#)
        }
        if !one.lines.isEmpty {
            lines.append("<system-out>\(one.lines.map(escaped).joined(separator: "\n"))</system-out>")
        }
        return lines + ["</testcase>"]
    }

    /// Seconds with three places, which no reader takes for another number.
    private static func seconds(_ duration: Duration) -> Double {
        (duration / .milliseconds(1)).rounded() / 1000
    }

    /// Characters that XML has no place for, even escaped, become question marks.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

extension JUnitReport {
    /// Pushes as test cases.
    init(suite: String, results: [RunResult], expectation: Expectation) {
        let cases = results.map { result in
            let record = result.record
            var verdict = Verdict.passed
            if !expectation.isMet(by: record) {
                let ended = [record.outcome.name, record.reason].compactMap { $0 }.joined(separator: ", ")
                verdict = .failed(
                    "ended in \(ended), expected was \(expectation.text)",
                    type: record.reason ?? record.outcome.name
                )
            }
            return Case(
                name: result.name,
                verdict: verdict,
                duration: record.timings.total,
                lines: result.lines.map(\.text)
            )
        }
        suites = [Suite(name: suite, cases: cases)]
    }
}
