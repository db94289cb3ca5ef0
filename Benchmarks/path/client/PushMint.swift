// SPDX-License-Identifier: Apache-2.0

import E2ECrypto
import Foundation
import NIOCore
import NIOHPACK

/// The setting of a measurement: folders of the programs, the bundle and the keys, and the device tokens.
struct Setting {
    static let topic = "com.example.chat"

    /// The folder of the programs; `bundle` and `keys` are folders too.
    let programs: String
    let bundle: String
    let keys: String
    /// The launcher among the programs separates nothing; the host has to be told that this is meant.
    var isUnconfined = false
    /// The fleet of which the host is a member; nil: it serves alone.
    var fleet: Membership?
    /// Device tokens, so many that no device gets more pushes than a host takes for one.
    let tokens = (0..<512).map { String(repeating: "0", count: 61) + String(format: "%03x", $0) }
}

/// The words by which a host joins a fleet: the connection string of the database, the file of the key, its own name.
struct Membership {
    let database: String
    let key: String
    let host: String
}

/// A request that was made before the clock runs.
struct Push {
    let number: Int
    let headers: HPACKHeaders
    let body: ByteBuffer
}

/// Seals messages; each envelope opens once, so every request is made anew.
final class PushMint {
    private let sealer: Sealer
    private var made = 0
    /// The size of the last body.
    private(set) var bodyByteCount = 0

    init(_ setting: Setting) throws {
        let arena = try SecretArena()
        let recipients = try KeyFile.readPublicKeys(path: setting.keys + "/recipient.pub", in: arena)
        sealer = try Sealer(to: recipients[0], from: KeyFile.read(path: setting.keys + "/sender.key", into: arena))
    }

    /// The tokens take turns.
    func make(_ count: Int, tokens: [String]) throws -> [Push] {
        let issued = Int64(Date().timeIntervalSince1970 * 1000)
        return try (0..<count).map { index in
            made += 1
            let text = try sealer.seal(
                Self.content(made).span,
                context: PushContext(topic: Setting.topic),
                issued: issued
            )
            let body = ByteBuffer(
                string: #"{"aps":{"alert":{"body":"New notification"},"mutable-content":1},"encrypted-content":""#
                    + text + #""}"#
            )
            bodyByteCount = body.readableBytes
            return Push(number: made, headers: Self.headers(made, token: tokens[index % tokens.count]), body: body)
        }
    }

    /// 1 KB of JSON, as chat messages look.
    private static func content(_ number: Int) -> [UInt8] {
        let head = #"{"aps":{"alert":{"title":"Alice","body":""#
        let tail = #""},"thread-id":"lunch"},"room":"kitchen","message":\#(number)}"#
        let text = String(repeating: "Lunch at noon? ", count: 70)
        return Array((head + text.prefix(1024 - head.utf8.count - tail.utf8.count) + tail).utf8)
    }

    private static func headers(_ number: Int, token: String) -> HPACKHeaders {
        var headers = HPACKHeaders([
            (":method", "POST"), (":scheme", "http"), (":path", "/3/device/\(token)"), (":authority", "127.0.0.1"),
            ("apns-topic", Setting.topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
        ])
        headers.add(name: "apns-id", value: PushID.text(number), indexing: .nonIndexable)
        return headers
    }
}

/// An `apns-id` that tells the push's number, so that a record finds its request without being parsed.
enum PushID {
    private static let prefix = "00000000-0000-4000-8000-"
    /// A record begins so.
    private static let recordPrefix = Array(("{\"id\":\"" + prefix).utf8)

    static func text(_ number: Int) -> String {
        prefix + String(format: "%012lx", number)
    }

    static func number(ofRecord line: some Collection<UInt8>) -> Int? {
        guard line.starts(with: recordPrefix) else { return nil }
        return Int(String(decoding: line.dropFirst(recordPrefix.count).prefix(12), as: UTF8.self), radix: 16)
    }
}
