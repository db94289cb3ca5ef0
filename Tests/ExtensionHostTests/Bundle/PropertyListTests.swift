// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The values that a property list stands for, read at no more cost than its bounds.
struct PropertyListTests {
    private typealias Mistake = PropertyList.Mistake

    private static var samples: [[String: Any]] {
        [
            [:],
            ["text": "a <b> & \"c\" ü 🙂\n", "empty": "", "wide": "żółć"],
            ["yes": true, "no": false, "one": 1, "less": -7, "large": Int64.max, "half": 0.5],
            ["when": Date(timeIntervalSinceReferenceDate: 800_000_000), "bytes": Data([0, 1, 2, 255])],
            ["list": ["a", 1, ["b": [true, [String]()] as [Any]]] as [Any], "inner": ["deep": ["x": "y"]]],
            ["many": (0..<300).map { "value \($0)" }],
        ]
    }

    @Test(arguments: 0..<6, [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func `a list is read as Foundation reads it`(
        sample: Int,
        format: PropertyListSerialization.PropertyListFormat
    ) throws {
        let sample = Self.samples[sample]
        let data = try PropertyListSerialization.data(fromPropertyList: sample, format: format, options: 0)
        let ours = try #require(try PropertyList.value(of: data) as? [String: Any])
        let theirs = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
        )
        #expect(NSDictionary(dictionary: ours) == NSDictionary(dictionary: theirs))
        #expect(ours["yes"] as? Bool == theirs["yes"] as? Bool)
        #expect(ours["one"] as? Int == theirs["one"] as? Int)
        #expect(ours["one"] as? Bool == theirs["one"] as? Bool)
    }

    @Test(arguments: [
        ("<string>a&#65;&#x42;&lt;<![CDATA[<&>]]><!-- no -->b</string>", "aAB<<&>b"),
        ("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE plist PUBLIC \"-\" \"a\">\n<string>a</string>\n", "a"),
        ("<plist version=\"1.0\"><string/></plist>", ""),
        ("\u{FEFF}<plist><!-- a --><string>ü</string></plist>", "ü"),
    ])
    func `the forms of a text`(list: String, text: String) throws {
        #expect(try PropertyList.value(of: Data(list.utf8)) as? String == text)
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian])
    func `UTF-16 is read when it has its mark`(encoding: String.Encoding) throws {
        let list = "<?xml version=\"1.0\" encoding=\"UTF-16\"?><string>ü</string>"
        let data = try #require(("\u{FEFF}" + list).data(using: encoding == .utf16 ? .utf16LittleEndian : encoding))
        #expect(try PropertyList.value(of: data) as? String == "ü")
        let bare = try #require(list.data(using: .utf16BigEndian))
        #expect(throws: Mistake.self) { try PropertyList.value(of: bare) }
    }

