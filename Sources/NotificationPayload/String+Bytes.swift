// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Whether the text is this word, byte for byte.
    ///
    /// For foreign text: `==` compares canonical forms, which takes the square of a run of combining marks.
    package func isWord(_ word: String) -> Bool {
        utf8.elementsEqual(word.utf8)
    }
}
