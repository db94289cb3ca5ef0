// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import Ingress
import WorkerProtocol
import WorkerSupervisor

// The errors of the libraries in words for people.
extension LauncherError: CommandFailure {
    package var commandError: CommandError {
        switch self {
        case .notStarted(let executable, let cause):
            CommandError(
                "cannot start \"\(executable)\": \(cause)",
                hint: "worker-launcher and payload-opener stand beside extension-host"
            )
        case .notReady(let executable):
            CommandError(
                "\"\(executable)\" ended before it was ready",
                hint: "\"\(Terminal.program) doctor\" tells what this machine offers"
            )
        case .lost:
            CommandError("worker-launcher is gone")
        case .keyFile(let path, let refusal):
            refusal.commandError(on: path)
        case .view(let path, let cause) where cause.code == ENOSPC:
            CommandError("\"\(path)\" is one too many to show to an extension: \(cause)", hint: "name a folder above")
        case .view(let path, let cause):
            CommandError(
                "\"\(path)\" cannot be shown to an extension: \(cause)",
                hint: "\"view\" names folders, \"interpreter\" a program"
            )
        case .controlGroup(let path, let cause):
            CommandError(
                "no groups for workers can be made in cgroup \"\(path)\": \(cause)",
                hint: "the service manager delegates it: \"Delegate=memory pids\""
            )
        }
    }
}

extension KeyFileRefusal {
    fileprivate func commandError(on path: String) -> CommandError {
        switch self {
        case .unreadable(let cause): CommandError("key file \"\(path)\" is not readable: \(cause)")
        case .notAFile: CommandError("key file \"\(path)\" is no regular file")
        case .openToOthers:
            CommandError("key file \"\(path)\" is open to other users", hint: "chmod 600 \(path)")
        case .foreignOwner:
            CommandError("key file \"\(path)\" belongs to another user", hint: "chown it to the user of the host")
        case .symbolicLink:
            CommandError("key file \"\(path)\" is a symbolic link", hint: "name the file itself")
        case .tooMany(let limit): CommandError("key file \"\(path)\" is one too many: \(limit) are possible")
        case .sealed: CommandError("key file \"\(path)\" came after the registration of keys had ended")
        }
    }
}

extension StateFolderError: CommandFailure {
    package var commandError: CommandError {
        switch self {
        case .unusable(let path, let cause):
            CommandError(
                "state \"\(path)\" is not usable: \(cause)",
                hint: "the state folder must be this user's own, on a disk that can be written"
            )
        case .wrongKind(let path):
            CommandError("state \"\(path)\" is not what it should be: a folder with two files of the host's own")
        case .foreignOwner(let path):
            CommandError("state \"\(path)\" belongs to another user", hint: "chown it to the user of the host")
        case .openToOthers(let path):
            CommandError("state \"\(path)\" is open to other users", hint: "chmod go= \(path)")
        case .inUse(let path):
            CommandError(
                "state \"\(path)\" is in use by another host",
                hint: "give each host a state folder of its own"
            )
        case .appName(let name):
            CommandError(
                "topic \"\(name)\" is no name of a folder",
                hint: "an app whose extension may write has a topic without \"/\""
            )
        case .ownerName(let name):
            CommandError(
                "owner \"\(name)\" is no name of an owner",
                hint: "a name has up to 64 of a-z, 0-9, \".\", \"_\" and \"-\", the first one a letter or a digit"
            )
        }
    }
}

extension OpenerError {
    /// The error in words for a person; the files are the opener's, in the order of their descriptors.
    func commandError(keyFiles: [String], replayFiles: [String]) -> CommandError {
        switch self {
        case .rejected(let descriptor, let line, let reason, let hint):
            CommandError(
                Self.place(descriptor, line: line, keyFiles: keyFiles, replayFiles: replayFiles) + reason,
                hint: hint
            )
        case .notStarted(let cause):
            CommandError(
                "payload-opener was not started: \(cause)",
                hint: ["open executable", "bundle view"].contains(cause.call)
                    ? "worker-launcher and payload-opener stand beside extension-host"
                    : "\"extension-host doctor\" tells what this machine offers"
            )
        case .exited(let exit):
            CommandError(
                "payload-opener ended before it was ready, with \(exit)",
                hint: "--log-level debug shows its output"
            )
        case .protocolViolation:
            CommandError(
                "payload-opener does not speak this version's protocol",
                hint: "install the programs of one build"
            )
        case .notReady, .silent:
            CommandError("payload-opener was not ready in time", hint: "--log-level debug shows its output")
        case .launcherLost:
            CommandError("worker-launcher is gone")
        }
    }

    /// The beginning of an error that names the file behind `descriptor`, and the line; empty for a descriptor that is
    /// neither a key file's nor a replay file's.
    private static func place(
        _ descriptor: Int?,
        line: Int?,
        keyFiles: [String],
        replayFiles: [String]
    ) -> String {
        let key = (descriptor ?? -1) - firstKeyDescriptor
        let replay = (descriptor ?? -1) - firstReplayDescriptor
        if keyFiles.indices.contains(key) {
            let file = keyFiles[key]
            return line.map { "\(file):\($0): " } ?? "key file \"\(file)\": "
        }
        return replayFiles.indices.contains(replay) ? "replay file \"\(replayFiles[replay])\": " : ""
    }
}

extension OpenerHelloError: CommandFailure {
    package var commandError: CommandError {
        switch self {
        case .tooManyApps(let count):
            CommandError(
                "there are \(count) apps with keys, at most \(OpenerHello.appLimit) are possible",
                hint: "run several hosts"
            )
        case .tooManySenders(let count):
            CommandError(
                "the apps have \(count) senders together, at most \(OpenerHello.senderLimit) are possible",
                hint: "run several hosts"
            )
        case .policyTooLong(let app):
            CommandError(
                "app \"\(app)\" has more senders and keep-clear keys than fit one packet of 64 KiB",
                hint: "list fewer senders"
            )
        case .tooLong(let byteCount):
            CommandError(
                "the apps' policies have \(byteCount) bytes, at most \(OpenerHello.byteCountLimit) are possible",
                hint: "run several hosts"
            )
        }
    }
}

extension JournalError {
    /// The error in words for a person; the folder is the journal's.
    func commandError(in folder: String) -> CommandError {
        switch self {
        case .disk(let reason):
            CommandError("the journal in \"\(folder)\" cannot be written: \(reason)", hint: nextStep)
        case .locked:
            CommandError("the journal in \"\(folder)\" is locked by another process", hint: nextStep)
        case .corrupt(let reason):
            CommandError("the journal in \"\(folder)\" is damaged: \(reason)", hint: nextStep)
        case .database(let reason, let hint): CommandError(reason, hint: hint)
        }
    }
}

extension IngressError: CommandFailure {
    package var commandError: CommandError { CommandError(message, hint: hint) }
}
