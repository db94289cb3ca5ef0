// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore

/// The apps of a centre, as the host's configuration names them.
struct CenterDirectory: Sendable {
    private var apps: [String: CenterApp] = [:]

    init() {}

    /// Takes the apps of a host in place of those that are known.
    ///
    /// Returns the topics of those that may alert critically now and might not before, or the other way round, and of
    /// those whose content extension is another.
    mutating func adopt(_ registry: LinkRegistry) -> Set<String> {
        let (former, formerApps) = (critical, apps)
        apps = Dictionary(registry.apps.map { ($0.topic, $0) }) { first, _ in first }
        let topics = Set(apps.keys).union(formerApps.keys)
        let others = topics.filter { apps[$0]?.content != formerApps[$0]?.content }
        return former.symmetricDifference(critical).union(others)
    }

    /// `nil` means that no app has the topic.
    func app(_ topic: String) -> CenterApp? { apps[topic] }

    private var critical: Set<String> { Set(apps.values.filter(\.allowsCriticalAlerts).map(\.topic)) }

    /// Returns the app of an installation; `nil` means that no app has the topic, or that the app is not for the owner.
    func app(_ key: InstallationKey) -> CenterApp? {
        apps[key.app].flatMap { $0.owners?.contains(key.owner.text) ?? true ? $0 : nil }
    }

    /// Finds the installation that a record is for, or says why there is none; whether there is such an owner, the
    /// store knows.
    func installation(owner: String, topic: String) throws(UnfitReason) -> (InstallationKey, CenterApp) {
        guard let name = OwnerName(owner) else { throw .unknownOwner }
        guard let key = InstallationKey(owner: name, app: topic), let app = app(key) else { throw .unknownApp }
        return (key, app)
    }
}

extension UnfitReason: Error {}
