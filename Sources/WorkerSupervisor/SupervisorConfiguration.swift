// SPDX-License-Identifier: Apache-2.0

package import CenterProtocol
import Glibc
package import HostRuntime
package import Keychain

/// The processes that the supervisor starts, and their limits.
package struct SupervisorConfiguration: Sendable {
    /// One extension for each app.
    package var extensions: [SupervisedExtension]
    /// Content extensions of apps that have a service extension among `extensions`.
    ///
    /// Each shares that one's user, its folder, its interpreter and its further folders: to the launcher they are one
    /// app, and a user belongs to one app for good.
    package var contents: [SupervisedExtension]
    /// The process that opens payloads; `nil` means that no app has keys.
    package var opener: SupervisedOpener?
    /// Value of TZ for every started process; empty: not set.
    package var timeZone: String
    /// The store of notifications' files; `nil` means that files are refused.
    package var attachmentStore: (any AttachmentKeeping)?
    /// Serves workers with the network grant; nil: they reach nothing.
    package var network: (any NetworkGranting)?
    /// Answers what a worker asks of its keychain, and blocks for as long as the disk does; nil: there is none.
    package var keychain: KeychainCaller?
    /// Takes workers' calls to the notification centre; nil: there is none.
    package var center: CenterCaller?
    /// The host's folder, in which further owners of extensions get theirs; `nil` means that they store nothing.
    package var folder: HostFolder?
    /// Workers at once, of all apps together and those that are ending included.
    package var processLimit: Int
    /// The sum of their memory limits, but for the first worker of each app and of each of its owners, which is started
    /// in any case.
    package var memoryByteCount: UInt64
    /// A worker that makes a system call which its own filter refuses names it in a log message before it dies: for
    /// development, since a process that is killed at once can do nothing more.
    package var reportsRefusedCalls: Bool

    package init(
        extensions: [SupervisedExtension],
        contents: [SupervisedExtension] = [],
        opener: SupervisedOpener?,
        timeZone: String = "",
        attachmentStore: (any AttachmentKeeping)? = nil,
        network: (any NetworkGranting)? = nil,
        keychain: KeychainCaller? = nil,
        center: CenterCaller? = nil,
        folder: HostFolder? = nil,
        processLimit: Int = 512,
        memoryByteCount: UInt64 = .max,
        reportsRefusedCalls: Bool = false
    ) {
        self.extensions = extensions
        self.contents = contents
        self.opener = opener
        self.timeZone = timeZone
        self.attachmentStore = attachmentStore
        self.network = network
        self.keychain = keychain
        self.center = center
        self.folder = folder
        self.processLimit = processLimit
        self.memoryByteCount = memoryByteCount
        self.reportsRefusedCalls = reportsRefusedCalls
    }

    /// The limits on the workers of all apps together.
    var bounds: Roster.Bounds {
        Roster.Bounds(
            processes: processLimit,
            memoryByteCount: memoryByteCount,
            processors: max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
        )
    }

    /// The number of an app with the launcher, which decides on its view.
    static func slot(ofExtensionAt index: Int) -> UInt32 { UInt32(index) + 1 }

    /// The number of a site with the launcher, which decides on its user.
    static func user(ofSiteAt index: Int) -> UInt32 { UInt32(index) + 1 }
}

/// Takes a call of a worker to the keychain of its app and owner.
///
/// `isFirst` is true for the owner who has the app's own keychain.
package typealias KeychainCaller = @Sendable (_ call: KeychainCall, _ app: OwnedApp, _ isFirst: Bool) -> KeychainAnswer

/// Takes a call of an app's worker to the notification centre that has the app's notifications, and the files that its
/// descriptors stand for, in their order.
///
/// The call is handed on before the function returns, so that it comes to the centre before every record that is
/// concluded later. `answer` is called once, on any thread, and with `notAllowed` when no centre has answered in time.
package typealias CenterCaller =
    @Sendable (
        _ call: CenterCall, _ files: [HeldFile], _ app: OwnedApp, _ answer: @escaping @Sendable (CallAnswer) -> Void
    ) -> Void

