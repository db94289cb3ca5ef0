// SPDX-License-Identifier: Apache-2.0

import CenterProtocol
import NotificationPayload

/// The values of a scene as members of an object, each judged as it is read.
extension Members {
    /// Takes the number of a file; `nil` means that it is absent.
    mutating func optionalFile() throws(MemberFault) -> UInt32? {
        try optionalInteger("src", SceneFile.numbers).map(UInt32.init)
    }

    /// Takes the name of a symbol; `nil` means that it is absent.
    mutating func optionalSymbol() throws(MemberFault) -> String? {
        try optionalShape("symbol") { text in
            let isName =
                (1...128).contains(text.utf8.count)
                && text.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                }
            return isName ? text : nil
        }
    }

    /// Takes a frame; `nil` means that it is absent.
    mutating func optionalFrame(_ key: String = "f") throws(MemberFault) -> SceneFrame? {
        guard let numbers = try optionalNumbers(key, count: 4, SceneLimits.number) else { return nil }
        guard SceneLimits.length.contains(numbers[2]), SceneLimits.length.contains(numbers[3]) else {
            throw .outOfRange(path(of: key))
        }
        return SceneFrame(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Takes a place; `nil` means that it is absent.
    mutating func optionalPoint(_ key: String) throws(MemberFault) -> ScenePoint? {
        try optionalNumbers(key, count: 2, SceneLimits.number).map { ScenePoint($0[0], $0[1]) }
    }

    /// Takes a size; `nil` means that it is absent.
    mutating func optionalSize(_ key: String) throws(MemberFault) -> SceneSize? {
        try optionalNumbers(key, count: 2, SceneLimits.extent).map { SceneSize($0[0], $0[1]) }
    }

    /// Takes a colour; `nil` means that it is absent.
    mutating func optionalColor(_ key: String) throws(MemberFault) -> SceneColor? {
        guard let value = value(key) else { return nil }
        guard let color = SceneColor(reading: value) else { throw .malformed(path(of: key)) }
        return color
    }

    mutating func color(_ key: String) throws(MemberFault) -> SceneColor {
        guard let color = try optionalColor(key) else { throw .missing(path(of: key)) }
        return color
    }

    /// Takes a font; `nil` means that it is absent.
    mutating func optionalFont(_ key: String = "font") throws(MemberFault) -> SceneFont? {
        guard var members = try optionalMembers(key) else { return nil }
        let font = SceneFont(
            size: try members.number("size", SceneFont.sizes),
            weight: Int(try members.optionalInteger("weight", SceneFont.weights) ?? 400),
            isItalic: try members.optionalFlag("italic") ?? false
        )
        try members.end()
        return font
    }

    /// Takes a text of a node; `nil` means that it is absent.
    mutating func optionalSceneText(_ key: String) throws(MemberFault) -> String? {
        try optionalText(key, 0...SceneLimits.nodeTextByteCount)
    }

    mutating func sceneText(_ key: String) throws(MemberFault) -> String {
        try text(key, 0...SceneLimits.nodeTextByteCount)
    }

    mutating func sceneValue(_ key: String) throws(MemberFault) -> SceneValue {
        guard let value = value(key) else { throw .missing(path(of: key)) }
        if let text = value.string {
            let byteCount = text.utf8.count
            guard byteCount <= SceneLimits.writtenTextByteCount else {
                throw .tooLong(path(of: key), byteCount: byteCount)
            }
            return .text(text)
        }
        if let flag = value.bool { return .flag(flag) }
        guard let number = value.double else { throw .wrongKind(path(of: key)) }
        // Moments are the largest; what a control can have, its scene says.
        guard abs(number) <= 1e15 else { throw .outOfRange(path(of: key)) }
        return .number(number)
    }

    mutating func size(_ key: String) throws(MemberFault) -> SceneSize {
        guard let size = try optionalSize(key) else { throw .missing(path(of: key)) }
        return size
    }
}
