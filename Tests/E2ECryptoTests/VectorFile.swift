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
        text = String(parts[1].dropLast())
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
    var now: Int64 { Int64(value("now") ?? "") ?? 0 }

    var context: PushContext {
        PushContext(
            topic: value("topic") ?? "",
            collapseID: value("collapse-id"),
            requestID: value("request-id")
        )
    }

    func opener(in arena: SecretArena) throws -> Opener {
        var ring = KeyRing(in: arena)
        for key in values("key") {
            ring.append(try testRing(key, in: arena))
        }
        var policy = OpenPolicy()
        policy.senders = try values("sender").map { .init(publicKey: try PublicKey(parsing: $0)) }
        policy.requiresSender = value("require-sender") == "true"
        if let accept = value("accept") { policy.accept = [try #require(SealFormat(rawValue: accept))] }
        return try Opener(keys: ring, policy: policy)
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
    guard let ring = KeyRing.generate(in: arena) else { throw KeyFileError(.arenaFull) }
    return ring
}

func unhex(_ hexadecimal: String) -> [UInt8]? {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    guard digits.count == hexadecimal.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

func json(_ text: String) throws -> JSON {
    try JSON(parsing: Array(text.utf8).span)
}
