// SPDX-License-Identifier: Apache-2.0

import Ingress
import WorkerSupervisor
import Yams

/// Judges a configuration as `serve` does, without becoming a host.
enum ConfigurationCheck {
    /// Every error that was found at once; what is wrong in the file hides what is wrong on the machine.
    struct Refusal: Error {
        let errors: [CommandError]
    }

    /// Returns the configuration of a file that has no errors, as far as they can be found without an opener.
    static func configuration(of file: String) throws(Refusal) -> HostConfiguration {
        let configuration = try read(file)
        let whole: HostConfiguration
        do throws(CommandError) {
            whole = try configuration.withRegisteredApps()
        } catch {
            throw Refusal(errors: [error] + machineErrors(of: configuration))
        }
        let errors = machineErrors(of: whole)
        guard errors.isEmpty else { throw Refusal(errors: errors) }
        return whole
    }

    private static func read(_ file: String) throws(Refusal) -> HostConfiguration {
        let (document, root): (ConfigurationDocument, Node)
        do throws(CommandError) {
            (document, root) = try ConfigurationDocument.read(file)
        } catch {
            throw Refusal(errors: [error])
        }
        do throws(ConfigurationFaults) {
            var configuration = try HostConfiguration.section(root, of: file).read()
            configuration.document = document
            return configuration
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
        attempt { () throws(CommandError) in try configuration.fleet?.check() }
        attempt { () throws(CommandError) in try configuration.socket?.check() }
        attempt { () throws(CommandError) in try check(configuration.apns?.ingress, takesAPNs: true) }
        attempt { () throws(CommandError) in try check(configuration.webPush?.listener?.ingress, takesAPNs: false) }
        attempt { () throws(CommandError) in try checkState(configuration.stateFolder) }
        attempt { () throws(CommandError) in
            _ = try HostComposition.hello(
                configuration.apps,
                hasReplayFiles: configuration.stateFolder != nil,
                isInFleet: configuration.fleet != nil
            )
        }
        attempt { () throws(CommandError) in try configuration.checkNoKeyIsSeen() }
        return errors + launcherErrors(of: configuration)
    }

    private static func check(_ listener: HTTPConfiguration?, takesAPNs: Bool) throws(CommandError) {
        do { try listener?.check(takesAPNs: takesAPNs) } catch { throw CommandError(error) }
    }

    private static func checkState(_ folder: String?) throws(CommandError) {
        guard let folder else { return }
        do { try ReplayFiles.checkStart(folder: folder) } catch { throw CommandError(error) }
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
