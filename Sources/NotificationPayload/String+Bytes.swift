// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Tells whether the text is this word, byte for byte.
    ///
    /// Meant for foreign text: `==` compares canonical forms, in time that grows as the square of a run of combining
    /// marks.
    package func isWord(_ word: String) -> Bool {
        utf8.elementsEqual(word.utf8)
    }
}
