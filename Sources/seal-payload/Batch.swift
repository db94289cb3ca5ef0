// SPDX-License-Identifier: Apache-2.0

import NotificationPayload

/// One JSON document a line in, its answer out, in the same order; what fails is answered by an error.
///
/// An error is a line `{"error":…}` without `aps`, which every body and every opened payload has. Answers are written
/// as soon as the input pauses.
enum Batch {
    private static let flushByteCount = 1 << 16

    /// Answers each line of `input` on `output` by what `answer` returns, `lineCount` whole lines.
    ///
    /// A file as output is replaced when the last line is answered. Throws when a line failed, and at once when what
    /// is wrong is the command line or a descriptor.
    static func run(
        from input: String?,
        to output: String?,
        lineCount: Int = 1,
        _ answer: (Span<UInt8>, String) throws(Failure) -> [UInt8]
    ) throws(Failure) {
        var reader = try LineReader(input)
        var output = try Output(output)
        var pending: [UInt8] = []
        pending.reserveCapacity(2 * flushByteCount)
        var (number, failures) = (0, 0)
        while let line = try reader.next(beforeWaiting: { () throws(Failure) in try flush(&pending, to: output) }) {
            number += 1
            do throws(Failure) {
                guard case .bytes(let range) = line else {
                    throw .tooLarge("line \(number) is longer than \(LineReader.limit) bytes")
                }
                pending += try answer(reader.buffer.span.extracting(range), "line \(number)")
            } catch {
                guard error.code != .usage else { throw error }
                failures += 1
                for _ in 0..<lineCount { error.append(to: &pending) }
            }
            if pending.count >= flushByteCount { try flush(&pending, to: output) }
        }
        try flush(&pending, to: output)
        try output.finish()
        guard failures == 0 else {
            throw .refused(
                "\(failures) of \(number) lines failed",
                hint: "an {\"error\":…} line stands in the place of each"
            )
        }
    }

    private static func flush(_ pending: inout [UInt8], to output: borrowing Output) throws(Failure) {
        guard !pending.isEmpty else { return }
        try output.write(pending)
        pending.removeAll(keepingCapacity: true)
    }
}

extension Failure {
    /// Appends the failure as one line of JSON.
    fileprivate func append(to bytes: inout [UInt8]) {
        var object: JSONObject = ["error": .string(message.withoutSecrets)]
        if let name { object["name"] = .string(name) }
        if let hint { object["hint"] = .string(hint.withoutSecrets) }
        object.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
    }
}
