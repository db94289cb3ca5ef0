// SPDX-License-Identifier: Apache-2.0

/// Guesses which name somebody meant.
enum NearestName {
    /// The name that differs least, if that is by few letters; `nil` means that none is near.
    static func of(_ word: String, among names: [String]) -> String? {
        let limit = max(1, word.count / 3)
        return names.map { (distance(from: word, to: $0), $0) }
            .filter { $0.0 <= limit }
            .min { $0.0 < $1.0 }?.1
    }

    /// Returns the edit distance of two words: the number of letters to insert, remove or replace.
    static func distance(from word: String, to other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (index, letter) in word.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in other.indices {
                let change = diagonal + (other[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(change, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