/// An extension of an app as the supervisor runs it.
package struct SupervisedExtension: Sendable {
    package enum Isolation: String, Sendable, CaseIterable {
        /// One warm process for the app's notifications.
        case app
        /// A fresh process for each.
        case notification
    }

    /// The part that the bundle's extension point gives it.
    package enum Role: Sendable {
        /// Changes pushes before they are delivered: it has workers from the start.
        case service
        /// Shows what was delivered: each view has a process of its own.
        case content
    }

    package var role = Role.service
    /// The app's bundle identifier.
    package let app: String
    /// The extension's own bundle identifier.
    package let bundleIdentifier: String
    /// Absolute path of the bundle folder.
    package let bundlePath: String
    /// Name of the executable in it.
    package let executable: String
    /// Notifications of one worker at once.
    package let maxConcurrentRequests: Int
    /// Workers that serve at once; a spare comes on top.
    package let workerLimit: Int
    /// A worker may have so much anonymous memory.
    package let memoryLimitByteCount: UInt64
    /// The extension may store so much for later.
    package let storageLimit: StorageLimit
    package let isolation: Isolation
    /// Longest time from start to `ready`.
    package let startLimit: Duration
    /// Longest time of one notification with a worker.
    package let budget: Duration
    /// Absolute paths of folders that it sees beside its bundle, read-only.
    package let viewFolders: [String]
    /// Absolute path of the program that runs the executable; nil: it is a program itself.
    package let interpreter: String?
    /// Size of its scratch folder and of each file in it; 0: it has none, and no network.
    package let scratchByteCount: UInt64
    /// Absolute path of a folder with `home`, `groups` and `tmp` in it, which belong to the worker's user and outlive
    /// it; nil: what it writes is gone with the process.
    package var storagePath: String?
    /// True if the extension may connect to the host's proxy: with a scratch folder, and where the machine can confine
    /// it to that proxy; where not, every record says so.
    package let grantsNetwork: Bool
    /// True if the app's notifications lie in a notification centre, which takes calls of its workers.
    package var hasCenter = false

    package init(
        app: String,
        bundleIdentifier: String,
        bundlePath: String,
        executable: String,
        maxConcurrentRequests: Int = 1,
        workerLimit: Int = 16,
        memoryLimitByteCount: UInt64 = 24 << 20,
        storageLimit: StorageLimit = StorageLimit(),
        isolation: Isolation = .app,
        startLimit: Duration = .seconds(20),
        budget: Duration = .seconds(30),
        viewFolders: [String] = [],
        interpreter: String? = nil,
        scratchByteCount: UInt64 = 0,
        storagePath: String? = nil,
        grantsNetwork: Bool = false
    ) {
        self.app = app
        self.bundleIdentifier = bundleIdentifier
        self.bundlePath = bundlePath
        self.executable = executable
        self.maxConcurrentRequests = maxConcurrentRequests
        self.workerLimit = workerLimit
        self.memoryLimitByteCount = memoryLimitByteCount
        self.storageLimit = storageLimit
        self.isolation = isolation
        self.startLimit = startLimit
        self.budget = budget
        self.viewFolders = viewFolders
        self.interpreter = interpreter
        self.scratchByteCount = scratchByteCount
        self.storagePath = storagePath
        self.grantsNetwork = grantsNetwork
    }

    var grants: LaunchGrants {
        LaunchGrants(
            scratchByteCount: scratchByteCount,
            storagePath: scratchByteCount > 0 ? storagePath : nil,
            network: grantsNetwork
        )
    }
}

/// The process that holds the keys.
package struct SupervisedOpener: Sendable {
    /// Absolute path of the folder that holds the program.
    package let folder: String
    package let executable: String
    /// The packets of its hello, encoded: the apps, their policies, and which descriptor holds which key.
    package let hello: [[UInt8]]
    /// The files in which openers remember what they opened; `nil` means that each process remembers for itself.
    package let replayFiles: ReplayFiles?
    /// Longest wait for one answer; an opener that takes longer hangs.
    package let answerLimit: Duration
    /// Longest time from start to `ready`.
    package let startLimit: Duration

    package init(
        folder: String,
        executable: String = "payload-opener",
        hello: [[UInt8]],
        replayFiles: ReplayFiles? = nil,
        answerLimit: Duration = .seconds(2),
        startLimit: Duration = .seconds(10)
    ) {
        self.folder = folder
        self.executable = executable
        self.hello = hello
        self.replayFiles = replayFiles
        self.answerLimit = answerLimit
        self.startLimit = startLimit
    }
}
