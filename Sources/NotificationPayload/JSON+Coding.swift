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

    private static func write(_ string: String, to bytes: inout [UInt8]) {
        let text = string.utf8Span.span
        let end = PlainRun.end(in: text.bytes, from: 0)
        guard end == text.count else { return write(text, plainTo: end, to: &bytes) }
        bytes.append(addingCapacity: text.count + 2) { $0.append(quoted: text) }
    }

    /// Appends a key with the colon behind it, and a comma before it unless it is the first.
    static func write(key: String, isFirst: Bool, to bytes: inout [UInt8]) {
        let text = key.utf8Span.span
        let end = PlainRun.end(in: text.bytes, from: 0)
        guard end == text.count else {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            write(text, plainTo: end, to: &bytes)
            return bytes.append(UInt8(ascii: ":"))
        }
        bytes.append(addingCapacity: text.count + 4) { room in
            if !isFirst { room.append(UInt8(ascii: ",")) }
            room.append(quoted: text)
            room.append(UInt8(ascii: ":"))
        }
    }

    /// Appends a text with escapes; `end` is the offset of the first byte that is not plain.
    private static func write(_ text: Span<UInt8>, plainTo end: Int, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var (start, end) = (0, end)
        while true {
            let plain = text.extracting(start..<end)
            bytes.append(addingCapacity: plain.count) { $0.append(copying: plain) }
            guard end < text.count else { break }
            // No reader of ours takes U+0000, and none of Apple's draws it: a text is written without it.
            if text[end] != 0 { writeEscape(of: text[end], to: &bytes) }
            start = end + 1
            end = PlainRun.end(in: text.bytes, from: start)
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

extension OutputSpan<UInt8> {
    /// Appends a text that has no escapes, between quotation marks.
    @_lifetime(self: copy self)
    fileprivate mutating func append(quoted text: Span<UInt8>) {
        append(UInt8(ascii: "\""))
        append(copying: text)
        append(UInt8(ascii: "\""))
    }

    /// Appends bytes for which there is room; without room the process stops.
    @_lifetime(self: copy self)
    fileprivate mutating func append(copying bytes: Span<UInt8>) {
        precondition(bytes.count <= freeCapacity)
        unsafe withUnsafeMutableBufferPointer { buffer, count in
            // SAFETY: there is room behind `count` elements, and nothing is initialized there.
            unsafe bytes.withUnsafeBufferPointer { source in
                guard let place = buffer.baseAddress, let start = source.baseAddress else { return }
                unsafe (place + count).initialize(from: start, count: source.count)
            }
            count += bytes.count
        }
    }
}
