// SPDX-License-Identifier: Apache-2.0

/// Swift source without the attributes that expose it to Objective-C, which the compiler refuses on Linux.
///
/// They become spaces, so that lines and columns of diagnostics stay those of the original.
struct ObjectiveCAttributes {
    private static let names: Set<String> = ["objc", "objcMembers", "nonobjc"]

    /// The source as the compiler gets it.
    private(set) var stripped: [UInt8]
    /// The classes that have a name for Objective-C, `@objc(Name) class X`: X by that name.
    private(set) var classes: [String: String] = [:]

    init(_ source: [UInt8]) {
        stripped = source
        var scanner = SwiftScanner(source)
        var name: String?
        var word: [UInt8] = []
        var isClassNext = false
        while let position = scanner.nextCode() {
            let byte = source[position]
            if Self.isPartOfName(byte) {
                word.append(byte)
                if position + 1 < source.count, Self.isPartOfName(source[position + 1]) { continue }
                let text = String(decoding: word, as: UTF8.self)
                word = []
                if isClassNext {
                    if let name, text != "func", text != "var" { classes[name] = text }
                    name = nil
                }
                isClassNext = text == "class"
            } else if byte == UInt8(ascii: "@"), let end = Self.endOfAttribute(in: source, at: position) {
                let (attribute, argument) = Self.parts(source[(position + 1)..<end])
                guard Self.names.contains(attribute) else { continue }
                for place in position..<end where source[place] != UInt8(ascii: "\n") {
                    stripped[place] = UInt8(ascii: " ")
                }
                name = argument ?? name
                scanner.skip(to: end)
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") {
                name = nil
            }
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...0xFF:
            true
        default: false
        }
    }

    /// Behind the name, and behind its argument if one stands right there.
    private static func endOfAttribute(in source: [UInt8], at position: Int) -> Int? {
        let name = source[(position + 1)...].prefix(while: isPartOfName)
        guard !name.isEmpty else { return nil }
        guard name.endIndex < source.count, source[name.endIndex] == UInt8(ascii: "("),
            let close = source[name.endIndex...].firstIndex(of: UInt8(ascii: ")"))
        else { return name.endIndex }
        return close + 1
    }

    private static func parts(_ attribute: ArraySlice<UInt8>) -> (name: String, argument: String?) {
        let name = attribute.prefix(while: isPartOfName)
        let argument = attribute[name.endIndex...].dropFirst().dropLast()
        return (
            String(decoding: name, as: UTF8.self), argument.isEmpty ? nil : String(decoding: argument, as: UTF8.self)
        )
    }
}
