// SPDX-License-Identifier: Apache-2.0

import CLauncherProtocol
import Foundation
import Glibc
import WorkerProtocol

/// Orders workers from the launcher and tells each of them what it is.
struct WorkerStarter {
    private let launcher: Launcher
    private let timeZone: String
    private let reportsRefusedCalls: Bool

    private static let coreCount = max(1, sysconf(CInt(_SC_NPROCESSORS_ONLN)))

    init(_ equipment: Equipment) {
        launcher = equipment.launcher
        timeZone = equipment.configuration.timeZone
        reportsRefusedCalls = equipment.configuration.reportsRefusedCalls
    }

    func order(_ serial: UInt64, for site: ExtensionSite) -> ProcessOrder {
        ProcessOrder(
            serial: serial,
            kind: LAUNCHER_EXTENSION,
            slot: site.slot,
            user: site.user,
            folder: site.configuration.bundlePath,
            executable: site.configuration.executable,
            memoryLimitByteCount: site.configuration.memoryLimitByteCount,
            processorSecondLimit: site.configuration.processorSecondLimit(cores: Self.coreCount),
            grants: site.configuration.grants,
            timeZone: timeZone
        )
    }

    /// The first packet of a conversation.
    func hello(to site: ExtensionSite) throws -> [UInt8] {
        try HostMessage.hello(
            HostMessage.Hello(
                bundleIdentifier: site.configuration.bundleIdentifier,
                topic: site.configuration.app,
                scratch: scratchFolder(of: site),
                maxConcurrentRequests: site.configuration.maxConcurrentRequests,
                filter: filter(for: site.configuration.grants),
                hasCenter: site.configuration.hasCenter
            )
        )
        .packet.encoded()
    }

    /// The path under which the worker sees its scratch folder.
    private func scratchFolder(of site: ExtensionSite) -> String? {
        let grants = site.configuration.grants
        guard grants.scratchByteCount > 0 else { return nil }
        return launcher.hasOwnRoot ? "/scratch" : grants.storagePath
    }

    /// Stage 2 as the SDK loads it; `nil` means that the launcher made none.
    private func filter(for grants: LaunchGrants) -> String? {
        let hasScratch = grants.scratchByteCount > 0
        let code = launcher.stage2(
            scratch: hasScratch,
            network: hasScratch && grants.network,
            trap: reportsRefusedCalls
        )
        return code.isEmpty ? nil : Data(code).base64EncodedString()
    }
}
