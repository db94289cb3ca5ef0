// SPDX-License-Identifier: Apache-2.0

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
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

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
        let file = try #require(FileManager.default.contents(atPath: "\(folder)/\(app)"))
        #expect(file.starts(with: Data("NBK1".utf8)))
        #expect(file.range(of: Data("MARKED".utf8)) == nil)
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(app)")
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [app])
    }

    @Test func `another key or another app's name opens nothing, and nothing is overwritten`() throws {
        #expect(try store().answer(add("k"), of: app) == .done)
        let path = "\(folder)/\(app)"
        let file = try #require(FileManager.default.contents(atPath: path))
        let stranger = KeychainStore(folder: folder, key: .temporary())
        #expect(stranger.answer(.list(after: nil), of: app) == .failed)
        #expect(stranger.answer(add("l"), of: app) == .failed)
        #expect(FileManager.default.contents(atPath: path) == file)

        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/com.example.other")
        #expect(try store().answer(.list(after: nil), of: "com.example.other") == .failed)
    }

    @Test(arguments: [0, 3, 4, 15, 16, 40])
    func `a file with one byte changed, or cut, is no keychain`(place: Int) throws {
        #expect(try store().answer(add("k"), of: app) == .done)
        let path = "\(folder)/\(app)"
        var file = try #require(FileManager.default.contents(atPath: path))
        try file.prefix(place).write(to: URL(fileURLWithPath: path))
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
        file[place] ^= 1
        try file.write(to: URL(fileURLWithPath: path))
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
    }

    @Test(arguments: ["", ".", "..", "../up", "a/b", "a\0b"])
    func `a name that is no file's has no keychain`(app: String) throws {
        #expect(try store().answer(add("k"), of: app) == .failed)
    }

    @Test func `a link in the place of a file is not followed`() throws {
        let elsewhere = folder + ".elsewhere"
        #expect(FileManager.default.createFile(atPath: elsewhere, contents: Data()))
        try FileManager.default.createSymbolicLink(atPath: "\(folder)/\(app)", withDestinationPath: elsewhere)
        #expect(try store().answer(.list(after: nil), of: app) == .failed)
    }

    @Test func `without a folder items are kept as long as the store`() {
        let store = KeychainStore(folder: nil, key: .temporary())
        #expect(store.answer(add("k"), of: app) == .done)
        #expect(store.answer(.read(key: "k"), of: app) == .secret(Array("MARKED SECRET".utf8)))
        #expect(store.answer(.read(key: "k"), of: "com.example.other") == .absent)
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
