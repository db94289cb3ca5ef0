// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import NotificationPayload
import WorkerProtocol

/// The reason for which the process ends.
enum Ending: Error {
    /// End-of-file: the ordinary end.
    case hostGone
    case rejected(Rejection)
    /// The machine does not give what keys need.
    case unusable(String)
    /// Nobody knows what is on the disk of what was opened; a new process reads what is there.
    case storeLost(String)
    /// One clause on what the host did wrong; nothing of what it sent.
    case protocolViolation(String)
}

/// The problem with a file or with an app's policy, for the person who wrote host.yaml; never a byte of a key.
struct Rejection {
    var descriptor: Int32?
    var line: Int?
    let reason: String
    var hint: String?

    var packet: Packet {
        var body = JSONObject()
        body["descriptor"] = descriptor.map { .integer(Int64($0)) }
        body["line"] = line.map { .integer(Int64($0)) }
        body["reason"] = .string(reason)
        body["hint"] = hint.map { .string($0) }
        return Packet(.rejected, body: body)
    }
}

extension Rejection {
    init(app: String, _ reason: String, hint: String? = nil) {
        self.reason = "app \"\(app)\": \(reason)"
        self.hint = hint
    }

    init(_ error: KeyFileError, descriptor: Int32) {
        self.descriptor = descriptor
        line = error.line
        reason = if case .key = error.problem { "the line \(error)" } else { "the file \(error)" }
        hint = error.hint(forFile: "the key file")
    }
}
