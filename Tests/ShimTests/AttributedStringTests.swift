// SPDX-License-Identifier: Apache-2.0

import Foundation
import FoundationCompatibility
import Testing

/// Attributed texts whose attributes are objects of classes in Swift.
@Suite struct AttributedStringTests {
    private final class Named: NSObject {
        let name: String

        init(_ name: String) { self.name = name }

        override func isEqual(_ object: Any?) -> Bool { (object as? Named)?.name == name }
        override var hash: Int { name.hashValue }
    }

    private static let key = NSAttributedString.Key("mark")

    private func runs(of text: NSAttributedString) -> [String] {
        var runs: [String] = []
        text.enumerateAttribute(Self.key, in: NSRange(location: 0, length: text.length)) { value, range, _ in
            let name = (value as? Named)?.name ?? "none"
            runs.append("\(name) \(range.location) \(range.length)")
        }
        return runs
    }

    @Test("an object takes the place of another one in a part of a text")
    func replaced() {
        let text = NSMutableAttributedString(string: "Hello, world")
        text.addAttribute(Self.key, value: Named("plain"), range: NSRange(location: 0, length: 12))
        text.addAttribute(Self.key, value: Named("bold"), range: NSRange(location: 7, length: 5))
        #expect(runs(of: text) == ["plain 0 7", "bold 7 5"])
        text.addAttribute(Self.key, value: Named("bold"), range: NSRange(location: 0, length: 2))
        #expect(runs(of: text) == ["bold 0 2", "plain 2 5", "bold 7 5"])
    }

    @Test("a number as the value goes to Foundation's own function")
    func number() {
        let text = NSMutableAttributedString(string: "Hello")
        text.addAttribute(Self.key, value: 1, range: NSRange(location: 0, length: 5))
        #expect(text.attribute(Self.key, at: 0, effectiveRange: nil) as? Int == 1)
    }
}
