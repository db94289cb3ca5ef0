// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ExtensionBuild

/// The text form of a table.
struct StringTableReaderTests {
    @Test(
        arguments: [
            ("", [:]), ("  \r\n\t// nothing", [:]), ("/* \"A\" = \"a\"; */", [:]), ("/**/", [:]),
            (#""A" = "a";"#, ["A": "a"]), (#""A"="a";"B"="b";"#, ["A": "a", "B": "b"]),
            ("A = a;", ["A": "a"]), ("a.b-c_1/$:x=2;", ["a.b-c_1/$:x": "2"]), ("A = /* b */ c // d\n ;", ["A": "c"]),
            (#""A" = "a"; A = b;"#, ["A": "b"]), (#""A";"#, ["A": "A"]), (#""" = "";"#, ["": ""]),
            ("\"A\" = \"// a /* b */\n c\";", ["A": "// a /* b */\n c"]),
            (#""\"A\\" = "\n\t\r\'\q";"#, ["\"A\\": "\n\t\r'q"]),
            (#""A" = "\U00e9\Ud83d\ude00\101";"#, ["A": "é\u{FFFD}ude00A"]),
            (#""A" = "\U00e9\Ud83d\Ude00\101";"#, ["A": "é😀A"]), (#""🙂 ü" = "%@ ö";"#, ["🙂 ü": "%@ ö"]),
        ] as [(String, [String: String])]
    )
    func `keys and texts of a table`(table: String, texts: [String: String]) throws {
        #expect(try StringTableReader.texts(of: table) == texts)
    }

    /// Foundation reads the form too, and is the second opinion.
    @Test(arguments: [
        #""A" = "a"; "B" = "b\n\"\\";"#, "A = a; /* c */ B; // d\n", #""A" = "\U00e9\Ud83d\Ude00 \'";"#,
        "a.b-c_1/$:x=2;\r\n\"é\" = \"ü\";", #""A" = "a"; A = b;"#, #""A" = "\a\b\f\v\101";"#,
    ])
    func `Foundation reads the same`(table: String) throws {
        let list = try PropertyListSerialization.propertyList(from: Data(table.utf8), format: nil)
        #expect(try StringTableReader.texts(of: table) == list as? [String: String])
    }

    @Test(.timeLimit(.minutes(5)))
    func `every beginning of a table is read or refused`() {
        let table = Array("/* x */ \"A\\\"\\U00e9\" = \"b\"; // c\n d=e;\r\n".unicodeScalars)
        var refused = 0
        for length in 0...table.count {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: table.prefix(length))
            do {
                _ = try StringTableReader.texts(of: String(text))
            } catch {
                #expect((1...2).contains(error.line))
                refused += 1
            }
        }
        #expect(refused > 15)
    }
}
