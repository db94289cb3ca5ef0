// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// The host's first packet: which descriptors hold whose keys, and what each app takes.
///
/// Body: `{"protocol":1,"replays":[descriptor,descriptor]?,"apps":[{"app","keys":[descriptor…],"accept":[format…],
/// "senders":[{"public-key","name"?}…],"requireSender","keepClear":[key…],"allowsCritical"}…]}`.
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

    /// Every key descriptor once.
    var keyDescriptors: Set<Int32> { Set(apps.flatMap(\.keys)) }

    init(_ packet: Packet) throws(Ending) {
        guard packet.type == .hello else { throw .protocolViolation("the first packet is no hello") }
        guard packet.body["protocol"]?.integer == workerProtocolVersion else {
            throw .protocolViolation("hello offers another protocol")
        }
        guard let list = packet.body["apps"]?.array else { throw .protocolViolation("hello has no apps") }
        var apps: [App] = []
        for entry in list {
            guard let entry = entry.object, let name = entry["app"]?.string else {
                throw .protocolViolation("hello has an app without a name")
            }
            guard !apps.contains(where: { $0.name == name }) else {
                throw .protocolViolation("hello names an app twice")
            }
            apps.append(try App(name, entry))
        }
        self.apps = apps
        replayDescriptors = try Self.descriptors("replays", packet.body)
        guard [0, 2].contains(Set(replayDescriptors).count), keyDescriptors.isDisjoint(with: replayDescriptors) else {
            throw .protocolViolation("hello names replay files that are not two")
        }
    }

    fileprivate static func descriptors(_ key: String, _ entry: JSONObject) throws(Ending) -> [Int32] {
        var descriptors: [Int32] = []
        for value in try list(key, entry) {
            // 0, 1 and 2 are standard streams, 3 is the socket.
            guard let number = value.integer, let descriptor = Int32(exactly: number), descriptor > 3 else {
                throw .protocolViolation("hello has in \"\(key)\" what is no descriptor")
            }
            descriptors.append(descriptor)
        }
        return descriptors
    }

    fileprivate static func list(_ key: String, _ entry: JSONObject) throws(Ending) -> [JSON] {
        guard let value = entry[key] else { return [] }
        guard let list = value.array else { throw .protocolViolation("hello has \"\(key)\" that is no list") }
        return list
    }
}

extension Hello.App {
    fileprivate init(_ name: String, _ entry: JSONObject) throws(Ending) {
        self.name = name
        keys = try Hello.descriptors("keys", entry)
        var policy = OpenPolicy()
        if entry["accept"] != nil { policy.accept = try Self.formats(entry, name) }
        policy.senders = try Self.senders(entry, name)
        policy.keepClear = Set(try Hello.list("keepClear", entry).compactMap(\.string))
        policy.requiresSender = entry["requireSender"]?.bool ?? false
        policy.allowsCritical = entry["allowsCritical"]?.bool ?? false
        self.policy = policy
    }

    private static func formats(_ entry: JSONObject, _ app: String) throws(Ending) -> Set<SealFormat> {
        var formats: Set<SealFormat> = []
        for value in try Hello.list("accept", entry) {
            guard let format = value.string.flatMap(SealFormat.init(rawValue:)) else {
                let known = SealFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw .rejected(
                    Rejection(app: app, "accept names an unknown format", hint: "known formats are \(known)")
                )
            }
            formats.insert(format)
        }
        return formats
    }

    private static func senders(_ entry: JSONObject, _ app: String) throws(Ending) -> [OpenPolicy.Sender] {
        var senders: [OpenPolicy.Sender] = []
        for (index, value) in try Hello.list("senders", entry).enumerated() {
            guard let sender = value.object, let text = sender["public-key"]?.string else {
                throw .protocolViolation("hello has a sender without a key")
            }
            let name = sender["name"]?.string
            do {
                senders.append(.init(publicKey: try PublicKey(parsing: text), name: name))
            } catch {
                let place = name.map { "\"\($0)\"" } ?? "number \(index + 1)"
                throw .rejected(Rejection(app: app, "the key of sender \(place) \(error)", hint: error.hint))
            }
        }
        return senders
    }
}
