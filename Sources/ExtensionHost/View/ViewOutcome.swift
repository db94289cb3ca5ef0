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

extension JUnitReport {
    /// Views as test suites, and what was done with them as test cases.
    init(suite: String, outcomes: [ViewOutcome]) {
        suites = outcomes.map { outcome in
            Suite(
                name: outcomes.count > 1 ? "\(suite) \(outcome.name)" : suite,
                cases: outcome.cases.map { one in
                    let verdict: Verdict
                    switch one.verdict {
                    case .passed: verdict = .passed
                    case .skipped: verdict = .skipped
                    case .failed(let error):
                        let message = [error.message, error.hint].compactMap { $0 }.joined(separator: "; ")
                        verdict = .failed(message, type: "view")
                    }
                    return Case(
                        name: one.name,
                        verdict: verdict,
                        duration: one.duration,
                        lines: one.lines.map(\.text)
                    )
                }
            )
        }
    }
}
