// SPDX-License-Identifier: Apache-2.0

import CryptoReference
import E2ECrypto
import Glibc

/// Sealing and opening a file of 8 MiB beside the plain loop in C: same chunks, same digest, same reads, writes, sync.
///
/// Files are in memory where the machine has a folder for that, so that no disk is measured. 8 MiB need no padding.
enum AttachmentBench {
    private static let byteCount = 8 << 20
    private static let roundCount = 21
    /// 0.8 of C's throughput.
    private static let limit = 1.25

    struct Failure: Error {
        let what: String
    }

    /// Prints a line for each way; false when one is over the limit.
    static func run() throws -> Bool {
        let folder = try makeFolder()
        defer { rmdir(folder) }
        let path = { (name: String) in folder + "/" + name }
        let plain = path("plain")
        try writeRandom(to: plain)
        defer { unlink(plain) }

        var times: [String: [Double]] = [:]
        func measure(_ name: String, _ body: () throws -> Void) rethrows {
            let start = reference_cpu_time()
            try body()
            times[name, default: []].append(reference_cpu_time() - start)
        }
        let label = try AttachmentLabel(id: "bench")
        let key = [UInt8](repeating: 7, count: 32)
        var digest = [UInt8](repeating: 0, count: Int(REFERENCE_DIGEST))
        for _ in 0..<roundCount {
            var entry: AttachmentEntry?
            try measure("seal") { entry = try Attachment.seal(file: plain, to: path("sealed"), as: label) }
            guard let entry else { throw Failure(what: "nothing sealed") }
            try measure("open") { try Attachment.open(entry, file: path("sealed"), to: path("opened")) }
            try measure("C seal") {
                guard reference_attachment_seal(plain, path("C sealed"), key, &digest) == 0 else {
                    throw Failure(what: "C seals nothing")
                }
            }
            try measure("C open") {
                guard reference_attachment_open(path("C sealed"), path("C opened"), key, &digest) == 0 else {
                    throw Failure(what: "C opens nothing")
                }
            }
            for name in ["sealed", "opened", "C sealed", "C opened"] { unlink(path(name)) }
        }
        let median = { (name: String) in (times[name] ?? []).sorted()[roundCount / 2] }
        let isSealHeld = report("seal", median("seal"), median("C seal"))
        let isOpenHeld = report("open", median("open"), median("C open"))
        return isSealHeld && isOpenHeld
    }

    private static func report(_ way: String, _ ours: Double, _ reference: Double) -> Bool {
        let hundredths = Int((ours / reference * 100).rounded())
        let ratio = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        print(
            "attachment \(way) of 8 MiB: \(Int(ours)) µs, C attachment_\(way) \(Int(reference)) µs, "
                + "ratio \(ratio), limit \(limit)"
        )
        return ours / reference <= limit
    }

    private static func makeFolder() throws -> String {
        for parent in ["/dev/shm", "/tmp"] {
            var template = Array("\(parent)/crypto-bench-XXXXXX".utf8CString)
            if let path = mkdtemp(&template) { return String(cString: path) }
        }
        throw Failure(what: "no folder to work in")
    }

    private static func writeRandom(to path: String) throws {
        var bytes = [UInt8](repeating: 0, count: byteCount)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index &* 2_654_435_761 >> 13) }
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(what: "no file") }
        defer { close(file) }
        guard write(file, bytes, bytes.count) == bytes.count else { throw Failure(what: "half a file") }
    }
}
