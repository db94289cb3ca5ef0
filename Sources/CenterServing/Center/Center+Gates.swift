// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import CenterStore
import DatabaseFile
import UserNotificationCenter

// The apps whose service extensions are not started.
extension Center {
    /// Installations that are read in one transaction.
    private static let page = 1000

    /// All gates that are shut; over the limit of a list the rest stays open.
    func shutGates() throws(DatabaseFailure) -> GateList {
        var list = GateList(isWhole: true)
        var last: Int64 = 0
        while list.shut.count < GateList.limit {
            let page = try store.installations(after: last, limit: Self.page)
            guard let end = page.last?.number else { break }
            last = end
            let shut = page.filter { !AppPermission(stored: $0.permission).runsServiceExtension }
            list.shut += shut.prefix(GateList.limit - list.shut.count).map { Gate($0.key) }
        }
        return list
    }

    /// The gates of these apps as they stand now.
    func gates(of keys: Set<InstallationKey>) throws(DatabaseFailure) -> GateList {
        var list = GateList(isWhole: false)
        for key in keys {
            if try permission(of: key).runsServiceExtension {
                list.open.append(Gate(key))
            } else {
                list.shut.append(Gate(key))
            }
        }
        return list
    }
}

extension Gate {
    fileprivate init(_ key: InstallationKey) {
        self.init(owner: key.owner.text, topic: key.app)
    }
}
