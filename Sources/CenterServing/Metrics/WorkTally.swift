// SPDX-License-Identifier: Apache-2.0

import CenterStore
import Logging
import Metrics

/// Counts what a transaction has done; of one that failed nothing is counted.
struct WorkTally {
    let metrics: CenterMetrics
    /// The counters of the apps that the configuration names.
    let topics: [String: TopicCounts]

    func count(_ work: [CenterWork], _ results: [WorkResult]) {
        for (work, result) in zip(work, results) {
            if case .arrive(let arrival) = work { count(arrival, result) } else { count(work, result) }
        }
    }

    private func count(_ arrival: NotificationArrival, _ result: WorkResult) {
        guard let end = TopicCounts.Result(arrival.fate, result) else { return }
        counts(of: arrival.installation).count(TopicCounts.Source(arrival.source), end)
        if case .listed(_, replaces: _?, badge: _) = result { metrics.notifications.removed[.replaced].increment() }
    }

    private func counts(of key: InstallationKey) -> TopicCounts { topics[key.app] ?? metrics.notifications.other }

    private func count(_ work: CenterWork, _ result: WorkResult) {
        switch result {
        case .removed(let removals):
            if let remover = work.remover, !removals.isEmpty {
                metrics.notifications.removed[remover].increment(by: removals.count)
            }
        case .uninstalled(let removals, _):
            metrics.notifications.removed[.uninstalled].increment(by: removals.count)
        case .answered:
            guard case .respond(let draft) = work else { return }
            let isAnswer = draft.closing == .response
            metrics.notifications.removed[isAnswer ? .response : .user].increment()
            metrics.apps.responses[isAnswer ? .answered : .dismissed].increment()
        case .stepped(.completed): metrics.apps.responses[.completed].increment()
        case .stepped(.expired): metrics.apps.responses[.givenUp].increment()
        case .stepped(.kept(.stored, _)): metrics.apps.responses[.returned].increment()
        case .scheduled(_, _, let dropped):
            guard case .schedule(let request, _) = work, !dropped.isEmpty else { return }
            counts(of: request.installation).dropTriggers(dropped.count)
        case .stepped, .listed, .waits, .noted, .repeated, .withdrawn, .renewed, .changed, .unchanged, .unscheduled,
            .done, .refused:
            return
        }
    }
}

extension Upkeep {
    /// Says which apps lost answers of people.
    func log(to logger: Logger) {
        for (key, expired) in Dictionary(grouping: expired, by: \.installation) {
            logger.givenUp(expired.count, of: key)
        }
    }
}

extension Logger {
    /// Says that an app lost so many answers of people, which it did not take in time; `nil` means that it is not
    /// known.
    func givenUp(_ count: Int, of key: InstallationKey?) {
        guard count > 0 else { return }
        var facts: Logger.Metadata = ["count": "\(count)"]
        facts["app"] = key.map { "\($0.app)" }
        warning("responses given up: their app did not take them", metadata: facts)
    }
}

extension CenterWork {
    /// The one who asks for a removal; `nil` means that the work is none.
    fileprivate var remover: NotificationMetrics.Remover? {
        switch self {
        case .remove(_, numbers: _, by: .user), .removeAll(_, upTo: _, by: .user): .user
        case .remove(_, numbers: _, by: .app), .removeAll(_, upTo: _, by: .app), .removeNamed: .app
        default: nil
        }
    }
}

extension TopicCounts.Source {
    fileprivate init(_ source: NotificationArrival.Source) {
        self =
            switch source {
            case .record: .record
            case .waiting: .inFront
            case .pending: .trigger
            case .call: .call
            }
    }
}

extension TopicCounts.Result {
    /// `nil` means that the result is none of an arrival.
    fileprivate init?(_ fate: NotificationArrival.Fate, _ result: WorkResult) {
        switch result {
        case .listed:
            guard case .listed(_, let presentation) = fate else { return nil }
            self =
                presentation.flags.contains(.held) ? .held : presentation.flags.contains(.banner) ? .presented : .listed
        case .waits:
            // What was taken away is asked about by nobody, and counted in its turn.
            if case .waits(let content) = fate, content.course?.isSuppressed == true { return nil }
            self = .asked
        case .noted: if case .silent = fate { self = .silent } else { self = .notShown }
        case .repeated: self = .repeated
        case .withdrawn: self = .withdrawn
        case .refused: self = .refused
        case .removed, .answered, .stepped, .renewed, .changed, .unchanged, .uninstalled, .scheduled, .unscheduled,
            .done:
            return nil
        }
    }
}
