// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// The outcome with which a push has to end for `run` to succeed.
struct Expectation {
    /// An outcome's or a reason's name; nil: the extension had its say.
    private let name: String?

    static let names: [String] = {
        let failures: [ExtensionFailure] = [
            .timeWillExpireIgnored, .budgetExceeded, .crashed(signal: 0), .memoryLimitExceeded, .exitedEarly,
            .protocolViolation, .launchFailed, .noWorker,
        ]
        return [
            "modified", "opened", "original", "suppressed", "late", "notMutable", "openerUnavailable", "emptyContent",
        ]
            + failures.map(\.name) + ["filtered"] + OpenRefusal.allCases.map(\.rawValue)
    }()

    init(_ name: String?) {
        self.name = name
    }

    func isMet(by record: DeliveryRecord) -> Bool {
        guard let name else {
            switch record.outcome {
            case .modified, .suppressed(.filtered): return true
            case .opened, .original, .suppressed(.expired): return false
            }
        }
        if name == "late" { return record.outcome == .modified(late: true) }
        return record.outcome.name == name || record.outcome.reason == name
    }

    var text: String { name ?? "the extension's content" }
}
