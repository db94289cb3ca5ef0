// SPDX-License-Identifier: Apache-2.0

package import NotificationPayload

/// A set of options: bits in memory, as Apple numbers them, and a list of words in JSON.
package protocol WordSet: OptionSet, Sendable where RawValue == UInt, Element == Self {
    /// Each option with its word, in the order in which the words are written.
    static var words: [(word: String, option: Self)] { get }
}

extension WordSet {
    /// The words of the set; a bit without a word is left out.
    package var json: JSON {
        .array(Self.words.filter { contains($0.option) }.map { .string($0.word) })
    }
}

extension Members {
    /// Takes a list of words, each at most once; `nil` means that it is absent.
    mutating func optionalWords<Options: WordSet>(_ key: String) throws(MemberFault) -> Options? {
        guard let list = try optionalList(key, atMost: Options.words.count) else { return nil }
        var options: Options = []
        for value in list {
            guard let text = value.string else { throw .wrongKind(path(of: key)) }
            guard let known = Options.words.first(where: { text.isWord($0.word) }) else {
                throw .unknownWord(path(of: key))
            }
            guard !options.contains(known.option) else { throw .repeated(path(of: key)) }
            options.formUnion(known.option)
        }
        return options
    }

    mutating func words<Options: WordSet>(_ key: String) throws(MemberFault) -> Options {
        guard let options: Options = try optionalWords(key) else { throw .missing(path(of: key)) }
        return options
    }
}
