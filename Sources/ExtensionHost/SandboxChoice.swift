// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import WorkerSupervisor

/// A sandbox profile by its letter, the strongest first.
enum SandboxProfile: String, CaseIterable, ExpressibleByArgument {
    case A, B, C, D
}

/// The options of the commands that run extensions.
struct SandboxOptions: ParsableArguments {
    @Flag(help: "Run where nothing separates an extension from the host (profile D).")
    var insecure = false

    @Option(help: "The strongest sandbox profile to use, to try a weaker one: A, B, C or D.")
    var profile = SandboxProfile.A
}

/// The sandbox profiles that the host may run with.
struct SandboxChoice {
    /// The host does not start with a weaker one; nil: with nothing weaker than C, unless it is told to be insecure.
    var required: SandboxProfile?
    var strongestProfile = SandboxProfile.A
    var isInsecure = false

    /// The choice of a command without options of its own.
    init(required: SandboxProfile?) {
        self.required = required
    }

    init(_ options: SandboxOptions, required: SandboxProfile? = nil) {
        self.required = required
        strongestProfile = options.profile
        isInsecure = options.insecure
    }

    var strongest: Character { Character(strongestProfile.rawValue) }

    func check(_ found: Launcher.Capabilities) throws(CommandError) {
        if let required, found.profile > Character(required.rawValue) {
            throw CommandError(
                "sandbox profile \(found.profile) is weaker than \(required), which the configuration requires",
                hint: "\"\(Terminal.program) doctor\" tells what is missing"
            )
        }
        guard isInsecure || found.profile != "D" else {
            throw CommandError(
                "nothing on this machine separates an extension from the host",
                hint: "\"\(Terminal.program) doctor\" tells what is missing; --insecure runs extensions all the same"
            )
        }
    }

    /// Returns a warning about the profile in force; nil if the profile gives extensions namespaces of their own.
    static func warning(of found: Launcher.Capabilities) -> String? {
        switch found.profile {
        case "A", "B": nil
        case "C":
            "sandbox profile C: extensions have no namespaces of their own and see which files and processes there are"
        default: "sandbox profile D: extensions read what the host's user may read"
        }
    }
}
