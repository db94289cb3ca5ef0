// SPDX-License-Identifier: Apache-2.0

public import Foundation
import HostLog
import WorkerFolders

/// A folder that all extensions of an app share.
struct AppGroup {
    let identifier: String

    /// Absolute; exists.
    let path: String

    /// Returns `nil` outside a worker, in one that has no folder, and for a group that the bundle does not list under
    /// `AppGroups`.
    init?(_ identifier: String, listed: Set<String> = Self.listed) {
        guard let scratch = WorkerFolders.scratch, listed.contains(identifier) else { return nil }
        self.identifier = identifier
        path = "\(scratch)/groups/\(identifier)"
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            HostLog.warnOnce("the folder of app group \"\(identifier)\" cannot be made")
            return nil
        }
    }

    /// The groups of the bundle that this process was started from.
    static let listed = groups(in: Bundle.main.infoDictionary)

    static func groups(in info: [String: Any]?) -> Set<String> {
        let service = info?["NSExtension"] as? [String: Any]
        let attributes = service?["NSExtensionAttributes"] as? [String: Any]
        return Set((attributes?["AppGroups"] as? [String] ?? []).filter(WorkerFolders.isAppGroup))
    }

    static func warnOfUnlisted(_ identifier: String) {
        HostLog.warnOnce("app group \"\(identifier)\" is not listed under AppGroups in Info.plist")
    }
}

extension FileManager {
    /// The folder of an app group; nil for one that the app may not use.
    ///
    /// Apple asks the entitlement of the app. Here the bundle lists its groups under `AppGroups` of
    /// NSExtensionAttributes in Info.plist, and the folder is `groups/<identifier>` of the scratch folder, which
    /// outlives the process where the app has storage. Outside a worker, and in one without a scratch folder, there are
    /// no groups.
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard let group = AppGroup(groupIdentifier) else {
            AppGroup.warnOfUnlisted(groupIdentifier)
            return nil
        }
        return URL(fileURLWithPath: group.path, isDirectory: true)
    }
}
