// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// One file of `Tests/Vectors/open`: header lines, an empty line, the input.
struct OpenVector: Sendable, CustomTestStringConvertible {
    let name: String
    private let fields: [(key: String, value: String)]
    let text: String

    /// Vectors of envelopes as bare texts.
    static let envelopes: [OpenVector] = {
        let folder = PackageRoot.url.appending(path: "Tests/Vectors/open")
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().compactMap { OpenVector(folder.appending(path: $0)) }
            .filter { $0.value("input") == nil && $0.text.hasPrefix("v1.") }
    }()

    private init?(_ url: URL) {
        guard let contents = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        let parts = contents.split(separator: "\n\n", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        name = url.deletingPathExtension().lastPathComponent
        fields = parts[0].split(separator: "\n").map { line in
            let halves = line.split(separator: ": ", maxSplits: 1)
            return (String(halves[0]), String(halves[1]))
        }
        text = String(parts[1].utf8.dropLast()) ?? ""
    }

    var testDescription: String { name }

    func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }
    func value(_ key: String) -> String? { values(key).first }

    var now: Int64 { value("now").flatMap { Int64($0) } ?? 0 }
    /// The name of the error, or `opens`.
    var expectation: String { value("expect")?.split(separator: " ").first.map(String.init) ?? "" }
}

/// The bytes of a text of hexadecimal digits.
func unhex(_ text: some StringProtocol) -> Data? {
    let digits = text.compactMap(\.hexDigitValue)
    guard digits.count == text.count, digits.count % 2 == 0 else { return nil }
    return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
}
