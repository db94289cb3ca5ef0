// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// The host's first packets, understood: which descriptors hold whose keys, and what each app takes.
///
/// Source: PROTOCOL.md, "Opener".
struct Hello {
    struct App {
        let name: String
        let keys: [Int32]
        let policy: OpenPolicy
    }

    let apps: [App]
    /// The two files of what was opened, or none.
    let replayDescriptors: [Int32]
    /// True if the host hears the mark of each opened envelope.
    let wantsMarks: Bool

    /// Every key descriptor once.
    var keyDescriptors: Set<Int32> { Set(apps.flatMap(\.keys)) }

    /// Room for the keys of all files and for what each sender shares with each of them; a file has two keys as a rule,
    /// the current one and one that is retired.
    var secretByteCount: Int {
        apps.reduce(0) { $0 + $1.keys.count * 2 * 32 * (1 + $1.policy.senders.count) }
    }

    /// Reads all that the host announces, and judges it then: what is refused has been read to its end.
    static func receive(from socket: HostSocket) throws(Ending) -> Hello {
        do {
            var reader = try OpenerHello.Reader(try socket.receive())
            while true {
                if let hello = try reader.hello() { return try Hello(hello) }
                try reader.take(try socket.receive())
            }
        } catch let violation as OpenerHelloViolation {
            throw .protocolViolation(violation.reason)
        } catch let ending as Ending {
            throw ending
        } catch {
            throw .protocolViolation("hello cannot be read")
        }
    }

    private init(_ hello: OpenerHello) throws(Ending) {
        apps = try hello.policies.map { policy throws(Ending) in try App(policy) }
        replayDescriptors = hello.replays
        wantsMarks = hello.marks
    }
}

extension Hello.App {
    fileprivate init(_ policy: OpenerPolicy) throws(Ending) {
        name = policy.app
        keys = policy.keys
        var open = OpenPolicy()
        open.accept = try Self.formats(policy)
        open.senders = try Self.senders(policy)
        open.keepClear = Set(policy.keepClear)
        open.requiresSender = policy.requiresSender
        open.allowsCritical = policy.allowsCriticalAlerts
        self.policy = open
    }

    private static func formats(_ policy: OpenerPolicy) throws(Ending) -> Set<SealFormat> {
        var formats: Set<SealFormat> = []
        for name in policy.accept {
            guard let format = SealFormat(rawValue: name) else {
                let known = SealFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw .rejected(
                    Rejection(app: policy.app, "accept names an unknown format", hint: "known formats are \(known)")
                )
            }
            formats.insert(format)
        }
        return formats
    }

    private static func senders(_ policy: OpenerPolicy) throws(Ending) -> [OpenPolicy.Sender] {
        var senders: [OpenPolicy.Sender] = []
        for (index, sender) in policy.senders.enumerated() {
            do {
                senders.append(.init(publicKey: try PublicKey(parsing: sender.publicKey), name: sender.name))
            } catch {
                // Without a name of its own a sender has that of its key, which may be a secret one by mistake.
                let name = sender.name == sender.publicKey ? "\(index + 1)" : "\"\(sender.name.withoutSecrets)\""
                throw .rejected(
                    Rejection(app: policy.app, "the key of sender \(name) \(error)", hint: error.hint)
                )
            }
        }
        return senders
    }
}
