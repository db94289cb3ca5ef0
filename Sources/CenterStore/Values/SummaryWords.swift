// SPDX-License-Identifier: Apache-2.0

/// The words of a notification that the summary of its stack is made of.
///
/// These words stand beside the head, so that nobody reads a content for them. They are text all the same: whatever
/// protects or erases the content has to do so with these.
package struct SummaryWords: Sendable, Equatable {
    /// The longest argument in bytes; a longer one is cut, and still longer than any name that a summary shows whole.
    package static let argumentByteCountLimit = 300

    /// The category; `nil` means none.
    package let category: String?
    /// The argument, or its beginning; `nil` means none.
    package let argument: String?

    package init(category: String? = nil, argument: String? = nil) {
        self.category = category
        self.argument = argument.map(Self.beginning)
    }

    package var isEmpty: Bool { category == nil && argument == nil }

    /// The scalars of a text that lie within the limit.
    private static func beginning(of text: String) -> String {
        guard text.utf8.count > argumentByteCountLimit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: argumentByteCountLimit)
        while end > text.startIndex, UTF8.isContinuation(text.utf8[end]) { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
