// SPDX-License-Identifier: Apache-2.0

extension JSON {
    /// Reads one JSON text of any kind.
    ///
    /// `depthLimit` counts nested arrays and objects, the outermost included.
    package init(parsing bytes: Span<UInt8>, depthLimit: Int = Payload.depthLimit) throws(JSONError) {
        var reader = JSONReader(bytes, depthLimit: depthLimit)
        self = try reader.readText()
    }

    /// Appends the value as compact UTF-8, keys in their order.
    ///
    /// U+0000 is left out of texts and keys, so that what is written can be read.
    package func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let bool): bytes.append(contentsOf: (bool ? "true" : "false").utf8)
        case .integer(let integer): bytes.append(contentsOf: String(integer).utf8)
        case .double(let double): Self.write(double, to: &bytes)
        case .string(let string): Self.write(string, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object): object.write(to: &bytes)
        }
    }

    private static func write(_ double: Double, to bytes: inout [UInt8]) {
        // 1.0 and 1 are one number; the shorter spelling is what every other writer of payloads uses.
        if let integer = Int64(exactly: double) {
            bytes.append(contentsOf: String(integer).utf8)
        } else if !double.isFinite {
            // JSON has no such number; JavaScript writes null too.
            bytes.append(contentsOf: "null".utf8)
        } else {
            bytes.append(contentsOf: double.description.utf8)
        }
    }

    static func write(_ string: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var string = string
        string.withUTF8 { text in
            var run = 0
            while true {
                let end = PlainRun.end(in: text.span.bytes, from: run)
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[run..<end]))
                guard end < text.count else { break }
                // No reader of ours takes U+0000, and none of Apple's draws it: a text is written without it.
                if text[end] != 0 { writeEscape(of: text[end], to: &bytes) }
                run = end + 1
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func writeEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\n"): bytes.append(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): bytes.append(UInt8(ascii: "t"))
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        default:
            bytes.append(contentsOf: "u00".utf8)
            Hexadecimal.append(byte, to: &bytes)
        }
    }
}
