// SPDX-License-Identifier: Apache-2.0

import CryptoReference
@_spi(Benchmarking) import E2ECrypto
import Glibc

/// Figures of E2ECrypto beside C on the same libsodium, in one run: CPU time, median of interleaved rounds.
///
/// Exits 1 when a ratio is over its limit.
@main
enum CryptoBench {
    static let topic = PushContext(topic: "com.example.chat", row: 0)
    static let issued: Int64 = 1_795_228_800_000

    static func main() throws {
        let arena = try SecretArena()
        let ring = try KeyRing.generate(in: arena)
        let sender = try KeyRing.generate(in: arena)
        let recipient = ring.publicKeys[0]
        let policy = OpenPolicy(senders: [.init(publicKey: sender.publicKeys[0])])
        let opener = try Opener(keys: ring, policy: policy)
        let anonymous = Sealer(to: recipient, in: arena)
        let known = try Sealer(to: recipient, from: sender)
        let content = Self.content(1024)

        let sealed = [
            ("open v1", try texts { try anonymous.seal(content.span, context: topic, issued: issued, padding: .none) }),
            ("open v1 psk", try texts { try known.seal(content.span, context: topic, issued: issued, padding: .none) }),
            ("open v1 padded", try texts { try anonymous.seal(content.span, context: topic, issued: issued) }),
            ("open box", try texts { try anonymous.sealBox(content.span) }),
        ]
        let webPush = WebPushSender()
        let subscriber = try Opener(
            keys: try Self.ring(of: webPush.keyLine, in: arena),
            policy: OpenPolicy(accept: [.webPush])
        )
        let messages = try (0..<64).map { _ in try webPush.text(sealing: content) }

        var base64: [UInt8] = []
        Base64URL.encode(content.span, to: &base64)
        let decoded = UnsafeMutablePointer<UInt8>.allocate(capacity: base64.count)
        defer { decoded.deallocate() }
        var table = Table()
        for _ in 0..<Table.roundCount {
            table.add("C seal_open", reference_seal_open(1024, 64))
            table.add("C seal", reference_seal(1024, 64))
            table.add("C base64url", reference_base64url(1024, 256))
            for (name, texts) in sealed {
                let microseconds = try time(texts.count) { index in
                    let text = texts[index]
                    return try opener.open(text: text.span, context: topic, now: issued).bytes
                }
                table.add(name, microseconds)
            }
            table.add(
                "open web-push",
                try time(messages.count) { index in
                    let message = messages[index]
                    return try subscriber.open(text: message.span, context: topic, now: issued).bytes
                }
            )
            table.add(
                "seal v1",
                try time(64) { _ in
                    try anonymous.seal(content.span, context: topic, issued: issued, padding: .none)
                }
            )
            table.add("base64url", try time(256) { _ in try Base64URL.decode(base64.span, into: decoded) })
        }
        table.report()
        let attachmentsHold = try AttachmentBench.run()
        exit(table.holds && attachmentsHold ? 0 : 1)
    }

    /// A JSON object of `byteCount` bytes, as chat messages look.
    private static func content(_ byteCount: Int) -> [UInt8] {
        let head = #"{"title":"Alice","thread-id":"lunch","message":4711,"body":""#
        return Array((head + String(repeating: "Lunch at noon? ", count: byteCount)).utf8.prefix(byteCount - 2))
            + Array(#""}"#.utf8)
    }

    /// The ring in a key file of these lines.
    private static func ring(of lines: String, in arena: SecretArena) throws -> KeyRing {
        var path = Array("/tmp/crypto-bench-XXXXXX".utf8CString)
        let descriptor = mkstemp(&path)
        defer { close(descriptor) }
        unlink(path)
        _ = lines.utf8.withContiguousStorageIfAvailable { write(descriptor, $0.baseAddress, $0.count) }
        return try KeyFile.read(descriptor: descriptor, into: arena)
    }

    private static func texts(_ seal: () throws -> String) throws -> [[UInt8]] {
        try (0..<64).map { _ in Array(try seal().utf8) }
    }

    /// Microseconds of CPU time for one call.
    private static func time<Result>(_ count: Int, _ body: (Int) throws -> Result) rethrows -> Double {
        let start = reference_cpu_time()
        for index in 0..<count { _ = try body(index) }
        return (reference_cpu_time() - start) / Double(count)
    }
}

/// Collected times, and what they are measured against.
private struct Table {
    static let roundCount = 41
    private var times: [String: [Double]] = [:]

    mutating func add(_ name: String, _ time: Double) {
        times[name, default: []].append(time)
    }

    private func median(_ name: String) -> Double {
        (times[name] ?? []).sorted()[Self.roundCount / 2]
    }

    private static let rows: [(name: String, reference: String, limit: Double?)] = [
        ("open v1", "C seal_open", 1.35), ("open v1 psk", "C seal_open", 1.35), ("open v1 padded", "C seal_open", nil),
        ("open box", "C seal_open", nil), ("open web-push", "C seal_open", nil), ("seal v1", "C seal", nil),
        ("base64url", "C base64url", 0.1),
    ]

    func report() {
        print("1 KB of content, text in, payload bytes out; µs of CPU time, median of \(Self.roundCount) rounds")
        for row in Self.rows {
            let ours = median(row.name)
            let reference = median(row.reference)
            let limit = row.limit.map { ", limit \($0)" } ?? ""
            print(
                "\(row.name): \(rounded(ours)) µs, \(row.reference) \(rounded(reference)) µs, "
                    + "ratio \(rounded(ours / reference))\(limit)"
            )
        }
    }

    var holds: Bool {
        Self.rows.allSatisfy { row in row.limit.map { median(row.name) / median(row.reference) <= $0 } ?? true }
    }

    private func rounded(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let digits = hundredths % 100
        return "\(hundredths / 100).\(digits < 10 ? "0" : "")\(digits)"
    }
}
