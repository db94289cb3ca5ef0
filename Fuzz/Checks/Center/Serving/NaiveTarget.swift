// SPDX-License-Identifier: Apache-2.0

/// A target below `/v1`, read byte by byte.
struct NaiveTarget: Equatable {
    private(set) var path: [String] = []
    private(set) var query: [String: String] = [:]

    /// `nil` means that the target is none of ours, or has an escape that cannot be read.
    init?(_ target: String) {
        let bytes = Array(target.utf8)
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        let prefix = Array("/v1".utf8)
        guard bytes[..<end].starts(with: prefix) else { return nil }
        let rest = bytes[prefix.count..<max(end, prefix.count)]
        guard rest.first.map({ $0 == UInt8(ascii: "/") }) ?? true else { return nil }
        for segment in rest.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst() {
            guard let text = Self.text(segment) else { return nil }
            path.append(text)
        }
        for pair in bytes[end...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let sign = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            guard let key = Self.text(pair[..<sign]), let value = Self.text(pair[sign...].dropFirst()) else {
                return nil
            }
            query[key] = value
        }
    }

    /// Reads two digits of sixteen behind each percent sign; `nil` means that they are others, or no UTF-8.
    private static func text(_ escaped: ArraySlice<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = escaped
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        let digits = Array("0123456789abcdef".utf8)
        let lower = (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(byte) ? byte | 0x20 : byte
        return digits.firstIndex(of: lower).map { UInt8($0) }
    }
}
