// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import E2ECrypto

/// One file of `Tests/Vectors/open`: header lines, an empty line, the sealed text.
struct VectorFile: Sendable, CustomTestStringConvertible {
    let name: String
    let fields: [(key: String, value: String)]
    let text: String

    init(_ url: URL) throws {
        name = url.deletingPathExtension().lastPathComponent
        let contents = try String(contentsOf: url, encoding: .utf8)
        let parts = contents.split(separator: "\n\n", maxSplits: 1)
        fields = parts[0].split(separator: "\n").map { line in
            let halves = line.split(separator: ": ", maxSplits: 1)
            return (String(halves[0]), String(halves[1]))
        }
        // Not its last Character: a text that ends in a carriage return makes one with the line feed.
        text = String(parts[1].utf8.dropLast()) ?? ""
    }

    static let all: [VectorFile] = {
        let folder = PackageRoot.url.appending(path: "Tests/Vectors/open")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { try? VectorFile(folder.appending(path: $0)) }
    }()

    static func named(_ name: String) throws -> VectorFile {
        try VectorFile(PackageRoot.url.appending(path: "Tests/Vectors/open/\(name).txt"))
    }

    var testDescription: String { name }

    func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }
    func value(_ key: String) -> String? { values(key).first }
    func number(_ key: String) -> Int64? { value(key).flatMap { Int64($0) } }
    var now: Int64 { number("now") ?? 0 }
    /// The input is a whole push, not a text.
    var isBody: Bool { value("input") == "body" }

    var context: PushContext {
        PushContext(
            topic: value("topic") ?? "",
            collapseID: value("collapse-id"),
            requestID: value("request-id"),
            row: number("row") ?? 0
        )
    }

    var policy: OpenPolicy {
        get throws {
            var policy = OpenPolicy()
            policy.senders = try values("sender").map { .init(publicKey: try PublicKey(parsing: $0)) }
            policy.requiresSender = value("require-sender") == "true"
            policy.keepClear = Set(values("keep-clear"))
            policy.allowsCritical = value("critical") == "true"
            if let accept = value("accept") {
                policy.accept = Set(
                    try accept.components(separatedBy: ", ").map { try #require(SealFormat(rawValue: $0)) }
                )
            }
            return policy
        }
    }

    /// The vector's secrets as the lines of a key file, in their order.
    private var keyFile: String {
        get throws {
            try fields.compactMap { field -> String? in
                switch field.key {
                case "key":
                    let words = field.value.split(separator: " ", maxSplits: 1)
                    let key = Bech32.encode(try #require(unhex(String(words[0]))), prefix: "nse-secret-key-")
                    return ([key.uppercased()] + words.dropFirst().map(String.init)).joined(separator: " ")
                case "paired":
                    return Bech32.encode(try #require(unhex(field.value)), prefix: "nse-psk-").uppercased()
                case "web-push", "home-assistant", "bark-gcm", "bark-cbc":
                    return "\(field.key): \(field.value)"
                default: return nil
                }
            }.joined(separator: "\n")
        }
    }

    /// The vector's keys, read as those of a user are.
    func ring(in arena: SecretArena) throws -> KeyRing {
        // A key file is shorter than a pipe is deep.
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(try keyFile.utf8))
        try pipe.fileHandleForWriting.close()
        return try KeyFile.read(descriptor: pipe.fileHandleForReading.fileDescriptor, into: arena)
    }

    func opener(in arena: SecretArena) throws -> Opener {
        try Opener(keys: ring(in: arena), policy: policy)
    }

    /// The payload that the vector must open to; `nil` means that it is refused.
    var payload: JSON? {
        get throws { try value("payload").map { try json($0) } }
    }

    /// The push that the vector stands for, a bare text in its field.
    var push: Payload {
        get throws {
            isBody
                ? Payload(try JSONObject(parsing: Array(text.utf8).span))
                : Payload(["encrypted-content": .string(text)])
        }
    }
}

extension OpenError {
    /// The error as the `expect` line of a vector writes it.
    var vectorText: String {
        switch self {
        case .malformedText(let offset): "\(name) \(offset)"
        case .tooShort(let needed, let got): "\(name) \(needed) \(got)"
        case .tooLarge(let limit, let got): "\(name) \(limit) \(got)"
        case .unsupportedVersion(let byte), .unknownFlags(let byte): "\(name) \(byte)"
        case .unknownKey(let id), .unknownSender(let id): "\(name) \(id)"
        case .formatNotAccepted(let format?): "\(name) \(format.rawValue)"
        case .contextMissing(let part): "\(name) \(part.rawValue)"
        case .formatNotAccepted(nil), .senderRequired, .notOpened, .expired, .issuedInFuture, .replayed, .badContent:
            name
        }
    }
}

/// The folder that holds Package.swift.
enum PackageRoot {
    static let url: URL = {
        var folder = URL(filePath: #filePath).deletingLastPathComponent()
        while folder.path != "/",
            !FileManager.default.fileExists(atPath: folder.appending(path: "Tests/Vectors").path)
        {
            folder.deleteLastPathComponent()
        }
        return folder
    }()
}

func testRing(_ hexadecimal: String, in arena: SecretArena) throws -> KeyRing {
    let secret = try #require(unhex(hexadecimal))
    guard let ring = KeyRing.published(secret, in: arena) else { throw KeyFileError(.arenaFull) }
    return ring
}

func freshRing(in arena: SecretArena) throws -> KeyRing {
    try KeyRing.generate(in: arena)
}

func unhex(_ hexadecimal: String) -> [UInt8]? {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    guard digits.count == hexadecimal.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func json(_ text: String) throws -> JSON {
    try JSON(parsing: Array(text.utf8).span)
}
