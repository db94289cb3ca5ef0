// SPDX-License-Identifier: Apache-2.0

import WorkerSupervisor
import Yams

/// Judges a configuration as `serve` does, without becoming a host.
enum ConfigurationCheck {
    /// Every error that can be found at once; what is wrong in the file hides what is wrong on the machine.
    static func errors(of file: String) -> [CommandError] {
        let configuration: HostConfiguration
        do {
            configuration = try read(file)
        } catch {
            return error.errors
        }
        do {
            return machineErrors(of: try configuration.withRegisteredApps())
        } catch {
            return [error] + machineErrors(of: configuration)
        }
    }

    private struct Refusal: Error {
        let errors: [CommandError]
    }

    private static func read(_ file: String) throws(Refusal) -> HostConfiguration {
        let root: Node
        do throws(CommandError) {
            root = try ConfigurationDocument.read(file).root
        } catch {
            throw Refusal(errors: [error])
        }
        do throws(ConfigurationFaults) {
            return try HostConfiguration.section(root, of: file).read()
        } catch {
            throw Refusal(errors: error.errors)
        }
    }

    /// Returns an error for everything that the file names and the machine does not have or the host may not use.
    private static func machineErrors(of configuration: HostConfiguration) -> [CommandError] {
        var errors: [CommandError] = []
        func attempt(_ check: () throws(CommandError) -> Void) {
            do { try check() } catch { errors.append(error) }
        }
        for sink in configuration.remoteSinks {
            attempt { () throws(CommandError) in _ = try sink.prepare() }
        }
        attempt { () throws(CommandError) in _ = try configuration.admin?.token() }
        attempt { () throws(CommandError) in try configuration.socket?.check() }
        attempt { () throws(CommandError) in
            _ = try HostComposition.hello(configuration.apps, hasReplayFiles: configuration.stateFolder != nil)
        }
        attempt { () throws(CommandError) in try HostComposition.checkNoKeyIsSeen(by: configuration.apps) }
        return errors + launcherErrors(of: configuration)
    }

    /// The launcher judges key files, views and the sandbox; it is asked, and ends with this process.
    private static func launcherErrors(of configuration: HostConfiguration) -> [CommandError] {
        // It inherits the limit, and keeps a descriptor for each key.
        _ = DescriptorBudget.raiseLimit()
        var errors: [CommandError] = []
        do throws(LauncherError) {
            let sandbox = SandboxChoice(required: configuration.requiredProfile)
            let launcher = try Launcher(
                executable: HostComposition.programFolder + "/worker-launcher",
                strongestProfile: sandbox.strongest
            )
            for key in configuration.keyFiles {
                do throws(LauncherError) {
                    try launcher.register(keyFiles: [key])
                } catch {
                    errors.append(CommandError(error))
                }
            }
            do throws(CommandError) {
                try sandbox.check(launcher.capabilities)
            } catch {
                errors.append(error)
            }
            try launcher.register(viewsOf: configuration.apps.compactMap(\.supervisedExtension))
        } catch {
            errors.append(CommandError(error))
        }
        return errors
    }
}
