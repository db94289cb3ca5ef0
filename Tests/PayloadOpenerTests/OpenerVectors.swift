// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing
import WorkerProtocol

@testable import E2ECrypto

/// One file of Tests/Vectors/open, as a request to an opener's process.
struct OpenerVector: Sendable, CustomTestStringConvertible {
    let name: String
    private let fields: [(key: String, value: String)]
    private let input: String

    static let all: [OpenerVector] = {
        let folder = KeyFolder.root.appending(path: "Tests/Vectors/open")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { try? OpenerVector(String($0.dropLast(4))) }
    }()

    init(_ name: String) throws {
        self.name = name
        let file = KeyFolder.root.appending(path: "Tests/Vectors/open/\(name).txt")
        let parts = try String(contentsOf: file, encoding: .utf8).split(separator: "\n\n", maxSplits: 1)
        fields = parts[0].split(separator: "\n").map { line in
            let halves = line.split(separator: ": ", maxSplits: 1)
            return (String(halves[0]), String(halves[1]))
        }
        input = String(parts[1].utf8.dropLast()) ?? ""
    }

    var testDescription: String { name }

    private func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }
    private func value(_ key: String) -> String? { values(key).first }

    /// The result that the vector must have: `opens`, or the name of the error.
    var expectation: String { value("expect").map { String($0.prefix { $0 != " " }) } ?? "" }
    /// The number of the push as which the same input is opened first.
    var openedAs: Int64? { value("opened-as").flatMap { Int64($0) } }
    private var row: Int64 { value("row").flatMap { Int64($0) } ?? 0 }

    /// The payload of the input; `nil` when a body is no JSON object, which no host hands on.
    var payload: JSONObject? {
        guard value("input") == "body" else { return ["encrypted-content": .string(input)] }
        return try? JSONObject(parsing: Array(input.utf8).span)
    }

    /// The vector's keys as a key file has them.
    var keyFile: String {
        get throws {
            try fields.compactMap { field -> String? in
                switch field.key {
                case "key":
                    let words = field.value.split(separator: " ", maxSplits: 1)
                    let key = Bech32.encode(try Self.bytes(words[0]), prefix: "nse-secret-key-").uppercased()
                    return ([key] + words.dropFirst().map(String.init)).joined(separator: " ")
                case "paired": return Bech32.encode(try Self.bytes(field.value), prefix: "nse-psk-").uppercased()
                case "web-push", "home-assistant", "bark-gcm", "bark-cbc": return "\(field.key): \(field.value)"
                default: return nil
                }
            }.joined(separator: "\n") + "\n"
        }
    }

    /// The policy as hello says it, without name and keys.
    var policy: JSONObject {
        let accept = value("accept")?.components(separatedBy: ", ") ?? ["v1", "sealed-box"]
        return [
            "accept": .array(accept.map { .string($0) }),
            "senders": .array(values("sender").map { ["public-key": .string(Self.publicKey($0)), "name": "sender"] }),
            "requireSender": .bool(value("require-sender") == "true"),
            "keepClear": .array(values("keep-clear").map { .string($0) }),
            "allowsCriticalAlerts": .bool(value("critical") == "true"),
        ]
    }

    func request(_ id: UInt64, app: String, _ payload: JSONObject, row: Int64? = nil) -> Packet {
        var body: JSONObject = [
            "app": .string(app), "topic": .string(value("topic") ?? ""), "row": .integer(row ?? self.row),
            "payload": .object(payload),
        ]
        body["collapseID"] = value("collapse-id").map { .string($0) }
        body["requestID"] = value("request-id").map { .string($0) }
        return Packet(.open, id: id, body: body)
    }

    private static func bytes(_ digits: some StringProtocol) throws -> [UInt8] {
        let digits = try digits.map { try #require($0.hexDigitValue) }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func publicKey(_ text: String) -> String {
        (try? bytes(text)).map { PublicKey(unchecked: $0).description } ?? text
    }
}

/// One opener with the keys and policies of many vectors, an app for each.
final class VectorOpener {
    let process: OpenerProcess
    private let folder: KeyFolder
    private var apps: [String: String] = [:]
    private var lastID: UInt64 = 0

    /// Without replay files, so that nothing waits for a disk.
    init(_ vectors: [OpenerVector]) throws {
        folder = try KeyFolder()
        var files: [String: Int] = [:]
        var paths: [String] = []
        var policies: [JSONObject] = []
        for vector in vectors {
            let text = try vector.keyFile
            if files[text] == nil {
                files[text] = paths.count
                paths.append(try folder.file("\(paths.count).key", text))
            }
            let identity = try Self.identity(vector)
            guard apps[identity] == nil else { continue }
            let name = "app\(apps.count)"
            apps[identity] = name
            var app = vector.policy
            app["app"] = .string(name)
            app["keys"] = .array([.integer(Int64(4 + (files[text] ?? 0)))])
            policies.append(OpenerProcess.policy(app))
        }
        process = try OpenerProcess(keyFiles: paths)
        try process.greet(policies: policies)
        let answer = try process.receive()
        try #require(answer?.type == .ready, "\(answer.map { "\($0.body)" } ?? "no answer")")
    }

    /// Vectors of one app have keys and policy in common, and no memory of a former opening.
    private static func identity(_ vector: OpenerVector) throws -> String {
        let policy = String(decoding: vector.policy.serialized, as: UTF8.self)
        return try vector.keyFile + policy + (vector.openedAs == nil ? "" : vector.name)
    }

    /// Opens `payload` under the vector's keys and policy; returns `opens`, or the name of the error.
    func result(of vector: OpenerVector, _ payload: JSONObject, row: Int64? = nil) throws -> String {
        try send(vector, payload, row: row)
        return try receive()
    }

    func send(_ vector: OpenerVector, _ payload: JSONObject, row: Int64? = nil) throws {
        lastID += 1
        let app = try #require(apps[try Self.identity(vector)])
        try process.send(vector.request(lastID, app: app, payload, row: row))
    }

    func receive() throws -> String {
        guard let answer = try process.receive() else {
            throw OpenerGone(exitCode: process.exitCode())
        }
        return answer.type == .opened ? "opens" : answer.body["error"]?.string ?? "no error"
    }
}

/// The process ended; a negative exit code is the signal.
struct OpenerGone: Error {
    let exitCode: Int32
}
