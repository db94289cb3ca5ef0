// SPDX-License-Identifier: Apache-2.0

import Glibc
import HostRuntime
import WorkerProtocol
import WorkerSupervisor

// What the libraries say in types, said to people.
extension CommandError {
    init(_ error: LauncherError) {
        switch error {
        case .notStarted(let executable, let cause):
            self.init(
                "cannot start \"\(executable)\": \(cause)",
                hint: "worker-launcher and payload-opener stand beside extension-host"
            )
        case .notReady(let executable):
            self.init(
                "\"\(executable)\" ended before it was ready",
                hint: "\"\(Terminal.program) doctor\" tells what this machine offers"
            )
        case .lost:
            self.init("worker-launcher is gone")
        case .keyFile(let path, let refusal):
            self.init(keyFile: path, refusal)
        case .view(let path, let cause) where cause.code == ENOSPC:
            self.init("\"\(path)\" is one too many to show to an extension: \(cause)", hint: "name a folder above")
        case .view(let path, let cause):
            self.init(
                "\"\(path)\" cannot be shown to an extension: \(cause)",
                hint: "\"view\" names folders, \"interpreter\" a program"
            )
        case .controlGroup(let path, let cause):
            self.init(
                "no groups for workers can be made in cgroup \"\(path)\": \(cause)",
                hint: "the service manager delegates it: \"Delegate=memory pids\""
            )
        }
    }

    private init(keyFile path: String, _ refusal: KeyFileRefusal) {
        switch refusal {
        case .unreadable(let cause): self.init("key file \"\(path)\" is not readable: \(cause)")
        case .notAFile: self.init("key file \"\(path)\" is no regular file")
        case .openToOthers:
            self.init("key file \"\(path)\" is open to other users", hint: "chmod 600 \(path)")
        case .foreignOwner:
            self.init("key file \"\(path)\" belongs to another user", hint: "chown it to the user of the host")
        case .symbolicLink:
            self.init("key file \"\(path)\" is a symbolic link", hint: "name the file itself")
        case .tooMany(let limit): self.init("key file \"\(path)\" is one too many: \(limit) are possible")
        case .sealed: self.init("key file \"\(path)\" came after the registration of keys had ended")
        }
    }

    init(_ error: StateFolderError) {
        switch error {
        case .unusable(let path, let cause):
            self.init(
                "state \"\(path)\" is not usable: \(cause)",
                hint: "the state folder must be this user's own, on a disk that can be written"
            )
        case .wrongKind(let path):
            self.init("state \"\(path)\" is not what it should be: a folder with two files of the host's own")
        case .foreignOwner(let path):
            self.init("state \"\(path)\" belongs to another user", hint: "chown it to the user of the host")
        case .openToOthers(let path):
            self.init("state \"\(path)\" is open to other users", hint: "chmod go= \(path)")
        case .inUse(let path):
            self.init("state \"\(path)\" is in use by another host", hint: "give each host a state folder of its own")
        case .appName(let name):
            self.init(
                "topic \"\(name)\" is no name of a folder",
                hint: "an app whose extension may write has a topic without \"/\""
            )
        }
    }

    /// The files are the opener's, in the order of their descriptors.
    init(_ error: OpenerError, keyFiles: [String], replayFiles: [String]) {
        switch error {
        case .rejected(let descriptor, let line, let reason, let hint):
            let key = (descriptor ?? -1) - OpenerError.firstKeyDescriptor
            let replay = (descriptor ?? -1) - OpenerError.firstReplayDescriptor
            var place = ""
            if keyFiles.indices.contains(key) {
                place = line.map { "\(keyFiles[key]):\($0): " } ?? "key file \"\(keyFiles[key])\": "
            } else if replayFiles.indices.contains(replay) {
                place = "replay file \"\(replayFiles[replay])\": "
            }
            self.init(place + reason, hint: hint)
        case .notStarted(let cause):
            self.init(
                "payload-opener was not started: \(cause)",
                hint: ["open executable", "bundle view"].contains(cause.call)
                    ? "worker-launcher and payload-opener stand beside extension-host"
                    : "\"extension-host doctor\" tells what this machine offers"
            )
        case .exited(let exit):
            self.init(
                "payload-opener ended before it was ready, with \(exit)",
                hint: "--log-level debug shows its output"
            )
        case .protocolViolation:
            self.init(
                "payload-opener does not speak this version's protocol",
                hint: "install the programs of one build"
            )
        case .notReady, .silent:
            self.init("payload-opener was not ready in time", hint: "--log-level debug shows its output")
        case .launcherLost:
            self.init("worker-launcher is gone")
        }
    }
}

extension CommandError {
    init(_ error: OpenerHelloError) {
        switch error {
        case .tooManyApps(let count):
            self.init(
                "there are \(count) apps with keys, at most \(OpenerHello.appLimit) are possible",
                hint: "run several hosts"
            )
        case .tooManySenders(let count):
            self.init(
                "the apps have \(count) senders together, at most \(OpenerHello.senderLimit) are possible",
                hint: "run several hosts"
            )
        case .policyTooLong(let app):
            self.init(
                "app \"\(app)\" has more senders and keep-clear keys than fit one packet of 64 KiB",
                hint: "list fewer senders"
            )
        case .tooLong(let byteCount):
            self.init(
                "the apps' policies have \(byteCount) bytes, at most \(OpenerHello.byteCountLimit) are possible",
                hint: "run several hosts"
            )
        }
    }
}

extension CommandError {
    init(_ error: JournalError, in folder: String) {
        switch error {
        case .disk(let reason):
            self.init("the journal in \"\(folder)\" cannot be written: \(reason)", hint: error.nextStep)
        case .locked:
            self.init("the journal in \"\(folder)\" is locked by another process", hint: error.nextStep)
        case .corrupt(let reason):
            self.init("the journal in \"\(folder)\" is damaged: \(reason)", hint: error.nextStep)
        }
    }
}
