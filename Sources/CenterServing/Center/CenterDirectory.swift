// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore

/// The owners and apps of a centre, as the host's configuration names them.
struct CenterDirectory: Sendable {
    private var owners: [String: CenterOwner] = [:]
    private var apps: [String: CenterApp] = [:]

    init() {}

    init(_ registry: LinkRegistry) {
        owners = Dictionary(registry.owners.map { ($0.name, $0) }) { first, _ in first }
        apps = Dictionary(registry.apps.map { ($0.topic, $0) }) { first, _ in first }
    }

    /// `nil` means that no app has the topic.
    func app(_ topic: String) -> CenterApp? { apps[topic] }

    /// Finds the installation that a record is for, or says why there is none.
    func installation(owner: String, topic: String) throws(UnfitReason) -> (InstallationKey, CenterApp) {
        guard owners[owner] != nil, let name = OwnerName(owner) else { throw .unknownOwner }
        guard let app = apps[topic], app.owners?.contains(owner) ?? true,
            let key = InstallationKey(owner: name, app: topic)
        else { throw .unknownApp }
        return (key, app)
    }
}

extension UnfitReason: Error {}
