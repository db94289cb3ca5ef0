// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Keychain
import NotificationPayload
import Testing

@testable import KeychainStore

struct KeychainStoreTests {
    private let folder: String
    private let app = "com.example.chat"

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("keychain-\(UUID().uuidString)").path
        for name in ["", "/owners/maria", "/owners/ana"] {
            let keychains = "\(folder)\(name)/keychains"
            try FileManager.default.createDirectory(atPath: keychains, withIntermediateDirectories: true)
        }
    }

    private var path: String { "\(folder)/keychains/\(app)" }
    private var mariasPath: String { "\(folder)/owners/maria/keychains/\(app)" }

    private func add(_ key: String) -> KeychainCall {
        .add(KeychainItem(key: key, attributes: ["acct": "MARKED ACCOUNT"]), secret: Array("MARKED SECRET".utf8))
    }

    private func store() throws -> KeychainStore {
        KeychainStore(
            folder: folder,
            key: try KeychainKey(file: folder + "/../\(URL(fileURLWithPath: folder).lastPathComponent).key")
        )
    }

    @Test func `items outlive the store, sealed, for their app alone`() throws {
        let store = try store()
        #expect(store.answer(add("k"), of: app) == .done)
        #expect(store.answer(add("k"), of: app) == .duplicate)
        #expect(store.answer(.read(key: "k"), of: "com.example.other") == .absent)

        let next = try self.store()
        #expect(next.answer(.read(key: "k"), of: app) == .secret(Array("MARKED SECRET".utf8)))
        let file = try #require(FileManager.default.contents(atPath: path))
        #expect(file.starts(with: Data("NBK1".utf8)))
        #expect(file.range(of: Data("MARKED".utf8)) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/keychains") == [app])
    }

    @Test func `another key or another app's name opens nothing, and nothing is overwritten`() throws {
        #expect(try store().answer(add("k"), of: app) == .done)
        let file = try #require(FileManager.default.contents(atPath: path))
        let stranger = KeychainStore(folder: folder, key: .temporary())
        #expect(stranger.answer(.list(after: nil), of: app) == .failed)
        #expect(stranger.answer(add("l"), of: app) == .failed)
        #expect(FileManager.default.contents(atPath: path) == file)

        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/keychains/com.example.other")
        #expect(try store().answer(.list(after: nil), of: "com.example.other") == .failed)
    }

    @Test(arguments: [0, 3, 4, 15, 16, 40])
    func `a file with one byte changed, or cut, is no keychain`(place: Int) throws {
        #expect(try store().answer(add("k"), of: app) == .done)
        var file = try #require(FileManager.default.contents(atPath: path))
        try file.prefix(place).write(to: URL(fileURLWithPath: path))
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
        file[place] ^= 1
        try file.write(to: URL(fileURLWithPath: path))
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
    }

    @Test func `each owner has items of the app, in a file that opens as nobody else's`() throws {
        let store = try store()
        #expect(store.answer(add("k"), of: app) == .done)
        #expect(store.answer(.read(key: "k"), of: app, owner: "maria") == .absent)
        #expect(store.answer(add("l"), of: app, owner: "maria") == .done)
        #expect(store.answer(.read(key: "l"), of: app) == .absent)
        #expect(store.answer(.read(key: "l"), of: app, owner: "ana") == .absent)
        let next = try self.store()
        #expect(next.answer(.read(key: "l"), of: app, owner: "maria") == .secret(Array("MARKED SECRET".utf8)))

        // In another owner's place, in the first one's and in maria's.
        for (from, to, owner) in [
            (mariasPath, "\(folder)/owners/ana/keychains/\(app)", "ana"), (mariasPath, path, nil),
            (path, mariasPath, "maria"),
        ] as [(String, String, String?)] {
            let moved = try #require(FileManager.default.contents(atPath: from))
            let former = FileManager.default.contents(atPath: to)
            try moved.write(to: URL(fileURLWithPath: to))
            #expect(store.answer(.list(after: nil), of: app, owner: owner) == .failed)
            try former?.write(to: URL(fileURLWithPath: to))
        }
        #expect(store.answer(.read(key: "l"), of: app, owner: "maria") == .secret(Array("MARKED SECRET".utf8)))
    }

    @Test func `a keychain from before owners were told apart opens as the first one's`() throws {
        let key = SymmetricKey(size: .bits256)
        try key.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: folder + "/keychain.key"))
        #expect(chmod(folder + "/keychain.key", 0o600) == 0)
        let ofApp = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: key,
            salt: Data("nestbox keychain 1".utf8),
            info: Data(app.utf8),
            outputByteCount: 32
        )
        var items = KeychainItems()
        #expect(items.carryOut(add("k")) == .done)
        var text: [UInt8] = []
        items.json.write(to: &text)
        let box = try ChaChaPoly.seal(text, using: ofApp, authenticating: Data(app.utf8))
        try (Data("NBK1".utf8) + box.combined).write(to: URL(fileURLWithPath: path))
        let store = KeychainStore(folder: folder, key: try KeychainKey(file: folder + "/keychain.key"))
        #expect(store.answer(.read(key: "k"), of: app) == .secret(Array("MARKED SECRET".utf8)))
        #expect(store.answer(.read(key: "k"), of: app, owner: "maria") == .absent)
    }

    @Test(arguments: ["", ".", "..", "../up", "a/b", "a\0b"])
    func `an owner that is no name of a folder has no keychain, in memory neither`(owner: String) throws {
        #expect(try store().answer(add("k"), of: app, owner: owner) == .failed)
        #expect(KeychainStore(folder: nil, key: .temporary()).answer(add("k"), of: app, owner: owner) == .failed)
    }

    @Test(arguments: ["", ".", "..", "../up", "a/b", "a\0b"])
    func `a name that is no file's has no keychain`(app: String) throws {
        #expect(try store().answer(add("k"), of: app) == .failed)
    }

    @Test func `a link in the place of a file is not followed`() throws {
        let elsewhere = folder + ".elsewhere"
        #expect(FileManager.default.createFile(atPath: elsewhere, contents: Data()))
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: elsewhere)
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
    }

    @Test func `without a folder items are kept as long as the store`() {
        let store = KeychainStore(folder: nil, key: .temporary())
        #expect(store.answer(add("k"), of: app) == .done)
        #expect(store.answer(.read(key: "k"), of: app) == .secret(Array("MARKED SECRET".utf8)))
        #expect(store.answer(.read(key: "k"), of: "com.example.other") == .absent)
        #expect(store.answer(.read(key: "k"), of: app, owner: "maria") == .absent)
    }

    @Test func `a key file is made once, for this user alone`() throws {
        let path = folder + "/key"
        _ = try KeychainKey(file: path)
        let bytes = try #require(FileManager.default.contents(atPath: path))
        #expect(bytes.count == 32)
        _ = try KeychainKey(file: path)
        #expect(FileManager.default.contents(atPath: path) == bytes)
        #expect(chmod(path, 0o644) == 0)
        #expect(throws: KeychainKey.Failure(path: path, reason: "can be read by others")) {
            try KeychainKey(file: path)
        }
        #expect(chmod(path, 0o600) == 0)
        try Data([1]).write(to: URL(fileURLWithPath: path))
        #expect(chmod(path, 0o600) == 0)
        #expect(throws: KeychainKey.Failure(path: path, reason: "has not 32 bytes")) { try KeychainKey(file: path) }
    }
}
