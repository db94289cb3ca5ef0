// SPDX-License-Identifier: Apache-2.0

import Foundation
import SceneModel
import TextLayout

extension Float {
    /// The number with the digits by which it is written, 0.1 for 0.1.
    var asWritten: Double { Double(description) ?? Double(self) }
}

extension SceneValue {
    var number: Double? {
        if case .number(let number) = self { number } else { nil }
    }
}

extension UIFont {
    /// The size of a text in lines that nothing breaks, in points, rounded up to halves.
    func size(of text: String) -> CGSize {
        let font = TextFont(size: Double(facts.size), relativeWeight: facts.weight.rawValue, isItalic: facts.isItalic)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let width = lines.map { font.width(of: $0) }.max() ?? 0
        return CGSize(width: (width * 2).rounded(.up) / 2, height: font.lineHeight * Double(lines.count))
    }
}

extension NSAttributedString {
    /// The value of an attribute at the beginning, by which the whole text is drawn where a node has one look.
    func first<Value>(_ key: NSAttributedString.Key, as type: Value.Type) -> Value? {
        length == 0 ? nil : attribute(key, at: 0, effectiveRange: nil) as? Value
    }
}
