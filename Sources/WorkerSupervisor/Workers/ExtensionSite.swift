// SPDX-License-Identifier: Apache-2.0

import HostRuntime

/// An app's extension for one owner, as all owners of the supervisor's state know it; nothing of it changes.
final class ExtensionSite: Sendable {
    /// The app's extension, with the folder of this owner.
    let configuration: SupervisedExtension
    /// The owner of every notification that the site's workers get.
    let owner: String
    /// True if the site has the app's own folder and keychain; every other one has the owner's.
    let isFirst: Bool
    /// The site's number in the roster.
    let index: Int
    /// The app's number with the launcher, which decides on what its processes see.
    let slot: UInt32
    /// The site's number with the launcher: as root, its processes run under one uid of their own, counted from here.
    let user: UInt32
    /// The folder in which the extension stores things; `nil` means that it stores nothing.
    let storage: AppStorage?

    /// `app` is the number of the app among all extensions.
    init(_ configuration: SupervisedExtension, app: Int, owner: String, isFirst: Bool, index: Int) {
        self.configuration = configuration
        self.owner = owner
        self.isFirst = isFirst
        self.index = index
        storage = configuration.grants.storagePath.flatMap { try? AppStorage(path: $0) }
        slot = SupervisorConfiguration.slot(ofExtensionAt: app)
        user = SupervisorConfiguration.user(ofSiteAt: index)
    }

    /// The site of a content extension beside the service extension of the same app and owner, whose user, folder and
    /// place at the launcher it has.
    init(_ content: SupervisedExtension, beside site: ExtensionSite) {
        configuration = content
        owner = site.owner
        isFirst = site.isFirst
        index = site.index
        storage = site.storage
        slot = site.slot
        user = site.user
    }

    /// The app, and the owner whose notifications the workers have.
    var app: OwnedApp { OwnedApp(topic: configuration.app, owner: owner) }
}

extension SupervisedExtension {
    /// The terms of a site's workers in the roster; `app` is the number of the app among all extensions.
    func terms(app: Int, isFirst: Bool) -> Roster.Terms {
        Roster.Terms(
            requestsPerWorker: requestsPerWorker,
            servedLimit: isolation == .app ? 1000 : 1,
            workers: max(1, workerLimit),
            // What a notification may use of the network is its own.
            mostAhead: grantsNetwork ? 0 : Roster.aheadLimit,
            // Views have a memory of their own beside that of all workers, and such an app has no worker.
            memoryByteCount: role == .content ? 0 : memoryLimitByteCount,
            app: app,
            isFirst: isFirst
        )
    }

    /// Notifications of one worker at once.
    var requestsPerWorker: Int { isolation == .app ? max(1, maxConcurrentRequests) : 1 }

    /// Processor seconds after which the kernel ends a worker, should the host not have recycled it long before.
    ///
    /// A process for one notification can burn every core from its start to the budget's end; the limit of a warm one
    /// is for its life.
    func processorSecondLimit(cores: Int) -> UInt64 {
        if role == .content {
            return UInt64(clamping: ViewRules.processorTime.components.seconds + Int64(cores) + 5)
        }
        return switch isolation {
        case .app: 600
        case .notification:
            UInt64(clamping: Int64(cores) * ((startLimit + budget).components.seconds + 1) + 5)
        }
    }
}
