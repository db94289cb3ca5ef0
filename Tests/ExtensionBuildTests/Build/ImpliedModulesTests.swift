// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ExtensionBuild

/// The modules that a source sees without importing them, as on iOS.
struct ImpliedModulesTests {
    @Test(arguments: [
        ("import UserNotifications\n", ["Security"]),
        ("import UIKit\n", ["Security", "UserNotifications"]),
        ("import Foundation\nlet parser = XMLParser(data: Data())\n", ["Security", "FoundationXML"]),
        (
            "import UIKit\nclass Feed: NSObject, XMLParserDelegate {}\n",
            ["Security", "UserNotifications", "FoundationXML"]
        ),
        ("final class XMLParser {}\nlet parser = XMLParser()\n", ["Security"]),
        ("enum Kind { case XMLParser }\n", ["Security"]),
        ("// XMLParser\nlet text = \"UIKit\"\nlet MyXMLParser = 1\n", ["Security"]),
    ])
    func `a module brings along what it does on iOS`(source: String, expected: [String]) {
        #expect(ImpliedModules.names(in: [Array(source.utf8)]) == expected)
    }

    @Test func `one file of several is enough, since they are compiled together`() {
        let sources = ["import Foundation\n", "import UIKit\n"].map { Array($0.utf8) }
        #expect(ImpliedModules.names(in: sources) == ["Security", "UserNotifications"])
    }
}
