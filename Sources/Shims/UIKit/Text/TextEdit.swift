// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The change from one text to another, as the part that differs.
///
/// The page sends whole texts, and UIKit's delegates are asked about parts of them.
struct TextEdit: Equatable {
    /// The part of the old text that is replaced, in UTF-16.
    let range: NSRange
    /// The text in its place.
    let text: String

    init(from old: String, to new: String) {
        let (from, to) = (Array(old), Array(new))
        let start = zip(from, to).prefix { $0 == $1 }.count
        let limit = min(from.count, to.count) - start
        let end = zip(from.reversed(), to.reversed()).prefix(limit).prefix { $0 == $1 }.count
        let place = String(from[..<start]).utf16.count
        let length = String(from[start..<(from.count - end)]).utf16.count
        range = NSRange(location: place, length: length)
        text = String(to[start..<(to.count - end)])
    }
}