    @Test(arguments: [
        ("", 1, "it is cut off"),
        ("(a, b)", 1, "no value begins so"),
        ("<plist>\n<dict>\n<string>a</string></dict></plist>", 3, "<key> is missing before <string>"),
        ("<dict><key>a</key></dict>", 1, "a value is missing before </dict>"),
        ("<array><a/></array>", 1, "<a> is no value"),
        ("<string>a", 1, "</string> is missing"),
        ("<string>a<b></string>", 1, "</string> is missing"),
        ("<string>&nbsp;</string>", 1, "\"&\" begins no known character"),
        ("<string>&#0;</string>", 1, "\"&\" begins no known character"),
        ("<string>&#xD800;</string>", 1, "\"&\" begins no known character"),
        ("<integer>1e3</integer>", 1, "<integer> holds no number"),
        ("<integer>99999999999999999999</integer>", 1, "<integer> holds no number"),
        ("<true></false>", 1, "</true> is missing"),
        ("<string>a</string>\n<string>b</string>", 2, "something follows its end"),
        ("<!DOCTYPE a [<!ENTITY b \"c\">]><string>&b;</string>", 1, "it has a document type of its own"),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-7\"?><string/>", 1,
            "it is said to be in \"utf-7\", UTF-8 and UTF-16 are read"
        ),
        ("<?xml version=\"1.0\" encoding=EBCDIC?><string/>", 1, "it is said to be in \"\", UTF-8 and UTF-16 are read"),
        ("<!-- a", 1, "\"-->\" is missing"),
    ])
    func `XML that is no list is named with its line`(list: String, line: Int, reason: String) {
        #expect(throws: PropertyList.Mistake(line: line, reason: reason)) {
            try PropertyList.value(of: Data(list.utf8))
        }
    }

    // MARK: Bounds

    @Test(arguments: [31, 32, 150_000])
    func `nested XML ends at the bound, not at the end of the stack`(depth: Int) throws {
        let list = String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        if depth < PropertyList.depthLimit + 1 {
            #expect(try PropertyList.value(of: Data(list.utf8)) is [Any])
        } else {
            #expect(throws: Mistake(line: 1, reason: "its values are nested deeper than 32")) {
                try PropertyList.value(of: Data(list.utf8))
            }
        }
    }

    @Test func `more values than the bound are refused`() {
        let list = "<array>" + String(repeating: "<true/>", count: PropertyList.valueLimit) + "</array>"
        #expect(throws: Mistake(line: 1, reason: "it has more than 200000 values")) {
            try PropertyList.value(of: Data(list.utf8))
        }
    }

    /// The objects' bytes, `top` the first.
    static func binary(_ objects: [[UInt8]]) -> Data {
        var bytes = Array("bplist00".utf8)
        var places: [UInt8] = []
        for object in objects {
            places += [UInt8(bytes.count >> 8), UInt8(bytes.count & 255)]
            bytes += object
        }
        let table = bytes.count
        bytes += places + [0, 0, 0, 0, 0, 0, 2, 1]
        for number in [objects.count, 0, table] { bytes += withUnsafeBytes(of: UInt64(number).bigEndian, Array.init) }
        return Data(bytes)
    }

    /// Lists of two, each of which is twice the next: 2^power texts.
    static func doubled(_ power: Int) -> [[UInt8]] {
        (0..<power).map { [0xA2, UInt8($0 + 1), UInt8($0 + 1)] } + [[0x51, UInt8(ascii: "a")]]
    }

    @Test func `values that a binary list names often are counted as often`() throws {
        #expect(try PropertyList.value(of: Self.binary(Self.doubled(10))) is [Any])
        #expect(throws: Mistake(reason: "it has more than 200000 values")) {
            try PropertyList.value(of: Self.binary(Self.doubled(30)))
        }
        #expect(throws: Mistake(reason: "its values are nested deeper than 32")) {
            try PropertyList.value(of: Self.binary(Self.doubled(40)))
        }
    }

    @Test func `a long text that is named often costs no more than the bound`() {
        let text: [UInt8] = [0x5F, 0x12, 0, 0x0F, 0xFF, 0xFF] + [UInt8](repeating: 0x61, count: 0xFFFFF)
        let list: [UInt8] = [0xAF, 0x10, 64] + [UInt8](repeating: 1, count: 64)
        #expect(throws: Mistake(reason: "its texts are longer than 33554432 bytes")) {
            try PropertyList.value(of: Self.binary([list, text]))
        }
    }

    @Test(
        arguments: [
            ([[0xA1, 0]], "its values are nested deeper than 32"),
            ([[0xA1, 1]], "it refers to what it does not have"),
            ([[0xD1, 1, 1], [0x09]], "it has a key that is no text"),
            ([[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "it is cut off"),
            ([[0xAF, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]], "it is cut off"),
            ([[0xAF, 0x51]], "it has a value without a length"),
            ([[0x5F]], "it has a value without a length"),
            ([[0x59]], "it is cut off"),
            ([[0x14] + [UInt8](repeating: 1, count: 16)], "it has a number that is too large"),
            ([[0x21, 0]], "it has a number that is none"),
            ([[0x80, 0]], "it has a value of an unknown kind"),
            ([[0x00]], "it has a value of an unknown kind"),
            ([[0x51, 0xFF]], "it has a text that is none"),
        ] as [([[UInt8]], String)]
    )
    func `a binary list that is none says why`(objects: [[UInt8]], reason: String) {
        #expect(throws: PropertyList.Mistake(reason: reason)) { try PropertyList.value(of: Self.binary(objects)) }
    }

    @Test func `every change of a byte of a binary list is read or refused`() throws {
        let whole = [UInt8](
            try PropertyListSerialization.data(fromPropertyList: Self.samples[4], format: .binary, options: 0)
        )
        for place in whole.indices {
            for value in [0, 1, 0x0F, 0x7F, 0x80, 0xAF, 0xFF] as [UInt8] where whole[place] != value {
                var changed = whole
                changed[place] = value
                // A trap or a hang is the failure here.
                _ = try? PropertyList.value(of: Data(changed))
            }
        }
        for count in whole.indices { _ = try? PropertyList.value(of: Data(whole[..<count])) }
    }
}
