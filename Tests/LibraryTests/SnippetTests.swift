// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import Foundation
import NotificationPayload
import Testing

@testable import LibrarySnippets

/// Runs what the articles show.
struct SnippetTests {
    private let now: Int64 = 1_795_228_800_000
    private let payload = Array(#"{"aps":{"alert":{"title":"Alice","body":"Lunch?"}}}"#.utf8)
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A key file under `name`; returns its path and its public key.
    private func keyFile(_ name: String) throws -> (path: String, key: PublicKey) {
        let ring = try KeyRing.generate(in: SecretArena())
        try KeyFile.create(path: folder.path(name), ring: ring, created: now)
        return (folder.path(name), ring.publicKeys[0])
    }

    private func body(_ payload: [UInt8]) throws -> String? {
        let object = try JSONObject(parsing: payload.span)
        return object["aps"]?.object?["alert"]?.object?["body"]?.string
    }

    private func opened(
        _ push: [UInt8],
        _ keyFile: String,
        _ policy: OpenPolicy = OpenPolicy(),
        collapseID: String? = nil
    ) throws -> Opener.Opened {
        let opener = try Opener(keys: KeyFile.read(path: keyFile, into: SecretArena()), policy: policy)
        let context = PushContext(topic: "com.example.chat", collapseID: collapseID)
        return try opener.open(push: push.span, context: context, now: now)
    }

    // MARK: Sealing

    @Test func `five lines seal a push in the name of a server`() throws {
        let (server, serverKey) = try keyFile("server.key")
        let (device, deviceKey) = try keyFile("device.key")
        let push = try sealedBody(#"{"body":"Lunch?"}"#, from: server, to: "\(deviceKey)", now: now)
        let opened = try opened(push, device, OpenPolicy(senders: [.init(publicKey: serverKey)]))
        #expect(try body(opened.bytes) == "Lunch?")
        #expect(opened.sender == serverKey.id)
        #expect(opened.isAuthenticated)
    }

    @Test func `a server seals to many devices, a receiver opens each once`() async throws {
        let (server, serverKey) = try keyFile("server.key")
        let devices = try (0..<3).map { try keyFile("device-\($0).key") }
        let sealer = try PushSealer(keyFile: server, topic: "com.example.chat")
        let bodies = try await sealer.bodies(of: payload, to: devices.map(\.key), now: now)
        #expect(bodies.count == 3)
        for (number, device) in devices.enumerated() {
            let files = try folder.files("replays-\(number)-a", "replays-\(number)-b")
            defer { files.close() }
            func receiver() throws -> PushReceiver {
                try PushReceiver(
                    keyFile: device.path,
                    senders: ["\(serverKey)"],
                    topic: "com.example.chat",
                    replayFiles: files.descriptors,
                    now: now
                )
            }
            let first = try receiver()
            let (shown, refusal) = try await first.payload(of: bodies[number], now: now)
            #expect(refusal == nil)
            #expect(try body(shown) == "Lunch?")
            #expect(try await first.payload(of: bodies[number], now: now).refusal == .replayed)
            // As after a start of the process.
            let second = try receiver()
            #expect(try await second.payload(of: bodies[number], now: now).refusal == .replayed)
            let other = try await second.payload(of: bodies[(number + 1) % 3], now: now)
            #expect(other.refusal == .unknownKey(devices[(number + 1) % 3].key.id))
            #expect(try body(other.payload) == "New message")
        }
    }

    @Test func `an anonymous push is bound to what it replaces and fills APNs' limit`() throws {
        let (device, key) = try keyFile("device.key")
        let push = try anonymousBody(payload, to: key, replacing: "door", now: now)
        #expect(push.count > 4094 && push.count <= 4096)
        #expect(try opened(push, device, collapseID: "door").isAuthenticated == false)
        #expect(throws: OpenError.notOpened) { try opened(push, device, collapseID: "window") }
        #expect(throws: OpenError.contextMissing(.collapseID)) { try opened(push, device) }
    }

    // MARK: Keys

    @Test func `a renewed key opens what was sealed to the old one, until that is deleted`() throws {
        let (device, old) = try keyFile("device.key")
        let (server, _) = try keyFile("server.key")
        let push = try sealedBody(#"{"body":"Lunch?"}"#, from: server, to: "\(old)", now: now)
        let fresh = try renewKey(in: device, now: now)
        #expect(fresh != old)
        let policy = OpenPolicy(senders: [
            .init(publicKey: try KeyFile.read(path: server, into: SecretArena()).publicKeys[0])
        ])
        #expect(try opened(push, device, policy).usesRetiredKey)
        _ = try renewKey(in: device, now: now + 31 * 86_400_000)
        #expect(throws: OpenError.unknownKey(old.id)) { try opened(push, device, policy) }
    }

    @Test func `a sender is pinned once its fingerprint was compared`() throws {
        let (device, deviceKey) = try keyFile("device.key")
        let (text, fingerprint) = try makeSenderKey(at: folder.path("server.key"), now: now)
        #expect(try policy(for: text, fingerprint: "00000 00000 00000 00000 00000 00000") == nil)
        let policy = try #require(try policy(for: text, fingerprint: fingerprint))
        let push = try sealedBody(#"{"body":"b"}"#, from: folder.path("server.key"), to: "\(deviceKey)", now: now)
        #expect(try opened(push, device, policy).isAuthenticated)
        let anonymous = try anonymousBody(payload, to: deviceKey, replacing: "door", now: now)
        #expect(throws: OpenError.senderRequired) { try opened(anonymous, device, policy, collapseID: "door") }
    }

    @Test func `both sides of a paired secret understand each other`() throws {
        let (device, deviceKey) = try keyFile("device.key")
        let secret = folder.path("pair.key")
        try makePairedSecret(at: secret, now: now)
        let context = PushContext(topic: "com.example.chat")
        let push = try pairedSealer(to: deviceKey, secret: secret)
            .sealPush(payload.span, context: context, issued: now)
        let opened = try pairedOpener(keyFile: device, secret: secret)
            .open(push: push.span, context: context, now: now)
        #expect(opened.isAuthenticated)
        #expect(opened.sender == (try KeyFile.read(path: secret, into: SecretArena()).pairedSecretIDs[0]))
    }

    // MARK: Attachments

    @Test func `a picture travels beside the push that names it`() throws {
        let picture = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        try picture.write(to: URL(filePath: folder.path("door.jpg")))
        let content = try LibrarySnippets.payload(
            withPicture: folder.path("door.jpg"),
            sealedTo: folder.path("door.nsea"),
            address: "https://example.com/door.nsea"
        )
        let (device, deviceKey) = try keyFile("device.key")
        let (server, serverKey) = try keyFile("server.key")
        let push = try sealedBody(content, from: server, to: "\(deviceKey)", now: now)
        let opened = try opened(push, device, OpenPolicy(senders: [.init(publicKey: serverKey)]))
        #expect(
            try openPicture(of: opened.bytes, downloadedTo: folder.path("door.nsea"), to: folder.path("opened.jpg"))
        )
        #expect(try Data(contentsOf: URL(filePath: folder.path("opened.jpg"))) == picture)
        #expect(try !openPicture(of: payload, downloadedTo: folder.path("door.nsea"), to: folder.path("none.jpg")))
    }
}
