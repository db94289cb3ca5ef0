// SPDX-License-Identifier: Apache-2.0

/// An app's extension as all owners of the supervisor's state know it; nothing of it changes.
final class ExtensionSite: Sendable {
    let configuration: SupervisedExtension
    /// The app's number in the roster.
    let index: Int
    /// The app's number with the launcher: as root, the app's processes run under one uid of their own, counted from
    /// here.
    let slot: UInt32
    /// The folder in which the extension stores things; `nil` means that it stores nothing.
    let storage: AppStorage?

    init(_ configuration: SupervisedExtension, index: Int) {
        self.configuration = configuration
        self.index = index
        storage = configuration.grants.storagePath.flatMap { try? AppStorage(path: $0) }
        slot = SupervisorConfiguration.slot(ofExtensionAt: index)
    }
}

extension SupervisedExtension {
    /// The terms of the app's workers in the roster.
    var terms: Roster.Terms {
        Roster.Terms(
            requestsPerWorker: isolation == .app ? max(1, maxConcurrentRequests) : 1,
            servedLimit: isolation == .app ? 1000 : 1,
            workers: max(1, workerLimit),
            memoryByteCount: memoryLimitByteCount
        )
    }

    /// Processor seconds after which the kernel ends a worker, should the host not have recycled it long before.
    ///
    /// A process for one notification can burn every core from its start to the budget's end; the limit of a warm one
    /// is for its life.
    func processorSecondLimit(cores: Int) -> UInt64 {
        switch isolation {
        case .app: 600
        case .notification:
            UInt64(clamping: Int64(cores) * ((startLimit + budget).components.seconds + 1) + 5)
        }
    }
}
