// SPDX-License-Identifier: Apache-2.0

import Foundation
import NotificationPayload
import Testing

@testable import E2ECrypto

/// One folder for each test, removed with it.
final class KeyFileTests {
    private static let secret = "NSE-SECRET-KEY-1Q23HSP6X0NQWYJTCY45P9D03LVPNGXMETDU7MRQUSHQYLR4X5S6QJ9LSUG"
    private static let publicKey = "nse1jpzzw5x76x3qvc976mmjdw2ks0d0cz058kzuk3tav72u0u9pd4sqkh0cll"
    private let folder: URL
    private let arena: SecretArena

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        arena = try SecretArena()
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    private func path(_ name: String = "k.key") -> String { folder.appending(path: name).path }

    private func write(_ text: String, mode: Int = 0o600, name: String = "k.key") throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
    }

    private func publicKeys(_ text: String) throws -> [String] {
        try write(text)
        return try KeyFile.read(path: path(), into: arena).publicKeys.map(\.description)
    }

    private func other(_ number: UInt8) -> String {
        Bech32.encode([UInt8](repeating: number, count: 32), prefix: "nse-secret-key-")
    }

    @Test func `a file with comments, empty lines and white space holds one key`() throws {
        #expect(try publicKeys("# created: x\n\n  # y\n \t\(Self.secret)  \r\n\n") == [Self.publicKey])
        #expect(try publicKeys(Self.secret) == [Self.publicKey])
        #expect(try publicKeys(Self.secret.lowercased() + "\n") == [Self.publicKey])
    }

    @Test func `several keys are a ring, the first is current, twins count once`() throws {
        let keys = try publicKeys("\(Self.secret)\n\(other(5))\n\(Self.secret)\n")
        #expect(keys.count == 2)
        #expect(keys.first == Self.publicKey)
    }

    @Test func `a paired secret is named by its first 8 bytes`() throws {
        let secret = Array(UInt8(1)...40)
        try write(Bech32.encode(secret, prefix: "nse-psk-").uppercased())
        let ring = try KeyFile.read(path: path(), into: arena)
        let id = try #require(ring.pairedSecrets.first?.id)
        #expect(id.description == "0102030405060708")
        #expect(ring.publicKeys.isEmpty)
    }

    @Test(
        arguments: [
            ("", nil, .noKey),
            ("# only a comment\n\n", nil, .noKey),
            ("# c\n\nhello\n", 3, .key(.unknownKind)),
            ("\(publicKey)\n", 1, .key(.publicKey)),
            ("\n\(secret.dropLast())P\n", 2, .key(.wrongChecksum)),
            ("\(secret.dropLast(2))\n", 1, .key(.wrongChecksum)),
            ("\(secret)\nNSE-SECRET-KEY-1B\n", 2, .key(.wrongChecksum)),
            ("\(secret.replacing("Q23H", with: "Q23B"))\n", 1, .key(.unexpectedCharacter(offset: 19))),
            ("\(secret.replacing("Q23H", with: "q23h"))\n", 1, .key(.mixedCase)),
            (String(repeating: "#", count: 8193), nil, .tooLong(limit: 8192)),
        ] as [(String, Int?, KeyFileError.Problem)]
    )
    func `what is wrong is named with its line`(_ text: String, _ line: Int?, _ problem: KeyFileError.Problem) throws {
        #expect(throws: KeyFileError(line: line, problem)) { _ = try publicKeys(text) }
    }

    @Test func `a secret of another length is named`() throws {
        let short = Bech32.encode([UInt8](repeating: 1, count: 31), prefix: "nse-secret-key-")
        let long = Bech32.encode([UInt8](repeating: 1, count: 40), prefix: "nse-secret-key-")
        #expect(throws: KeyFileError(line: 1, .key(.wrongByteCount(got: 31)))) { _ = try publicKeys(short) }
        #expect(throws: KeyFileError(line: 1, .key(.wrongByteCount(got: 40)))) { _ = try publicKeys(long) }
    }

    @Test func `more than 16 keys are refused`() throws {
        let lines = (1...17).map { other($0) }.joined(separator: "\n")
        #expect(throws: KeyFileError(line: 17, .tooManyKeys(limit: 16))) { _ = try publicKeys(lines) }
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o601, 0o777])
    func `a file that others can touch is refused`(_ mode: Int) throws {
        try write(Self.secret, mode: mode)
        #expect(throws: KeyFileError(.readableByOthers)) { _ = try KeyFile.read(path: path(), into: arena) }
    }

    @Test func `a symbolic link is not followed`() throws {
        try write(Self.secret)
        try FileManager.default.createSymbolicLink(atPath: path("link"), withDestinationPath: path())
        #expect(throws: KeyFileError(.symbolicLink)) { _ = try KeyFile.read(path: path("link"), into: arena) }
    }

    @Test func `a folder, a pipe and nothing are no key files`() throws {
        #expect(mkfifo(path("pipe"), 0o600) == 0)
        #expect(throws: KeyFileError(.notARegularFile)) { _ = try KeyFile.read(path: folder.path, into: arena) }
        #expect(throws: KeyFileError(.notARegularFile)) { _ = try KeyFile.read(path: path("pipe"), into: arena) }
        #expect(throws: KeyFileError(.system(ENOENT))) { _ = try KeyFile.read(path: path(), into: arena) }
    }

    @Test func `a new file is private, complete and never overwritten`() throws {
        let ring = try freshRing(in: arena)
        try KeyFile.create(path: path(), ring: ring, created: 1_795_228_800_000)
        let mode = try FileManager.default.attributesOfItem(atPath: path())[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let key = try #require(ring.publicKeys.first)
        let text = try String(contentsOfFile: path(), encoding: .utf8)
        let comments = """
            # created: 2026-11-21T02:40:00Z
            # public key: \(key)
            # key id: \(key.id)
            # fingerprint: \(key.fingerprint)
            NSE-SECRET-KEY-1
            """
        #expect(text.hasPrefix(comments))
        #expect(try KeyFile.read(path: path(), into: arena).publicKeys == [key])
        #expect(throws: KeyFileError(.exists)) {
            try KeyFile.create(path: path(), ring: ring, created: 0)
        }
        #expect(try String(contentsOfFile: path(), encoding: .utf8) == text)
    }

    @Test func `the secret of FORMAT.md is written as there`() throws {
        let hexadecimal = "02a37807467cc0e24978256812b5f1fb03341b795b79ed8c1c85c04f8ea6a434"
        try KeyFile.create(path: path(), ring: testRing(hexadecimal, in: arena), created: 0)
        #expect(try String(contentsOfFile: path(), encoding: .utf8).hasSuffix("\n\(Self.secret)\n"))
    }

    @Test func `public keys are read from a file of their own, and a secret among them is named`() throws {
        try write("# friends\n\(Self.publicKey)\n", mode: 0o644)
        #expect(try KeyFile.readPublicKeys(path: path(), in: arena).map(\.description) == [Self.publicKey])
        try write("\(Self.publicKey)\n\(Self.secret)\n", mode: 0o644)
        #expect(throws: KeyFileError(line: 2, .key(.secretKey))) {
            try KeyFile.readPublicKeys(path: path(), in: arena)
        }
        try write("\n", mode: 0o644)
        #expect(throws: KeyFileError(.noKey)) { try KeyFile.readPublicKeys(path: path(), in: arena) }
    }

    @Test func `descriptors are closed whatever happens`() async {
        await #expect(processExitsWith: .success) {
            let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            try Data("x".utf8).write(to: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path.path)
            let arena = try SecretArena()
            for _ in 0..<10 {
                #expect(throws: KeyFileError(line: 1, .key(.unknownKind))) {
                    _ = try KeyFile.read(path: path.path, into: arena)
                }
                #expect(throws: KeyFileError(.notARegularFile)) { _ = try KeyFile.read(path: "/", into: arena) }
                #expect(throws: KeyFileError(.exists)) {
                    try KeyFile.create(path: path.path, ring: freshRing(in: arena), created: 0)
                }
            }
            // The process has descriptors of its own, which come and go; these two files only we have opened.
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
            let open = names.compactMap {
                try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            }
            #expect(!open.contains(path.path) && !open.contains("/"))
            try FileManager.default.removeItem(at: path)
        }
    }

    /// The forms that are masked in messages for people are those that this module takes for secrets.
    @Test func `every form of a secret is masked in a message`() {
        var names: Set<String> = []
        for format in SealedFormats.withSharedSecret {
            names.insert("\(format.format)")
            for secret in [format.publishedSecret, format.strangersSecret] {
                #expect("\(format.format): \(secret)".withoutSecrets == "\(format.format): …")
            }
        }
        #expect(names == Set(SealFormatName.allCases.filter(\.hasSharedSecret).map(\.rawValue)))
        #expect(Self.secret.withoutSecrets == "\(SecretLine.keyPrefix)1…".uppercased())
        let paired = Bech32.encode([UInt8](repeating: 7, count: 40), prefix: SecretLine.pairedSecretPrefix)
        #expect(paired.withoutSecrets == "\(SecretLine.pairedSecretPrefix)1…".uppercased())
    }

    @Test func `an arena that is full says so`() throws {
        try write((1...16).map { other($0) }.joined(separator: "\n"))
        let problem = (0..<2000).lazy.compactMap { _ in self.problemOfReading() }.first
        #expect(problem?.problem == .arenaFull)
    }

    private func problemOfReading() -> KeyFileError? {
        do {
            _ = try KeyFile.read(path: path(), into: arena)
            return nil
        } catch {
            return error
        }
    }
}
