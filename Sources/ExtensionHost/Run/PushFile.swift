// SPDX-License-Identifier: Apache-2.0

import Foundation
import HostRuntime
import NotificationPayload

/// A push with the name that its report has.
struct NamedPush {
    let name: String
    let push: IncomingPush
}

/// A payload as a developer has it in a file.
struct PushFile {
    /// "-" is standard input.
    let path: String
    let data: Data

    private var name: String { path == "-" ? "standard input" : "\"\(path)\"" }

    init(_ path: String) throws(CommandError) {
        self.path = path
        data =
            try path == "-"
            ? FileHandle.standardInput.readDataToEndOfFile()
            : NamedFile.contents(of: path) { _ in "name a file with a payload, or \"-\" for standard input" }
    }

    private init(path: String, data: Data) {
        self.path = path
        self.data = data
    }

    /// The same as a sender would post it: sealed for the key, with the clear part as its fallback.
    func sealed(for keyFile: String, app: String) throws(CommandError) -> PushFile {
        let payload = try payload(app: app)
        let recipient = try SealPayload.run(["keygen", "-y", keyFile])
            .split(separator: "\n").first { $0.hasPrefix("nse1") }
        guard let recipient else { throw CommandError("key file \"\(keyFile)\" has no public half to seal to") }
        let body = try SealPayload.run(
            ["-r", String(recipient), "--topic", app],
            input: Data(payload.serialized)
        )
        return PushFile(path: path, data: Data(body.utf8))
    }

    func pushes(for app: String, times: Int) throws(CommandError) -> [NamedPush] {
        let payload = try payload(app: app)
        guard data.count <= PushType.alert.maximumPayloadByteCount else {
            let limit = PushType.alert.maximumPayloadByteCount
            throw CommandError(
                "\(name) has \(data.count) bytes, \(data.count - limit) more than APNs takes",
                hint: "\(limit) bytes are possible: send less, and the rest as an attachment or from a server"
            )
        }
        return (1...times).map { number in
            NamedPush(
                name: times == 1 ? path : "\(path) #\(number)",
                push: IncomingPush(
                    id: UUID().uuidString.lowercased(),
                    deviceToken: "",
                    topic: app,
                    payload: payload,
                    payloadByteCount: data.count,
                    receivedAt: Date()
                )
            )
        }
    }

    /// The payload of a notification that was delivered, which may be longer than what was pushed.
    func delivered(to app: String) throws(CommandError) -> Payload { try payload(app: app) }

    private func payload(app: String) throws(CommandError) -> Payload {
        var content: Payload
        do {
            content = try Payload(parsing: Array(data).span)
        } catch {
            throw CommandError("\(name) is no payload: \(error)", hint: "a payload is one JSON object with \"aps\"")
        }
        if let value = content["Simulator Target Bundle"] {
            guard let target = value.string else {
                throw CommandError(
                    "\(name) has a \"Simulator Target Bundle\" that is \(value.kindInWords), and not a text",
                    hint: "write the identifier of the app, \"\(app)\", or leave it out"
                )
            }
            if target != app {
                Terminal.warning("\(name) is for \"\(target)\", the bundle for \"\(app)\"; the bundle counts")
            }
            content["Simulator Target Bundle"] = nil
        }
        guard content.aps != nil else {
            throw CommandError("\(name) has no object \"aps\"", hint: "a payload is one JSON object with \"aps\"")
        }
        return content
    }
}
