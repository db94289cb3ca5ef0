// SPDX-License-Identifier: Apache-2.0

import CenterStore

extension CenterWork {
    /// The owner whose series the work may take numbers of; `nil` means that it takes none.
    var owner: OwnerName? {
        switch self {
        case .arrive(let arrival): arrival.installation.owner
        case .remove(let owner, _, _), .renew(let owner, _, _), .restore(let owner, _), .seen(let owner, _),
            .setOwner(let owner, _):
            owner
        case .removeNamed(let key, _), .removeAll(let key, _, _), .setPermission(let key, _), .setBadge(let key, _),
            .setCategories(let key, _), .removeInstallation(let key):
            key.owner
        case .respond(let draft): draft.owner
        case .step, .schedule, .unschedule, .redate, .note, .dropSilent, .forget, .forgetAll, .floor, .setFact,
            .withdrawn, .addCredential, .exchange, .useCredential, .removeCredential:
            nil
        }
    }
}

extension CenterWork {
    /// The owner of whose apps one looks otherwise after it; `nil` means none.
    var lookOwner: OwnerName? {
        switch self {
        case .setPermission(let key, _), .setCategories(let key, _), .removeInstallation(let key): key.owner
        default: nil
        }
    }
}

extension WorkResult {
    /// The last number that the work took; `nil` means that it took none.
    var lastNumber: Int64? {
        switch self {
        case .listed(let number, _, let badge): max(number, badge ?? number)
        case .noted(let badge): badge
        case .removed(let removals): removals.map(\.number).max()
        case .answered(_, let removal): removal.number
        case .renewed(let renewals): renewals.map(\.number).max()
        case .changed(let number): number
        case .uninstalled(let removals, let changed): removals.map(\.number).reduce(changed, max)
        case .waits, .repeated, .withdrawn, .stepped, .unchanged, .scheduled, .unscheduled, .done, .refused: nil
        }
    }
}

extension CenterWork {
    /// The last number that a commit took of each owner's series.
    static func lastNumbers(of work: [CenterWork], _ results: [WorkResult]) -> [OwnerName: Int64] {
        zip(work, results).reduce(into: [:]) { numbers, pair in
            guard let owner = pair.0.owner, let number = pair.1.lastNumber else { return }
            numbers[owner] = max(number, numbers[owner] ?? number)
        }
    }
}

extension CenterWork {
    /// The app whose notification is to wait for its answer.
    var waiting: InstallationKey? {
        if case .arrive(let arrival) = self, case .waits = arrival.fate { arrival.installation } else { nil }
    }
}

extension CenterWork {
    /// The app for which a silent push arrives.
    var silent: InstallationKey? {
        if case .arrive(let arrival) = self, case .silent = arrival.fate { arrival.installation } else { nil }
    }
}

extension WorkResult {
    /// True if the notification waits for its app's answer.
    var isWaiting: Bool {
        if case .waits = self { true } else { false }
    }

    /// The notifications that a person's answer or dismissal has closed.
    var closed: [Int64] {
        switch self {
        case .removed(let removals): removals.map(\.target)
        case .answered(_, let removal): [removal.target]
        default: []
        }
    }

    /// True if an app has room for another response now, or another connection for this one.
    var endsAttempt: Bool {
        switch self {
        case .stepped(.completed), .stepped(.expired), .stepped(.kept(.stored, _)): true
        default: false
        }
    }
}
